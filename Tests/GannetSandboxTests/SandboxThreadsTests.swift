#if JPEG
    import GannetCore
    import GannetImages
    import GannetTesting
    import Synchronization
    import Testing

    @testable import GannetCodecs
    @testable import GannetSandbox

    /// The filter of a worker allows threads; the program decides whether there is room for what they keep.
    @Suite struct SandboxThreadsTests {
        private static let file = Result {
            let encoder = try #require(try JPEGCoder().makeEncoder(for: .jpeg, options: EncodeOptions(quality: 85)))
            let image = try TestImages.noise(width: 1043, height: 1029)
            return ByteRope(try encoder.encode(TestImages.still(image)))
        }

        private struct Thumbnail {
            var pixels: [UInt8]
            /// The most bytes that were reserved at once, and those of the session after its image.
            var peak: Int
            var kept: Int
        }

        private func thumbnail(threads: Int, room: Int, _ coder: any ImageCoder = JPEGCoder()) throws -> Thumbnail {
            let budget = ResourceBudget(capacity: room)
            var environment = DecodeEnvironment(budget: budget, threads: threads)
            environment.places = DecodePlaces(sandbox: SandboxPool.shared, isolation: .sandboxed)
            var options = ResolvedDecodeOptions()
            options.target = .size(.fit(250, 250))
            let decoding = ImageDecoding(coders: CodersManager([coder]), environment: environment)
            var session: DecodeSession? = try decoding.open(try Self.file.get(), options)
            let image = try #require(try session?.decode())
            let kept = budget.usedBytes
            session = nil
            #expect(budget.usedBytes == 0)
            return Thumbnail(pixels: image.bitmap.packedBytes(), peak: budget.peakBytes, kept: kept)
        }

        @Test("The pixels are those of one thread, and room to spare is given back with the image")
        func room() throws {  // CD-31
            let alone = try thumbnail(threads: 1, room: 64 << 20)
            let several = try thumbnail(threads: 2, room: 64 << 20)
            #expect(several.peak > alone.peak && several.kept == alone.kept && alone.kept > 0)
            // There is room for one thread, and no more.
            let narrow = try thumbnail(threads: 2, room: alone.peak)
            #expect(narrow.peak == alone.peak && narrow.kept == alone.kept)
            #expect(several.pixels == alone.pixels && narrow.pixels == alone.pixels)
        }

        @Test("A worker decodes a JPEG by several threads where there is room to spare")
        func threads() throws {  // CD-31
            func gray(threads: Int, room: Int) throws -> UInt8 {
                try thumbnail(threads: threads, room: room, ThreadsCoder()).pixels[0]
            }
            #expect(try gray(threads: 1, room: 64 << 20) == ThreadsCoder.one)
            #expect(try gray(threads: 2, room: 64 << 20) == ThreadsCoder.several)
            let peak = try thumbnail(threads: 1, room: 64 << 20, ThreadsCoder()).peak
            #expect(try gray(threads: 2, room: peak) == ThreadsCoder.one)
        }

        @Test("What is spare is asked for each time, and does not cover what is needed")
        func spare() throws {
            let asked = Mutex<[Int]>([])
            let budget = ResourceBudget { bytes, isSpare in
                asked.withLock { $0.append(isSpare ? -bytes : bytes) }
                return true
            }
            for _ in 0..<2 {
                let room = budget.reserveSpare(600)
                #expect(room != nil && budget.usedBytes == 0)
            }
            for _ in 0..<2 {
                let needed = try budget.reserve(400)
                #expect(needed?.bytes == 400 && budget.usedBytes == 400)
            }
            let room = budget.reserveSpare(100)
            #expect(room != nil && asked.withLock { $0 } == [-600, -600, 400, -100])
        }

        @Test("All that a worker is granted fits it, and the number of its requests has a bound")
        func requests() {
            var requests = MemoryRequests(limit: 1000)
            #expect(requests.answer(600, isSpare: false) { true } == true)
            #expect(requests.answer(400, isSpare: true) { true } == true)
            #expect(requests.answer(1, isSpare: true) { true } == false)
            #expect(requests.answer(100, isSpare: false) { false } == false)
            // Spare room has made way.
            #expect(requests.answer(400, isSpare: false) { true } == true)
            requests.beginStep()
            for _ in 0..<MemoryRequests.most { #expect(requests.answer(1, isSpare: true) { true } == false) }
            #expect(requests.answer(1, isSpare: true) { true } == nil)
            requests.beginStep()
            #expect(requests.answer(1, isSpare: true) { true } == false)
            for _ in 2..<MemoryRequests.most { #expect(requests.answer(0, isSpare: false) { true } == true) }
            #expect(requests.answer(0, isSpare: false) { true } == nil)
        }
    }

    /// Decodes a JPEG in a worker as its own coder does, and draws whether other threads took part. Not private: workers find it by name.
    struct ThreadsCoder: ImageCoder, WorkerLoadable {
        static let (one, several): (UInt8, UInt8) = (90, 180)

        var identifier: String { "threads" }
        var formats: [ImageFormat] { [.jpeg] }
        func recognizes(_ head: Span<UInt8>) -> Recognition { JPEGCoder().recognizes(head) }
        func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
        func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder { Decoder(JPEGDecoder(options: options, environment: environment), options) }

        private final class Decoder: ImageDecoder {
            private let base: JPEGDecoder
            private let options: ResolvedDecodeOptions
            var header: ImageHeader? { base.header }
            var outputLayout: PixelLayout? { base.outputLayout }

            init(_ base: JPEGDecoder, _ options: ResolvedDecodeOptions) { (self.base, self.options) = (base, options) }

            func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus { try base.read(from: bytes) }

            func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
                guard let header else { throw ImageError(.misuse, stage: .decode, "There is no header.") }
                let scaling = JPEGScaling(for: header, options: options)
                var rows = try PixelBuffer(PixelLayout(size: scaling.decoded, alpha: .opaque))
                var follows = false
                let isWhole = try base.readShrunk(header, [scaling]) { shrinker throws(ImageError) in
                    var done = 0
                    let isWhole = try shrinker.readRows(into: &rows, at: 0, count: scaling.decoded.height, done: &done)
                    // The others have read the last row.
                    follows = shrinker.follows
                    return isWhole
                }
                guard isWhole else { throw ImageError(.corrupt, stage: .decode, "Rows are missing.") }
                buffer.fill(follows ? ThreadsCoder.several : ThreadsCoder.one)
                buffer.setAlpha(.opaque)
            }
        }
    }
#endif
