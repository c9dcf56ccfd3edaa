#if CommandLine
    import GannetCore
    import Testing

    @testable import gannet

    struct TransformSpecTests {
        static let good: [(String, TransformSpec)] = [
            ("resize:40x30", .resize(width: 40, height: 30)),
            ("crop:1,-2,3,4", .crop(PixelRect(x: 1, y: -2, width: 3, height: 4))),
            ("rotate:-12.5", .rotate(degrees: -12.5)), ("flip:h", .flip(horizontally: true)),
            ("flip:v", .flip(horizontally: false)), ("round:8", .round(radius: 8)), ("circle", .circle),
            ("tint:11223344", .tint(0x1122_3344)), ("tint:112233", .tint(0x1122_33FF)), ("blur:2.5", .blur(radius: 2.5)),
            ("gray", .gray), ("border:2,000000ff", .border(width: 2, color: 0xFF)),
            ("color:contrast=1.5,brightness=-0.2", .color(brightness: -0.2, contrast: 1.5, saturation: 1)),
        ]

        @Test(arguments: good)
        func reads(text: String, spec: TransformSpec) {
            #expect(TransformSpec(argument: text) == spec)
        }

        @Test(arguments: [
            "", "resize", "resize:", "resize:0x4", "resize:4x", "resize:4x4x4", "resize:99999999x1", "crop:1,2,3", "crop:1,2,3,0",
            "rotate:nan", "rotate:inf", "flip:x", "flip", "round:0", "round:-1", "circle:1", "tint:12345", "tint:+1234567",
            "blur:0",
            "gray:1", "border:0,000000ff", "border:2", "color:hue=1", "color:contrast", "sharpen",
        ])
        func refuses(text: String) {
            #expect(TransformSpec(argument: text) == nil)
        }

        @Test func hashesLikeEveryoneElse() throws {
            let empty = try SHA256.hex([])
            #expect(empty == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
            let abc = try SHA256.hex(Array("abc".utf8))
            #expect(abc == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        }
    }
#endif
