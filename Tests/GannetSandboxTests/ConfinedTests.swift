import CSandboxFaults
import GannetCodecs
import GannetCore
import GannetImages
import GannetTestSupport
import GannetTesting
import Testing

@testable import GannetSandbox

/// As ``FaultCoder``, but for the promise.
struct ConfinedCoder: ImageCoder, WorkerConfined {
    private let base = FaultCoder()
    var identifier: String { "confined" }
    var formats: [ImageFormat] { base.formats }
    func recognizes(_ head: Span<UInt8>) -> Recognition { base.recognizes(head) }
    func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder { try base.makeDecoder(for: format, options: options, environment: environment) }
    func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
}

/// Coders whose libraries never read a file in the program's process.
@Suite struct ConfinedTests {
    private static func decoding(_ places: DecodePlaces, _ coders: [any ImageCoder]) -> ImageDecoding {
        var environment = DecodeEnvironment()
        environment.places = places
        return ImageDecoding(coders: CodersManager(coders), environment: environment)
    }

    @Test("Whatever is requested, a fault ends a worker", arguments: [nil] + DecodeIsolation.allCases)
    func alwaysThere(_ requested: DecodeIsolation?) throws {
        for isolation in DecodeIsolation.allCases {
            let places = DecodePlaces(
                sandbox: SandboxPool.shared, isolation: isolation, byFormat: [FaultCoder.format.identifier: isolation])
            let decoding = Self.decoding(places, [ConfinedCoder()])
            var options = ResolvedDecodeOptions()
            options.isolation = requested
            let error = #expect(throws: ImageError.self) {
                try decoding.decode(FaultCoder.file(.commit, UInt8(FAULT_ABORT.rawValue)), options: options)
            }
            #expect(error?.code == .decoderCrashed)
        }
    }

    @Test("Without a sandbox it decodes nothing, and says what to do")
    func neverHere() throws {
        let error = #expect(throws: ImageError.self) {
            try Self.decoding(DecodePlaces(), [ConfinedCoder()]).decode(FaultCoder.file(.draw, 9))
        }
        #expect(error?.code == .sandboxUnavailable && error?.message.contains("useSandbox") == true)
    }

    #if JP2
        // FM-17
        @Test("JPEG 2000 is decoded in the sandbox, and nowhere else")
        func jpeg2000() throws {
            let file = ByteRope(SampleFiles.jpeg2000)
            let image = try Self.decoding(DecodePlaces(sandbox: SandboxPool.shared), BuiltInCoders.all).decode(file)
            let row = image.bitmap.row(3)
            #expect(image.size == PixelSize(width: 8, height: 8) && (row[0], row[4], row[28]) == (6, 36, 216))
            let error = #expect(throws: ImageError.self) { try Self.decoding(DecodePlaces(), BuiltInCoders.all).decode(file) }
            #expect(error?.code == .sandboxUnavailable)
        }

        // S3-17, FM-17
        @Test("A part of a JPEG 2000 file is decoded alone in the sandbox")
        func regionOfJPEG2000() throws {
            let file = ByteRope(SampleFiles.jpeg2000)
            let decoding = Self.decoding(DecodePlaces(sandbox: SandboxPool.shared), BuiltInCoders.all)
            let whole = try decoding.decode(file).bitmap
            var options = ResolvedDecodeOptions()
            options.region = PixelRect(x: 3, y: 2, width: 4, height: 5)
            // The whole would be over the limit.
            options.limits.maximumPixels = 20
            let part = try decoding.decode(file, options: options).bitmap
            let wanted = try whole.cropped(to: PixelRect(x: 3, y: 2, width: 4, height: 5))
            #expect(part.packedBytes() == wanted.packedBytes())
        }

        // FM-17
        @Test("No damage of a JPEG 2000 file ends a worker", arguments: [nil, PixelRect(x: 1, y: 3, width: 4, height: 2)])
        func damagedJPEG2000(region: PixelRect?) {
            let decoding = Self.decoding(DecodePlaces(sandbox: SandboxPool.shared), BuiltInCoders.all)
            var options = ResolvedDecodeOptions()
            options.region = region
            for index in SampleFiles.jpeg2000.indices {
                for damaged in [Array(SampleFiles.jpeg2000[..<index]), SampleFiles.jpeg2000.flipped(at: index)] {
                    do throws(ImageError) { _ = try decoding.decode(ByteRope(damaged), options: options) } catch {
                        #expect(error.code != .decoderCrashed, "\(index): \(error)")
                    }
                }
            }
        }
    #endif

    #if RAW
        // FM-11
        @Test("A raw file is decoded in the sandbox, and nowhere else")
        func raw() throws {
            let file = ByteRope(DNGWriter(scene: DNGWriter.quarters).file)
            let decoding = Self.decoding(DecodePlaces(sandbox: SandboxPool.shared), BuiltInCoders.all)
            #expect(try decoding.header(of: file).format == .raw)
            let image = try decoding.decode(file)
            #expect(image.size == PixelSize(width: 64, height: 48))
            #expect(image.bitmap.row(10)[4 * 12] > 180 && image.bitmap.row(10)[4 * 12 + 1] < 100)
            let error = #expect(throws: ImageError.self) { try Self.decoding(DecodePlaces(), BuiltInCoders.all).decode(file) }
            #expect(error?.code == .sandboxUnavailable)
        }

        // FM-11
        @Test("Damage of a raw file ends no worker", arguments: [false, true])
        func damagedRaw(_ isLinear: Bool) {
            let decoding = Self.decoding(DecodePlaces(sandbox: SandboxPool.shared), BuiltInCoders.all)
            var writer = DNGWriter(scene: DNGWriter.quarters)
            writer.isLinear = isLinear
            let file = writer.file
            var random = SeededGenerator(seed: isLinear ? 12 : 11)
            var limits = DecodeLimits.standard
            // A size that is damaged may be a large one.
            limits.maximumPixels = 4_000_000
            var options = ResolvedDecodeOptions()
            options.limits = limits
            for round in 0..<250 {
                var damaged = file
                // Directories and their values are in the first 800 bytes.
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    let place = Int.random(in: 4..<(round % 4 == 0 ? file.count : 800), using: &random)
                    damaged[place] = UInt8.random(in: .min ... .max, using: &random)
                }
                if round % 5 == 0 { damaged.removeLast(Int.random(in: 0..<file.count / 2, using: &random)) }
                do throws(ImageError) { _ = try decoding.decode(ByteRope(damaged), options: options) } catch {
                    #expect(error.code != .decoderCrashed && error.code != .misuse, "\(round): \(error)")
                }
            }
        }
    #endif

    #if Lottie
        private static func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [UInt8] {
            let start = 4 * (y * bitmap.width + x)
            return Array(bitmap.packedBytes()[start..<start + 4])
        }

        private static func limited() -> ResolvedDecodeOptions {
            var options = ResolvedDecodeOptions()
            options.limits.maximumPixels = 4_000_000
            options.limits.maximumDecodeTime = .seconds(2)
            options.frames = .index(0)
            return options
        }

        // FM-14
        @Test("A Lottie animation is drawn in the sandbox, and nowhere else")
        func lottie() throws {
            let file = ByteRope(LottieWriter([LottieWriter.square(x: 4, y: 8, side: 8, color: (1, 0, 0), moves: 4)]).file)
            let decoding = Self.decoding(DecodePlaces(sandbox: SandboxPool.shared), BuiltInCoders.all)
            #expect(try decoding.header(of: file).frameCount == 10)
            guard case .animated(let clip) = try decoding.decode(file) else {
                Issue.record("one frame of ten")
                return
            }
            let last = try clip.blockingFrame(at: 9)
            #expect(clip.frameCount == 10 && Self.pixel(last, 44, 12) == [255, 0, 0, 255])
            let error = #expect(throws: ImageError.self) { try Self.decoding(DecodePlaces(), BuiltInCoders.all).decode(file) }
            #expect(error?.code == .sandboxUnavailable)
        }

        /// The library opens its plugin for images with the first of them, which a worker may not.
        @Test("An image inside of an animation is drawn in the sandbox")
        func lottieImage() throws {
            var writer = LottieWriter([LottieWriter.reference("image", isImage: true)])
            writer.assets = [
                """
                {"id":"image","w":8,"h":8,"e":1,"p":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP4z8DwHwAFAAH/\
                VscvDQAAAABJRU5ErkJggg=="}
                """
            ]
            let decoding = Self.decoding(DecodePlaces(sandbox: SandboxPool.shared), BuiltInCoders.all)
            let image = try decoding.decode(ByteRope(writer.file), options: Self.limited())
            let seen = Self.pixel(image.bitmap, 0, 0)
            #expect(seen[0] > 250 && seen[1] == 0 && seen[2] == 0 && seen[3] > 250, "\(seen)")
        }

        // FM-14
        @Test("Whatever damage of an animation does to its library, it is one image's typed error")
        func damagedLottie() throws {
            let decoding = Self.decoding(DecodePlaces(sandbox: SandboxPool.shared), BuiltInCoders.all)
            var writer = LottieWriter([
                LottieWriter.square(x: 4, y: 8, side: 8, color: (1, 0, 0), moves: 4), LottieWriter.reference("all"),
                LottieWriter.square(x: 0, y: 0, side: 30, color: (0, 1, 0), opacity: 40, more: ",\"tt\":1"),
            ])
            writer.assets = ["{\"id\":\"all\",\"layers\":[\(LottieWriter.square(x: 9, y: 9, side: 9, color: (0, 0, 1)))]}"]
            let file = writer.file
            var random = SeededGenerator(seed: 14)
            var (drawn, refused) = (0, 0)
            for round in 0..<400 {
                var damaged = file
                for _ in 0...Int.random(in: 0..<3, using: &random) {
                    let place = Int.random(in: 1..<file.count, using: &random)
                    // Mostly another character of JSON, so that the text stays one.
                    let letters = Array("0123456789-,.[]{}\":aeks".utf8)
                    damaged[place] = letters.randomElement(using: &random) ?? 0
                }
                if round % 10 == 0 { damaged.removeLast(Int.random(in: 0..<file.count / 2, using: &random)) }
                let bytes =
                    round % 3 == 0 ? LottieWriter.gzip(damaged) : round % 3 == 1 ? LottieWriter.dotLottie(damaged) : damaged
                do throws(ImageError) {
                    _ = try decoding.decode(ByteRope(bytes), options: Self.limited())
                    drawn += 1
                } catch {
                    refused += 1
                    let codes: [ImageError.Code] = [.corrupt, .truncated, .notAnImage, .limitExceeded, .decoderCrashed]
                    #expect(codes.contains(error.code), "\(round): \(error)")
                }
            }
            #expect(drawn > 20 && refused > 100, "\(drawn), \(refused)")
            // Nothing of it is left behind.
            #expect(try decoding.decode(ByteRope(file)).size == PixelSize(width: 64, height: 48))
        }

        /// rlottie 0.1 ends its process in both cases, by an exception for want of memory.
        @Test(
            "An animation that is too much for its library is one failed image",
            arguments: [
                "{\"ty\":\"rp\",\"c\":{\"k\":100000000},\"o\":{\"k\":0},\"m\":1,\"tr\":{\"p\":{\"k\":[5,5]},\"s\":{\"k\":[100,100]}}},"
                    + "{\"ty\":\"fl\",\"c\":{\"k\":[1,0,0,1]},\"o\":{\"k\":100}}",
                "{\"ty\":\"st\",\"c\":{\"k\":[1,0,0,1]},\"o\":{\"k\":100},\"w\":{\"k\":3},"
                    + "\"d\":[{\"n\":\"d\",\"v\":{\"k\":-1}},{\"n\":\"g\",\"v\":{\"k\":0.5}}]}",
            ])
        func hostileLottie(_ shapes: String) throws {
            let square = "{\"ty\":\"rc\",\"p\":{\"k\":[10,10]},\"s\":{\"k\":[20,20]},\"r\":{\"k\":3}}"
            let layer =
                "{\"ddd\":0,\"ty\":4,\"ip\":0,\"op\":60,\"st\":0,\"ks\":{},\"shapes\":[{\"ty\":\"gr\",\"it\":[\(square),\(shapes)]}]}"
            let decoding = Self.decoding(DecodePlaces(sandbox: SandboxPool.shared), BuiltInCoders.all)
            var options = Self.limited()
            options.limits.maximumDecodedBytes = 64 << 20
            options.limits.maximumEncodedBytes = 1 << 20
            let error = #expect(throws: ImageError.self) {
                try decoding.decode(ByteRope(LottieWriter([layer]).file), options: options)
            }
            #expect(error?.code == .decoderCrashed || error?.code == .limitExceeded, "\(String(describing: error))")
            #expect(try decoding.decode(ByteRope(LottieWriter().file)).size == PixelSize(width: 64, height: 48))
        }
    #endif
}

extension [UInt8] {
    fileprivate func flipped(at index: Int) -> [UInt8] {
        var copy = self
        copy[index] ^= 0xFF
        return copy
    }
}
