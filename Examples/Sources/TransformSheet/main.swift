// Draws Documentation/pictures/transformers.png, one tile for each transformer, and prints the list below it:
//     swift run --package-path Examples TransformSheet Documentation/pictures/transformers.png
import Gannet
import GannetCore
import GannetImages

let scene = try drawScene()
let badge = try scene.cropped(to: PixelRect(x: 128, y: 70, width: 44, height: 44)).circular()
let violet = PixelColor(red: 120, green: 60, blue: 200, alpha: 160)
let black = BorderStyle(width: 4, color: .black)

let list: [(code: String, transformer: any ImageTransformer)] = [
    (".identity", .identity),
    (".resize(.fit(90, 90))", .resize(.fit(90, 90))),
    (".resize(.fill(90, 90))", .resize(.fill(90, 90))),
    (".resize(width: 90, height: 110)", .resize(width: 90, height: 110)),
    (".resize(.fit(120, 120), background: .black)", .resize(.fit(120, 120), background: .black)),
    (".crop(x: 20, y: 10, width: 100, height: 80)", .crop(x: 20, y: 10, width: 100, height: 80)),
    (
        ".crop(to: PixelSize(clamping: 70, 70), anchorX: 1, anchorY: 0)",
        .crop(to: PixelSize(clamping: 70, 70), anchorX: 1, anchorY: 0)
    ),
    (".rotate(degrees: 20)", .rotate(degrees: 20)),
    (".rotate(degrees: 20, fit: false, background: .white)", .rotate(degrees: 20, fit: false, background: .white)),
    (".rotate(degrees: 90)", .rotate(degrees: 90)),
    (".flip(horizontal: true)", .flip(horizontal: true)),
    (".flip(vertical: true)", .flip(vertical: true)),
    (".roundCorners(radius: 24)", .roundCorners(radius: 24)),
    (
        ".roundCorners(radius: 40, corners: [.topLeft, .bottomRight], border: black)",
        .roundCorners(radius: 40, corners: [.topLeft, .bottomRight], border: black)
    ),
    (".circle", .circle),
    (".border(width: 6, color: violet)", .border(width: 6, color: violet)),
    (".tint(violet)", .tint(violet)),
    (".tint(violet, mode: .multiply)", .tint(violet, mode: .multiply)),
    (".overlay(violet, fraction: 0.6)", .overlay(violet, fraction: 0.6)),
    (".blend(.difference, over: .white)", .blend(.difference, over: .white)),
    (".stamp(badge, anchorX: 0.05, anchorY: 0.95)", .stamp(badge, anchorX: 0.05, anchorY: 0.95)),
    (".flatten(.white)", .flatten(.white)),
    (".blur(radius: 4)", .blur(radius: 4)),
    (".sharpen(radius: 2, amount: 1.5)", .sharpen(radius: 2, amount: 1.5)),
    (".grayscale", .grayscale),
    (".blackAndWhite", .blackAndWhite),
    (".invert", .invert),
    (".colorControls(brightness: 0.15, contrast: 1.3)", .colorControls(brightness: 0.15, contrast: 1.3)),
    (".colorControls(saturation: 2, exposure: 0.5)", .colorControls(saturation: 2, exposure: 0.5)),
    (".colorMatrix([…]), sepia", .colorMatrix([0.393, 0.769, 0.189, 0, 0.349, 0.686, 0.168, 0, 0.272, 0.534, 0.131, 0])),
]

let arguments = CommandLine.arguments
guard arguments.count == 2 else { throw ImageError(.misuse, "usage: TransformSheet OUT.png") }
let tiles = try list.map { try scene.transformed(by: $0.transformer) }
let metadata = ImageMetadata(format: nil, originalSize: scene.size)
try DecodedImage.still(try Sheet(tiles: tiles).draw(), metadata).blockingWrite(to: arguments[1])
for (number, entry) in list.enumerated() { print("\(number + 1). `\(entry.code)`") }
