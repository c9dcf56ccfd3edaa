#if AVIF
    import CAVIF
    import GannetCore
    import GannetImages
    import Testing

    @testable import GannetCodecs

    /// Pictures of which a part is shown (`clap`).
    @Suite("Clean apertures of AVIF") struct AVIFApertureTests {
        private let files = WritingCoder(coder: AVIFCoder())
        private static let size = (width: 20, height: 14)

        private static func color(_ x: Int, _ y: Int, isClear: Bool) -> [UInt8] {
            [UInt8(x * 12), UInt8(y * 18), UInt8(x * 7 + y * 3), isClear ? UInt8(255 - x * 9) : 255]
        }

        private func sample(_ aperture: [Int32], isClear: Bool = false) -> AVIFSample {
            var sample = AVIFSample(width: Self.size.width, height: Self.size.height) { x, y in
                Self.color(x, y, isClear: isClear)
            }
            sample.aperture = aperture
            return sample
        }

        private func part(_ rect: PixelRect, isClear: Bool) -> [UInt8] {
            var pixels: [UInt8] = []
            for y in rect.y..<rect.y + rect.height {
                for x in rect.x..<rect.x + rect.width { pixels += Self.color(x, y, isClear: isClear) }
            }
            return pixels
        }

        /// Middle, corner, odd places, halves of pixels in the offset.
        static let apertures: [(box: [Int32], rect: PixelRect)] = [
            ([8, 1, 6, 1, 0, 1, 0, 1], PixelRect(x: 6, y: 4, width: 8, height: 6)),
            ([8, 1, 6, 1, -6, 1, -4, 1], PixelRect(x: 0, y: 0, width: 8, height: 6)),
            ([8, 1, 6, 1, -5, 1, 3, 1], PixelRect(x: 1, y: 7, width: 8, height: 6)),
            ([7, 1, 5, 1, -13, 2, 9, 2], PixelRect(x: 0, y: 9, width: 7, height: 5)),
            ([20, 2, 28, 2, 5, 1, 0, 9], PixelRect(x: 10, y: 0, width: 10, height: 14)),
        ]

        @Test("What lies outside is not shown", arguments: 0..<5, [false, true]) func crops(index: Int, isClear: Bool) throws {
            let (box, rect) = Self.apertures[index]
            let bytes = try sample(box, isClear: isClear).bytes()
            #expect(try files.header(bytes).size == PixelSize(width: rect.width, height: rect.height))
            #expect(try files.decode(bytes) { $0.alpha = .straight }.packedBytes() == part(rect, isClear: isClear))
        }

        @Test("Places between the samples of colour, 8 and 10 bits", arguments: 0..<5, [8, 10])
        func fewerColours(index: Int, depth: Int) throws {
            let (box, rect) = Self.apertures[index]
            var sample = sample(box)
            sample.format = AVIF_PIXEL_FORMAT_YUV420
            sample.depth = depth
            var whole = sample
            whole.aperture = []
            let found = try files.decode(sample.bytes()).packedBytes()
            let picture = try files.decode(whole.bytes())
            let pixels = picture.packedBytes()
            for y in 0..<rect.height {
                let start = ((rect.y + y) * Self.size.width + rect.x) * 4
                let (row, cut) = (pixels[start..<start + rect.width * 4], found[y * rect.width * 4..<(y + 1) * rect.width * 4])
                let largest = zip(row, cut).map { one, other in abs(Int(one) - Int(other)) }.max() ?? 0
                // At its edges colour is not mixed with what lies outside.
                #expect(largest <= 12, "row \(y)")
            }
        }

        @Test("As it is stored, nothing is cut") func stored() throws {
            let bytes = try sample(Self.apertures[0].box).bytes()
            let whole = try files.decode(sample([]).bytes()) { $0.appliesOrientation = false }
            let picture = try files.decode(bytes) { $0.appliesOrientation = false }
            #expect(picture.size == PixelSize(width: 20, height: 14) && picture.packedBytes() == whole.packedBytes())
        }

        @Test("Cut, then turned") func turned() throws {
            var sample = sample(Self.apertures[2].box)
            sample.rotation = 1
            let shown = try ImageDecoding(coders: CodersManager([AVIFCoder()])).decode(ByteRope(sample.bytes()))
            #expect(shown.size == PixelSize(width: 6, height: 8))
            // A quarter turn against the clock: the right column becomes the upper row.
            let rect = Self.apertures[2].rect
            let row = part(PixelRect(x: rect.x + 7, y: rect.y, width: 1, height: 6), isClear: false)
            #expect(Array(shown.bitmap.packedBytes().prefix(24)) == row)
        }

        @Test("Sequences, and 16 bits kept") func sequence() throws {
            let (box, rect) = Self.apertures[2]
            var sample = sample(box)
            let bytes = try sample.sequence(durations: [1, 1])
            #expect(try files.header(bytes).size == PixelSize(width: rect.width, height: rect.height))
            let second = try files.decode(bytes, frame: 1).packedBytes()
            let whole = try files.decode(self.sample([]).sequence(durations: [1, 1]), frame: 1).packedBytes()
            let wanted = (rect.y..<rect.y + rect.height).flatMap { y -> ArraySlice<UInt8> in
                whole[(y * Self.size.width + rect.x) * 4..<(y * Self.size.width + rect.x + rect.width) * 4]
            }
            #expect(second == wanted)
            sample.depth = 10
            let deep = try files.decode(sample.bytes()) { $0.keeps16Bit = true }
            #expect(deep.layout.format == .rgba16 && deep.size == PixelSize(width: rect.width, height: rect.height))
        }

        @Test("Apertures that are none leave the whole picture")
        func nonsense() throws {
            let boxes: [[Int32]] = [
                [8, 0, 6, 1, 0, 1, 0, 1], [8, 1, 6, 1, 0, 0, 0, 1], [0, 1, 6, 1, 0, 1, 0, 1], [21, 1, 6, 1, 0, 1, 0, 1],
                [8, 1, 6, 1, -7, 1, 0, 1], [8, 1, 6, 1, 7, 1, 0, 1], [8, 1, 6, 1, .max, 1, .min, 1],
                [-1, 1, -1, 1, 0, -1, 0, -1],
            ]
            let picture = PixelRect(x: 0, y: 0, width: 20, height: 14)
            for box in boxes {
                let fields = box.map { UInt32(bitPattern: $0) }
                let clap = avifCleanApertureBox(
                    widthN: fields[0], widthD: fields[1], heightN: fields[2], heightD: fields[3], horizOffN: fields[4],
                    horizOffD: fields[5], vertOffN: fields[6], vertOffD: fields[7])
                #expect(AVIFAperture.rect(clap, in: picture) == nil, "\(box)")
            }
            let bytes = try sample([8, 1, 6, 1, 7, 1, 0, 1]).bytes()
            #expect(try files.header(bytes).size == PixelSize(width: 20, height: 14))
        }
    }
#endif
