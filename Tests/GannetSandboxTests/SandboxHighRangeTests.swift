#if PNG && JPEG
    import GannetCodecs
    import GannetCore
    import GannetImages
    import GannetSandbox
    import GannetTesting
    import Testing

    /// A worker gives the file's own numbers, from which this process makes the same light. CX-15
    @Suite struct SandboxHighRangeTests {
        private static func decoding(isSandboxed: Bool) -> ImageDecoding {
            var environment = DecodeEnvironment(colorManager: BuiltInCoders.colorManager)
            if isSandboxed { environment.places = DecodePlaces(sandbox: SandboxPool.shared, isolation: .sandboxed) }
            return ImageDecoding(coders: CodersManager(BuiltInCoders.all), environment: environment)
        }

        private static func expectSame(_ file: ByteRope, _ change: (inout ResolvedDecodeOptions) -> Void = { _ in }) throws {
            var options = ResolvedDecodeOptions()
            options.dynamicRange = .high(headroom: 3)
            change(&options)
            let here = try decoding(isSandboxed: false).decode(file, options: options).bitmap
            let there = try decoding(isSandboxed: true).decode(file, options: options).bitmap
            #expect(here.dynamicRange.isHigh && there.layout == here.layout && there.packedBytes() == here.packedBytes())
        }

        @Test func sameAsHere() throws {
            let image = TestImages.still(try TestImages.highRange(width: 60, height: 40))
            let encoding = ImageEncoding(coders: CodersManager(BuiltInCoders.all))
            var count = 0
            for format in ImageFormat.highRange {
                guard (try? encoding.coders.encoder(for: format, options: EncodeOptions())) != nil else { continue }
                let file = try encoding.encode(image, options: EncodeOptions(format: format, quality: 90)).bytes
                try Self.expectSame(file)
                try Self.expectSame(file) { $0.target = .size(.fit(20, 20)) }
                try Self.expectSame(file) { $0.region = PixelRect(x: 5, y: 6, width: 30, height: 20) }
                count += 1
            }
            #expect(count > 0)
        }

        /// Standard range is made in the worker, by the curve of the request.
        @Test func theCurveIsTheRequests() throws {
            let image = TestImages.still(try TestImages.highRange(width: 60, height: 40))
            let file = try ImageEncoding(coders: CodersManager(BuiltInCoders.all))
                .encode(image, options: EncodeOptions(format: .png)).bytes
            var pixels: [[UInt8]] = []
            for curve in ToneMapping.allCases {
                var options = ResolvedDecodeOptions()
                options.toneMapping = curve
                let here = try Self.decoding(isSandboxed: false).decode(file, options: options).bitmap
                let there = try Self.decoding(isSandboxed: true).decode(file, options: options).bitmap
                #expect(there.layout == here.layout && there.packedBytes() == here.packedBytes())
                pixels.append(here.packedBytes())
            }
            #expect(pixels[0] != pixels[1])
        }

        @Test func aGainMapIsTheSameToo() throws {
            let encoding = ImageEncoding(coders: CodersManager(BuiltInCoders.all))
            func jpeg(_ width: Int, _ height: Int) throws -> [UInt8] {
                try encoding.encode(
                    TestImages.still(TestImages.gradient(width: width, height: height)), options: EncodeOptions(format: .jpeg)
                ).bytes.contiguous()
            }
            let channel = GainMapMetadata.Channel(maximum: 2)
            let metadata = try #require(GainMapMetadata(channel, channel, channel, baseHeadroom: 0, alternateHeadroom: 2))
            let attachment = try #require(UltraHDR.Attachment(try jpeg(30, 20), metadata))
            let file = ByteRope(try #require(attachment.added(to: try jpeg(120, 80))))
            try Self.expectSame(file)
            try Self.expectSame(file) { $0.target = .size(.fill(30, 30)) }
        }
    }
#endif
