#if PNG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    /// Animations without alpha in the file whose frames leave parts of the canvas empty (FM-03).
    @Suite("Empty parts of animated PNG") struct PNGHolesTests {
        private typealias Animation = PNGAnimationTests
        private typealias Frame = PNGAnimationTests.Frame

        private static let red: [UInt8] = [255, 0, 0, 255]
        private static let blue: [UInt8] = [0, 0, 255, 255]
        private static let small = Frame(area: Animation.part, color: blue)

        private static func disposed(_ disposal: Int) -> [Frame] {
            [Frame(area: Animation.whole, color: red, disposal: disposal), small]
        }

        private func expectHoles(
            _ file: [UInt8], frame: Int = 0, like painted: [UInt8], _ change: @escaping (inout DecodeOptions) -> Void = { _ in },
            at place: SourceLocation = #_sourceLocation
        ) throws {
            let decoder = try PNGDecoding.decoder(file, PNGDecoding.options(change))
            #expect(decoder.header?.hasAlpha == true, sourceLocation: place)
            let picture = try PNGDecoding.frame(decoder, frame)
            #expect(picture.layout.alpha == .straight, sourceLocation: place)
            #expect(picture.packedBytes() == painted, sourceLocation: place)
            // Without alpha, empty areas are black.
            let opaque = try PNGDecoding.decoder(
                file,
                PNGDecoding.options {
                    change(&$0)
                    $0.alpha = .opaque
                })
            let filled = try PNGDecoding.frame(opaque, frame)
            #expect(filled.layout.alpha == .opaque, sourceLocation: place)
            let bytes = painted.indices.map { $0 % 4 == 3 ? 255 : painted[$0] }
            #expect(filled.packedBytes() == bytes, sourceLocation: place)
        }

        @Test("One frame smaller than the canvas") func oneFrame() throws {
            let painted = Animation.painted([Self.small])[0]
            let still = Animation.file([Self.small], still: Self.red, hasAlpha: false)
            try expectHoles(still, like: painted)
            try expectHoles(still, frame: 1, like: painted) { $0.color = .raw }
            let more = Animation.file([Self.small] + Self.disposed(0), still: Self.red, hasAlpha: false)
            try expectHoles(more, like: painted) { $0.frames = .first }
        }

        /// Nothing is there that could come back below the first frame.
        @Test("Frames that are taken away", arguments: [1, 2]) func disposal(kind: Int) throws {
            let painted = Animation.painted(Self.disposed(1))
            let file = Animation.file(Self.disposed(kind), hasAlpha: false)
            try expectHoles(file, frame: 1, like: painted[1])
            // The disposal of the last frame is never visible.
            var kept = Self.disposed(0)
            kept[1].disposal = kind
            for frames in [kept, [Self.disposed(kind)[0]]] {
                let decoder = try PNGDecoding.decoder(Animation.file(frames, hasAlpha: false))
                #expect(decoder.header?.hasAlpha == false)
                #expect(try PNGDecoding.frame(decoder).layout.alpha == .opaque)
            }
        }

        @Test(
            "Rows that did not come are clear, or black without alpha", arguments: [AlphaMode.straight, .premultiplied, .opaque])
        func missingRows(alpha: AlphaMode) throws {
            let sample = PNGSample(width: 8, height: 64, color: .rgb, depth: 8)
            let file = sample.file()
            let decoder = try PNGDecoding.decoder(
                Array(file.prefix(file.count / 2)),
                PNGDecoding.options {
                    $0.allowsPartial = true
                    $0.alpha = alpha
                })
            let picture = try PNGDecoding.frame(decoder)
            let bytes = picture.packedBytes()
            #expect(Array(bytes.prefix(32)) == Array(sample.expected.prefix(32)))
            #expect((picture.layout.alpha == .opaque) == (alpha == .opaque))
            #expect(bytes.suffix(4) == [0, 0, 0, alpha == .opaque ? 255 : 0])
        }

        @Test("A first frame that ends early on a part of the canvas is shown as far as it came") func cutFrame() throws {
            let tall = PixelRect(x: 1, y: 0, width: 2, height: 3)
            let file = Animation.file([Frame(area: tall, color: Self.blue)], still: Self.red)
            // The end marker, then the checksums of the frame's last chunk and of its data, then its last row but a byte.
            let cut = Array(file.dropLast(12 + 4 + 4 + 8))
            let decoder = try PNGDecoding.decoder(cut, PNGDecoding.options { $0.allowsPartial = true })
            let painted = Animation.painted([Frame(area: PixelRect(x: 1, y: 0, width: 2, height: 2), color: Self.blue)])[0]
            #expect(try PNGDecoding.frame(decoder).packedBytes() == painted)
            #expect(decoder.isPartial)
        }
    }
#endif
