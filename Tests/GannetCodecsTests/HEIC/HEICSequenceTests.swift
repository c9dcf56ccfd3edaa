#if HEIC
    import GannetCore
    import GannetCache
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Sequences as the library's own encoder writes them (FM-06).
    @Suite("HEIC sequences", .enabled(if: HEICSample.isSupported, "libheif reads and writes sequences from 1.21 on"))
    struct HEICSequenceTests {
        private static let durations = [5, 8, 3, 20, 5]

        private func decoder(
            _ bytes: [UInt8], _ limits: DecodeLimits = .standard, environment: DecodeEnvironment? = nil
        ) throws(ImageError) -> any ImageDecoder {
            var wishes = DecodeOptions()
            wishes.limits = limits
            wishes.alpha = .straight
            let decoder = try HEICCoder().makeDecoder(
                for: .heic, options: ResolvedDecodeOptions(wishes), environment: environment ?? DecodeEnvironment(limits: limits))
            _ = try decoder.read(from: ByteRope(bytes))
            return decoder
        }

        private func frame(_ index: Int, of decoder: any ImageDecoder) throws -> [UInt8] {
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            try decoder.decodeFrame(at: index, into: &buffer)
            return buffer.freeze().packedBytes()
        }

        private func code(_ body: () throws -> Void) -> ImageError.Code? {
            do { try body() } catch { return (error as? ImageError)?.code }
            return nil
        }

        private func expectFrames(_ order: [Int], of bytes: [UInt8], _ sample: HEICSample) throws {
            let decoder = try decoder(bytes)
            for index in order {
                let largest = zip(try frame(index, of: decoder), sample.pixels(index)).map { abs(Int($0) - Int($1)) }.max()
                #expect(largest ?? 255 <= 1, "frame \(index)")
            }
        }

        // MARK: - Frames

        @Test("Frames, delays and loops", arguments: [UInt32(0), 1, 3]) func header(repetitions: UInt32) throws {
            var sample = HEICSample()
            sample.repetitions = repetitions
            let bytes = try sample.sequence(durations: Self.durations)
            let header = try #require(try decoder(bytes).header)
            #expect(header.size == PixelSize(width: 72, height: 64) && header.frameCount == 5 && !header.hasAlpha)
            #expect(header.animation?.delays == Self.durations.map { .milliseconds(10 * $0) })
            // Without an edit list the file does not say.
            #expect(header.animation?.loopCount == (repetitions == 1 ? nil : Int(repetitions)))
        }

        @Test("Every frame is right, in order, backwards and at random") func frames() throws {  // FM-06, NK-25
            let sample = HEICSample()
            let bytes = try sample.sequence(durations: Self.durations)
            try expectFrames([0, 1, 2, 3, 4], of: bytes, sample)
            try expectFrames([4, 3, 2, 1, 0], of: bytes, sample)
            try expectFrames([2, 2, 0, 4, 1, 1, 3, 0], of: bytes, sample)
        }

        @Test("Frames are delivered in the order of display") func reordered() throws {
            var sample = HEICSample()
            sample.refersForward = true
            let bytes = try sample.sequence(durations: [Int](repeating: 4, count: 12))
            try #require(bytes.firstRange(of: Array("ctts".utf8)) != nil)
            try expectFrames([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 5, 0], of: bytes, sample)
            #expect(try decoder(bytes).header?.animation?.delays == [Duration](repeating: .milliseconds(40), count: 12))
        }

        @Test("Alpha of a second track") func alpha() throws {
            var sample = HEICSample()
            sample.pixel = { x, y in [UInt8(x * 9 & 255), UInt8(y * 14 & 255), 77, UInt8((x * 3 + y) & 255)] }
            let bytes = try sample.sequence(durations: Self.durations)
            #expect(try decoder(bytes).header?.hasAlpha == true)
            try expectFrames([0, 1, 2, 3, 4, 1], of: bytes, sample)
        }

        @Test("It keeps every promise of a decoder", arguments: [false, true]) func promises(refersForward: Bool) async throws {
            var sample = HEICSample()
            sample.refersForward = refersForward
            let check = CoderConformance(
                HEICCoder(), format: .heic, sample: try sample.sequence(durations: [5, 8, 3]), name: "sequence")
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
        }

        /// The encoder fills frames up to 64 pixels, and to even sides.
        @Test("Frames are as large as the track says", arguments: [(24, 16), (71, 65)]) func padding(size: (Int, Int)) throws {
            var sample = HEICSample()
            (sample.width, sample.height) = size
            let bytes = try sample.sequence(durations: [5, 8])
            #expect(try decoder(bytes).header?.size == PixelSize(width: size.0, height: size.1))
            try expectFrames([0, 1], of: bytes, sample)
        }

        // MARK: - Limits

        @Test("Frames and pixels have limits, just enough and one more") func limits() throws {
            let bytes = try HEICSample().sequence(durations: Self.durations)
            #expect(code { _ = try decoder(bytes, DecodeLimits(maximumFrames: 5)) } == nil)
            #expect(code { _ = try decoder(bytes, DecodeLimits(maximumFrames: 4)) } == .limitExceeded)
            func shown(_ pixels: Int) throws {
                var wishes = DecodeOptions()
                wishes.limits = DecodeLimits(maximumPixels: pixels)
                _ = try ImageDecoding(coders: CodersManager([HEICCoder()])).decode(
                    ByteRope(bytes), options: ResolvedDecodeOptions(wishes))
            }
            #expect(code { try shown(72 * 64) } == nil)
            #expect(code { try shown(72 * 64 - 1) } == .limitExceeded)
        }

        @Test("What the decoder keeps is reserved, and given back") func budget() throws {
            let bytes = try HEICSample().sequence(durations: Self.durations)
            let small = ResourceBudget(capacity: 72 * 64 * 7)
            #expect(
                code { _ = try frame(0, of: try decoder(bytes, environment: DecodeEnvironment(budget: small))) } == .limitExceeded
            )
            let large = ResourceBudget(capacity: 1_000_000)
            _ = try frame(3, of: try decoder(bytes, environment: DecodeEnvironment(budget: large)))
            #expect(large.usedBytes == 0)
        }

        @Test("A cut file is truncated") func truncated() throws {
            let bytes = try HEICSample().sequence(durations: Self.durations)
            for count in [bytes.count - 1, bytes.count - 40, bytes.count / 2] {
                #expect(code { _ = try decoder(Array(bytes[..<count])) } == .truncated, "\(count)")
            }
        }

        @Test("On the way to a late frame, cancellation and the clock are asked") func cancellation() async throws {
            let bytes = try HEICSample().sequence(durations: [Int](repeating: 5, count: 40))
            let codes = try DecodeWatch.$time.withValue(StepTimeSource(step: .milliseconds(30))) {
                () throws -> [ImageError.Code?] in
                let decoder = try decoder(bytes, DecodeLimits(maximumDecodeTime: .seconds(1)))
                return [3, 39].map { index in code { _ = try frame(index, of: decoder) } }
            }
            #expect(codes == [nil, .limitExceeded])
            let cancelled = await Task {
                code {
                    let decoder = try decoder(bytes)
                    _ = try frame(0, of: decoder)
                    withUnsafeCurrentTask { $0?.cancel() }
                    _ = try frame(39, of: decoder)
                }
            }.value
            #expect(cancelled == .cancelled)
        }
    }
#endif
