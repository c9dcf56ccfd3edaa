import GannetCodecs
import GannetCore
import GannetTesting
import Testing

@testable import GannetImages

/// Animations that play while their bytes come. AN-21, MG-16, CD-43.
@Suite(.timeLimit(.minutes(10))) struct ArrivingAnimationTests {
    static let formats = [ImageFormat.gif, .png, .webp].filter(CoderBehaviourTests.canWrite)
    static let size = PixelSize(clamping: 48, 32)

    static func file(_ format: ImageFormat, frames: Int = 6) throws -> [UInt8] {
        let clip = try TestImages.animation(width: size.width, height: size.height, frames: frames, loopCount: 1)
        return try CoderBehaviourTests.encode(.animated(clip), EncodeOptions(format: format, quality: 100)).contiguous()
    }

    static func decoder(_ format: ImageFormat, _ coders: CodersManager = AvailableCoders.manager) throws -> any ImageDecoder {
        let bytes = ByteRope(try file(format, frames: 2))
        guard case .found(let coder, _) = coders.match(bytes, hint: nil) else {
            throw ImageError(.notAnImage, stage: .decode, "No coder knows it.")
        }
        return try coder.makeDecoder(
            for: format, options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
    }

    static func rope(_ bytes: some Collection<UInt8>, isComplete: Bool = false) -> ByteRope {
        ByteRope(Array(bytes), isComplete: isComplete)
    }

    /// So many bytes are the fewest that hold `frames` frames.
    static func cut(_ bytes: [UInt8], _ format: ImageFormat, frames: Int) throws -> Int {
        let decoder = try decoder(format)
        for count in 0...bytes.count {
            _ = try decoder.read(from: rope(bytes[..<count]))
            if decoder.availableFrameCount >= frames { return count }
        }
        throw ImageError(.truncated, stage: .decode, "The file has not so many frames.")
    }

    static func pixels(_ image: DecodedImage, _ index: Int) throws -> [UInt8] {
        guard case .animated(let clip) = image else { return [] }
        return try clip.blockingFrame(at: index).packedBytes()
    }

    // MARK: Decoders

    @Test(arguments: formats) func `A decoder says which frames have come, and they are those of the whole file`(
        _ format: ImageFormat
    ) throws {
        let bytes = try Self.file(format)
        let whole = try CoderBehaviourTests.decode(ByteRope(bytes))
        #expect(whole.frameCount == 6)
        let decoder = try Self.decoder(format)
        var seen = 0
        for count in 0..<bytes.count {
            _ = try decoder.read(from: Self.rope(bytes[..<count]))
            let now = decoder.availableFrameCount
            #expect(now >= seen && now <= 6)
            if now > seen {
                if now > 1 { #expect(decoder.header?.animation?.delays.count ?? 0 >= now) }
                var buffer = try PixelBuffer(try #require(decoder.outputLayout))
                try decoder.decodeFrame(at: now - 1, into: &buffer)
                let shown = buffer.freeze()
                #expect(try shown.packedBytes() == Self.pixels(whole, now - 1), "frame \(now - 1)")
            }
            seen = now
        }
        // WebP announces frames in portions.
        #expect(seen >= 4)
        _ = try decoder.read(from: Self.rope(bytes, isComplete: true))
        #expect(decoder.availableFrameCount == 6)
    }

    #if WebP
        @Test func `Frames of a WebP file are told of in portions of half as many more`() throws {
            let bytes = try Self.file(.webp, frames: 30)
            let decoder = try Self.decoder(.webp)
            var told: [Int] = []
            for count in 0..<bytes.count {
                _ = try decoder.read(from: Self.rope(bytes[..<count]))
                if told.last != decoder.availableFrameCount { told.append(decoder.availableFrameCount) }
            }
            #expect(told == [0, 1, 2, 3, 4, 6, 9, 13, 19, 28])
        }

        @Test func `The first frame of an animated WebP file is a preview, once`() throws {
            let bytes = try Self.file(.webp)
            let session = PreviewSession(
                decoding: ImageDecoding(coders: AvailableCoders.manager), options: ResolvedDecodeOptions(), playsClips: false)
            let first = try Self.cut(bytes, .webp, frames: 1)
            #expect(session.preview(from: Self.rope(bytes[..<(first - 1)])) == nil)
            let preview = try #require(session.preview(from: Self.rope(bytes[..<first])))
            #expect(!preview.isAnimated && preview.metadata.isPartial)
            #expect(try preview.bitmap.packedBytes() == Self.pixels(CoderBehaviourTests.decode(ByteRope(bytes)), 0))
            #expect(session.preview(from: Self.rope(bytes.dropLast())) == nil)
        }
    #endif

    // MARK: Previews

    // S3-16
    @Test(arguments: formats) func `Previews grow, and one decoder makes all their frames`(_ format: ImageFormat) throws {
        let bytes = try Self.file(format)
        let whole = try CoderBehaviourTests.decode(ByteRope(bytes))
        guard case .found(let base, _) = AvailableCoders.manager.match(ByteRope(bytes), hint: nil) else { return }
        let coder = CountingCoder(base)
        let session = PreviewSession(
            decoding: ImageDecoding(coders: CodersManager([coder])), options: ResolvedDecodeOptions())
        var counts: [Int] = []
        for count in stride(from: 1, to: bytes.count, by: 3) {
            guard let preview = session.preview(from: Self.rope(bytes[..<count])) else { continue }
            #expect(preview.metadata.isPartial && preview.size == Self.size)
            counts.append(preview.frameCount)
            guard case .animated(let clip) = preview else { continue }
            for index in (counts.dropLast().max() ?? 1)..<clip.frameCount {
                #expect(try clip.blockingFrame(at: index).packedBytes() == Self.pixels(whole, index))
            }
        }
        #expect(counts.first == 1 && counts == counts.sorted(), "\(counts)")
        #expect(Set(counts).isSuperset(of: [2, 3, 4]))
        // One for the previews, one for the frames.
        #expect(coder.noted.sessions == 2)
        #expect(coder.noted.frames == Array(0..<(counts.last ?? 0)))
    }

    @Test(arguments: formats) func `Damage behind some frames ends the previews and leaves those frames`(
        _ format: ImageFormat
    ) throws {
        let bytes = try Self.file(format)
        let three = try Self.cut(bytes, format, frames: 3)
        let session = PreviewSession(
            decoding: ImageDecoding(coders: AvailableCoders.manager), options: ResolvedDecodeOptions())
        let preview = try #require(session.preview(from: Self.rope(bytes[..<three])))
        #expect(preview.frameCount == 3)
        let damaged = Array(bytes[..<three]) + Array(repeating: 0xFF, count: bytes.count - three)
        for count in stride(from: three + 1, to: damaged.count, by: 7) {
            #expect((session.preview(from: Self.rope(damaged[..<count]))?.frameCount ?? 3) >= 3)
        }
        for index in 0..<3 { #expect(try Self.pixels(preview, index).count == Self.size.area * 4) }
    }

    @Test(arguments: formats) func `A clip that arrives takes only room that is free, and gives it to those who wait`(
        _ format: ImageFormat
    ) async throws {
        let bytes = try Self.file(format)
        let three = Self.rope(bytes[..<(try Self.cut(bytes, format, frames: 3))])
        let budget = ResourceBudget(capacity: 1 << 20)
        var session: PreviewSession? = PreviewSession(
            decoding: ImageDecoding(coders: AvailableCoders.manager, environment: DecodeEnvironment(budget: budget)),
            options: ResolvedDecodeOptions())
        var others = try budget.reserve(1 << 20)
        #expect(session?.preview(from: three) == nil)
        others = nil
        let preview = try #require(session?.preview(from: three))
        #expect(preview.frameCount == 3)
        #expect(try Self.pixels(preview, 2).count == Self.size.area * 4)
        let waiting = try await budget.reserveWhenFree(1 << 20)
        #expect(waiting.bytes == 1 << 20)
        session = nil
        withExtendedLifetime((others, waiting)) {}
    }

    @Test func `Nothing is held when the last byte has come and nobody plays`() throws {
        for format in Self.formats {
            let bytes = try Self.file(format)
            let budget = ResourceBudget(capacity: 1 << 20)
            var session: PreviewSession? = PreviewSession(
                decoding: ImageDecoding(coders: AvailableCoders.manager, environment: DecodeEnvironment(budget: budget)),
                options: ResolvedDecodeOptions())
            let preview = session?.preview(from: Self.rope(bytes.dropLast()))
            #expect(preview?.isAnimated == true)
            session = nil
            #expect(budget.usedBytes == 0)
            withExtendedLifetime(preview) {}
        }
    }

    @Test func `One frame that was asked for stands still, and who wants a clip gets no still`() throws {
        for format in Self.formats {
            let bytes = try Self.file(format)
            let one = Self.rope(bytes[..<(try Self.cut(bytes, format, frames: 1))])
            let three = Self.rope(bytes[..<(try Self.cut(bytes, format, frames: 3))])
            var options = DecodeOptions()
            options.frames = .first
            let decoding = ImageDecoding(coders: AvailableCoders.manager)
            var session = PreviewSession(decoding: decoding, options: ResolvedDecodeOptions(options))
            #expect(session.preview(from: three)?.isAnimated == false)
            options = DecodeOptions()
            options.requireAnimated = true
            session = PreviewSession(decoding: decoding, options: ResolvedDecodeOptions(options))
            #expect(session.preview(from: one) == nil)
            #expect(session.preview(from: three)?.frameCount == 3)
        }
    }
}
