#if JPEG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    /// Arithmetic coding, which the library's decoder cannot pause in. Written by libjpeg-turbo's encoder: 16 × 16 grey pixels, each
    /// ((x · 15) xor (y · 9)) mod 256, at quality 40.
    @Suite("JPEG with arithmetic coding") struct JPEGArithmeticTests {  // FM-02, CD-43
        private static let sequential = hex(
            """
            ffd8ffdb004300140e0f120f0d14121012171514181e32211e1c1c1e3d2c2e243249404c4b47404645505a73
            6250556d5645466488656d777b8182814e608d978c7d96737e817cffc9000b080010001001011100ffcc0006
            00101005ffda0008010100003f00ff0027cb45dd4936d9044cb7cdf56305c01b392ea6653a44ae17601d7445
            3566a561344986e2e45c06e52d53503d198fd21fed924ea7658d56514fe338dc03b31464b11565de8b17d9b8
            8176562a5392e0ffd9
            """)
        private static let progressive = hex(
            """
            ffd8ffdb004300140e0f120f0d14121012171514181e32211e1c1c1e3d2c2e243249404c4b47404645505a73
            6250556d5645466488656d777b8182814e608d978c7d96737e817cffca000b080010001001011100ffcc0004
            0010ffda0008010100000001fe4e5da608ffcc00041005ffda000801010001050216d44f360e6a8947a0ffcc
            00041005ffda0008010100063f02f4cf07c6a97ad8e1f1c0ffcc00041005ffda0008010100013f21f3bf0192
            60d9546b4e83debc0fa1990960ffda0008010100000010f0ffcc00041005ffda0008010100013f10b28f140d
            713370108c63141e413446dc6051ba6c3c2496b527b88e21cdb0fc80ffd9
            """)

        private static func hex(_ text: String) -> [UInt8] {
            let digits = text.compactMap(\.hexDigitValue)
            return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
        }

        @Test(arguments: [sequential, progressive]) func thePictureIsRight(file: [UInt8]) throws {
            let pixels = try JPEGSamples.decode(file).packedBytes()
            var error = 0
            for y in 0..<16 { for x in 0..<16 { error += abs(Int(pixels[(y * 16 + x) * 4]) - ((x * 15) ^ (y * 9)) % 256) } }
            // Quality 40 keeps edges badly; another picture, or noise, is 60 and more off.
            #expect(error / 256 < 20)
        }

        @Test("No previews, and the same picture", arguments: [sequential, progressive], [false, true])
        func pieces(file: [UInt8], allowsPartial: Bool) throws {
            let whole = try JPEGSamples.decode(file)
            var options = DecodeOptions()
            options.allowsPartial = allowsPartial
            for step in [1, 30, 100] {
                let decoder = JPEGDecoder(options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
                var rope = ByteRope()
                for start in stride(from: 0, to: file.count, by: step) {
                    rope.append(Array(file[start..<min(start + step, file.count)]))
                    _ = try decoder.read(from: rope)
                    guard let layout = decoder.outputLayout else { continue }
                    var buffer = try PixelBuffer(layout)
                    #expect(try !decoder.decodePreview(into: &buffer))
                }
                rope.isComplete = true
                _ = try decoder.read(from: rope)
                #expect(try JPEGSamples.decode(decoder).packedBytes() == whole.packedBytes())
            }
        }

        @Test("A preview of all bytes is the picture", arguments: [sequential, progressive])
        func previewAtTheEnd(file: [UInt8]) throws {
            let decoder = JPEGDecoder(options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(file))
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            _ = try decoder.decodePreview(into: &buffer)
            #expect(try JPEGSamples.decode(decoder).packedBytes() == JPEGSamples.decode(file).packedBytes())
        }
    }
#endif
