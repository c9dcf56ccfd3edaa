#if JPEG
    import GannetCore
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    @Suite("Limits of JPEG") struct JPEGLimitsTests {  // U-02
        private func code(_ file: [UInt8], _ limits: DecodeLimits, _ budget: ResourceBudget = .unlimited) -> ImageError.Code? {
            JPEGSamples.code { _ = try JPEGSamples.decode(JPEGSamples.decoder(file, limits: limits, budget: budget)) }
        }

        @Test func bytesOfTheFile() throws {
            let file = try JPEGSamples.file(8, 8)
            #expect(code(file, DecodeLimits(maximumEncodedBytes: file.count)) == nil)
            #expect(code(file, DecodeLimits(maximumEncodedBytes: file.count - 1)) == .limitExceeded)
        }

        @Test func bytesOfMetadata() throws {
            let file = JPEGFlatFile(blocks: [[77]], across: 1).bytes
            let comments = JPEGSamples.inserting(
                [JPEGSamples.segment(0xFE, [1, 2, 3]), JPEGSamples.segment(0xE5, [1, 2, 3, 4])], into: file)
            #expect(code(comments, DecodeLimits(maximumMetadataBytes: 11)) == nil)
            #expect(code(comments, DecodeLimits(maximumMetadataBytes: 10)) == .limitExceeded)
        }

        @Test func scans() throws {
            let file = try JPEGSamples.file(48, 48, EncodeOptions(progressive: true))
            let scans = file.indices.dropLast().count { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
            #expect(scans > 3)
            #expect(code(file, DecodeLimits(maximumScans: scans)) == nil)
            #expect(code(file, DecodeLimits(maximumScans: scans - 1)) == .limitExceeded)
        }

        @Test func coefficientsOfManyScans() throws {
            // Three channels of 57 × 57 blocks of 128 bytes: more than the 1 MiB that is always allowed.
            let file = try JPEGSamples.file(448, 448, EncodeOptions(quality: 95, progressive: true))
            let coefficients = 3 * 57 * 57 * 128
            /// They are kept where scans are shown as they arrive.
            func code(_ limits: DecodeLimits = .standard, _ budget: ResourceBudget = .unlimited) -> ImageError.Code? {
                JPEGSamples.code {
                    let decoder = try JPEGSamples.decoder(file, limits: limits, budget: budget)
                    var buffer = try PixelBuffer(try #require(decoder.outputLayout))
                    #expect(try decoder.decodePreview(into: &buffer))
                }
            }
            #expect(code(DecodeLimits(maximumDecodedBytes: coefficients)) == nil)
            #expect(code(DecodeLimits(maximumDecodedBytes: coefficients - 1)) == .limitExceeded)
            let budget = ResourceBudget(capacity: coefficients)
            #expect(code(.standard, budget) == nil)
            #expect(budget.usedBytes == 0)
            #expect(code(.standard, ResourceBudget(capacity: coefficients - 1)) == .limitExceeded)
        }

        @Test func time() throws {
            #expect(code(try JPEGSamples.file(8, 8), DecodeLimits(maximumDecodeTime: .seconds(-1))) == .limitExceeded)
        }

        /// A download may last longer than a decode may.
        @Test("The time between previews does not count", arguments: [false, true])
        func timeOfPreviews(progressive: Bool) throws {
            let file = try JPEGSamples.file(256, 256, EncodeOptions(quality: 95, progressive: progressive))
            let time = ManualTimeSource()
            try DecodeWatch.$time.withValue(time) {
                let decoder = JPEGDecoder(
                    options: ResolvedDecodeOptions(DecodeOptions()),
                    environment: DecodeEnvironment(limits: DecodeLimits(maximumDecodeTime: .seconds(1))))
                var shown = 0
                for tenth in 1...10 {
                    let bytes = Array(file.prefix(file.count * tenth / 10))
                    _ = try decoder.read(from: ByteRope(bytes, isComplete: tenth == 10))
                    if let layout = decoder.outputLayout {
                        var buffer = try PixelBuffer(layout)
                        if try decoder.decodePreview(into: &buffer) { shown += 1 }
                    }
                    time.advance(by: .seconds(2))
                }
                #expect(shown > 3)
                #expect(try JPEGSamples.decode(decoder).packedBytes() == JPEGSamples.decode(file).packedBytes())
            }
        }

        @Test("Many small segments are left when nobody wants them") func cancelledSegments() async throws {
            let file: [UInt8] =
                [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 3) + [[UInt8]](repeating: [0xD0, 0xFF], count: 40_000).joined()
            #expect(JPEGSamples.code { _ = try JPEGSamples.decoder(file) } == .truncated)
            let code = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return JPEGSamples.code { _ = try JPEGSamples.decoder(file) }
            }.value
            #expect(code == .cancelled)
            let limits = DecodeLimits(maximumDecodeTime: .seconds(1))
            let late = DecodeWatch.$time.withValue(StepTimeSource(step: .seconds(2))) {
                JPEGSamples.code { _ = try JPEGSamples.decoder(file, limits: limits) }
            }
            #expect(late == .limitExceeded)
        }

        @Test("A cancelled task ends the decode", arguments: [false, true])
        func cancellation(progressive: Bool) async throws {
            let file = try JPEGSamples.file(64, 64, EncodeOptions(progressive: progressive))
            let code = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return JPEGSamples.code { _ = try JPEGSamples.decode(file) }
            }.value
            #expect(code == .cancelled)
        }

        @Test func nonsenseCallsAreMisuse() throws {
            let decoder = try JPEGSamples.decoder(JPEGSamples.file(8, 8))
            var wrong = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 9, 8)))
            #expect(JPEGSamples.code { try decoder.decodeFrame(at: 0, into: &wrong) } == .misuse)
            var right = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 8, 8)))
            #expect(JPEGSamples.code { try decoder.decodeFrame(at: 1, into: &right) } == .misuse)
            #expect(JPEGSamples.code { try decoder.decodeFrame(at: 0, into: &right) } == nil)
        }
    }
#endif
