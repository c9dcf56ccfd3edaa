// A transformer of one's own, in a load and on an image in memory:
//     swift run --package-path Examples CustomTransformer photo.jpg duotone.png
import Gannet
import GannetCore
import GannetImages

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    print("usage: CustomTransformer IN OUT")
    throw ImageError(.misuse, "two paths are needed")
}
let navy = PixelColor(red: 20, green: 20, blue: 90)
let sand = PixelColor(red: 250, green: 225, blue: 170)
let picture = try await ImageManager.shared.image(
    for: .file(arguments[1]), .fit(800, 800), .transform(.duotone(navy, sand)))
try await picture.roundedCorners(radius: 24).write(to: arguments[2])
