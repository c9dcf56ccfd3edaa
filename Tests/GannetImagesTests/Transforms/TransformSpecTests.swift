import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import Testing

@Suite("Transformers written as text")
struct TransformSpecTests {
    @Test("every specification means its transformer")
    func specifications() throws {
        let expected: [(String, any ImageTransformer)] = [
            ("resize:100x50", .resize(width: 100, height: 50)), ("resize:100x", .resize(width: 100, height: nil)),
            ("resize:x50", .resize(width: nil, height: 50)), ("resize:100x50,fit", .resize(width: 100, height: 50, mode: .fit)),
            ("resize:9x9,fill", .resize(width: 9, height: 9, mode: .fill)),
            ("crop:1,2,3,4", .crop(x: 1, y: 2, width: 3, height: 4)),
            ("rotate:90", .rotate(degrees: 90)), ("rotate:-12.5", .rotate(degrees: -12.5)), ("flip:h", .flip(horizontal: true)),
            ("flip:v", .flip(vertical: true)), ("flip:hv", .flip(horizontal: true, vertical: true)),
            ("round:8", .roundCorners(radius: 8)), ("circle", .circle),
            ("tint:ff000080", .tint(PixelColor(red: 255, green: 0, blue: 0, alpha: 128))), ("blur:2.5", .blur(radius: 2.5)),
            ("gray", .grayscale), ("border:2,00ff00ff", .border(width: 2, color: .green)),
            ("color:brightness=0.1,contrast=1.2,saturation=0", .colorControls(brightness: 0.1, contrast: 1.2, saturation: 0)),
            ("color:exposure=-1", .colorControls(exposure: -1)), ("sharpen", .sharpen()),
            ("sharpen:2,1.5", .sharpen(radius: 2, amount: 1.5)), ("flatten", .flatten()), ("flatten:000", .flatten(.black)),
            ("overlay:0000ffff,0.25", .overlay(.blue, fraction: 0.25)), ("invert", .invert), ("bw", .blackAndWhite),
        ]
        for (text, transformer) in expected {
            #expect(try StandardTransformer(parsing: text).identifier == transformer.identifier, "\(text)")
        }
    }

    @Test(
        "nonsense is misuse, with the way it should be written",
        arguments: [
            "", "resize", "resize:", "resize:x", "resize:0x5", "resize:5", "resize:-1x5", "resize:5x5,tall", "resize:99999999x1",
            "crop:1,2,3",
            "crop:1,2,0,4", "crop:a,b,c,d", "crop:9999999999999999999,0,1,1", "rotate", "rotate:x", "rotate:nan", "flip",
            "flip:d",
            "round:-1", "round:", "circle:5", "tint:12", "tint", "blur:inf", "gray:1", "border:2", "border:-1,ffffff",
            "border:1,zz",
            "color:", "color:brightness", "color:hue=1", "color:contrast=x", "overlay:fff,2", "sharpen:1,2,3", "Resize:1x1",
            "spin:4",
        ])
    func nonsense(_ text: String) {
        #expect { try StandardTransformer(parsing: text) } throws: {
            guard let error = $0 as? ImageError else { return false }
            return error.code == .misuse && error.stage == .transform && error.message.count > 20
        }
    }
}
