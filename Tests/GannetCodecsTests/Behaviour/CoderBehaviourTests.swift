import GannetCodecs
import GannetCore
import GannetImages
import GannetTesting
import Testing

/// The behaviours that SDWebImage's coder tests check, under their names, with drawn images.
/// Names that speak of Apple's frameworks alone have no counterpart: test17 (PDF), test20, test28, test32 … test34 (HDR).
@Suite("Behaviour of coders, by the names of SDWebImage's tests") struct CoderBehaviourTests {
    static let decoding = ImageDecoding(coders: AvailableCoders.manager)
    static let encoding = ImageEncoding(coders: AvailableCoders.manager)

    static func decode(_ bytes: ByteRope, _ change: (inout DecodeOptions) -> Void = { _ in }) throws -> DecodedImage {
        var options = DecodeOptions()
        change(&options)
        return try decoding.decode(bytes, options: ResolvedDecodeOptions(options))
    }

    static func encode(_ image: DecodedImage, _ options: EncodeOptions) throws -> ByteRope {
        try encoding.encode(image, options: options).bytes
    }

    static func canWrite(_ format: ImageFormat) -> Bool {
        (try? AvailableCoders.manager.encoder(for: format, options: EncodeOptions())) != nil
    }

    /// Formats of this build that are written too, and those of them that move.
    static let written = [
        ImageFormat.jpeg, .png, .gif, .webp, .bmp, .heic, .avif, .jxl, .tiff, .qoi,
    ].filter(canWrite)
    static let moving = [ImageFormat.png, .gif, .webp, .avif, .jxl].filter(canWrite)

    @Test func test01ThatDecodedImageWithNilImageReturnsNil() {
        #expect(throws: ImageError.self) { try Self.decode(ByteRope([])) }
    }

    // OP-18, CX-08
    @Test("test02, 04, 05: pictures are ready to draw and keep their size", arguments: written)
    func readyToDraw(format: ImageFormat) throws {
        let pictures = [
            try TestImages.gradient(width: 31, height: 17), try TestImages.flat(width: 31, height: 17, isOpaque: false),
            try TestImages.draw(width: 31, height: 17, alpha: .opaque) { x, y in 0xFF00_0000 | UInt32((x + y) * 4) * 0x010101 },
        ]
        for picture in pictures {
            let image = try Self.decode(try Self.encode(TestImages.still(picture), EncodeOptions(format: format)))
            #expect(image.size == PixelSize(width: 31, height: 17))
            #expect(image.bitmap.packedBytes().count == 31 * 17 * 4)
        }
    }

    @Test("test03: animations stay animations", arguments: moving)
    func animated(format: ImageFormat) throws {
        let bytes = try Self.encode(.animated(try TestImages.animation(frames: 3)), EncodeOptions(format: format))
        guard case .animated(let animation) = try Self.decode(bytes) else {
            Issue.record("\(format) became a still picture")
            return
        }
        #expect(animation.frameCount == 3)
    }

    @Test("test06, 07: over a limit of bytes the picture gets smaller, under it not at all", arguments: written)
    func scaledDown(format: ImageFormat) throws {  // CX-14
        let bytes = try Self.encode(
            TestImages.still(try TestImages.gradient(width: 60, height: 40)), EncodeOptions(format: format))
        let small = try Self.decode(bytes) { $0.scaleDownToBytes = 60 * 40 }
        #expect(small.size.width < 60 && small.size.height < 40)
        #expect(small.bitmap.packedBytes().count <= 60 * 40)
        #expect(try Self.decode(bytes) { $0.scaleDownToBytes = 60 * 40 * 4 }.size == PixelSize(width: 60, height: 40))
        #expect(try Self.decode(bytes) { $0.scaleDownToBytes = 1 }.size == PixelSize(width: 1, height: 1))
    }

    @Test("test10: frames that are preloaded are there", arguments: moving)
    func preloaded(format: ImageFormat) async throws {
        let bytes = try Self.encode(.animated(try TestImages.animation(frames: 3)), EncodeOptions(format: format))
        guard case .animated(let animation) = try Self.decode(bytes, { $0.frames = .preloaded }) else {
            Issue.record("\(format) became a still picture")
            return
        }
        let first = try animation.blockingFrame(at: 2)
        #expect(first.packedBytes() == (try animation.blockingFrame(at: 2)).packedBytes())
    }

    @Test("frames without a delay stay frames", arguments: moving)
    func withoutDelays(format: ImageFormat) throws {
        let picture = try TestImages.animation(frames: 3)
        let frames = try (0..<3).map { try picture.blockingFrame(at: $0) }
        let hasty = AnimatedImage(
            metadata: picture.metadata, poster: frames[0], loopCount: 0, delays: Array(repeating: .zero, count: 3),
            source: FrameArray(frames))
        guard case .animated(let animation) = try Self.decode(Self.encode(.animated(hasty), EncodeOptions(format: format))) else {
            Issue.record("\(format) became a still picture")
            return
        }
        #expect(animation.frameCount == 3)
    }

    @Test("an animation that gave its decoder back makes the same frames again", arguments: moving)
    func rested(format: ImageFormat) throws {
        let bytes = try Self.encode(.animated(try TestImages.animation(frames: 3)), EncodeOptions(format: format))
        guard case .animated(let animation) = try Self.decode(bytes) else {
            Issue.record("\(format) became a still picture")
            return
        }
        let frames = try (0..<3).map { try animation.blockingFrame(at: $0).packedBytes() }
        #expect(Set(frames).count == 3)
        for index in [2, 1, 2, 0] {
            animation.source.rest()
            #expect(try animation.blockingFrame(at: index).packedBytes() == frames[index])
        }
    }

    /// test11 … test19, test25: recognised, decoded, proportional thumbnail, size and frame count in the header, written, read
    /// again.
    @Test("test11 … 19, 25: every format goes its whole way", arguments: written)
    func wholeWay(format: ImageFormat) throws {
        let picture = try TestImages.gradient(width: 120, height: 80)
        let bytes = try Self.encode(TestImages.still(picture), EncodeOptions(format: format, quality: 90))
        #expect(AvailableCoders.manager.format(of: bytes) == format)
        let header = try Self.decoding.header(of: bytes)
        #expect(header.size == picture.size)
        #expect(header.frameCount == 1)
        let image = try Self.decode(bytes)
        #expect(image.metadata.format == format)
        #expect(try #require(ImageDifference(image.bitmap, picture)).peakSignalToNoise > 25)
        let thumbnail = try Self.decode(bytes) { $0.target = .size(.fit(100, 100)) }
        #expect(thumbnail.size == PixelSize(width: 100, height: 67))
        #expect(thumbnail.metadata.originalSize == picture.size)
        let again = try Self.decode(try Self.encode(image, EncodeOptions(quality: 90)))
        #expect(again.metadata.format == format)
        #expect(again.size == picture.size)
    }

    @Test("test11, 12, 16, 19: animations keep frames, delays and loops", arguments: moving)
    func wholeWayOfAnimations(format: ImageFormat) throws {
        let source = try TestImages.animation(frames: 4)
        let bytes = try Self.encode(.animated(source), EncodeOptions(format: format))
        guard case .animated(let animation) = try Self.decode(bytes) else {
            Issue.record("\(format) became a still picture")
            return
        }
        #expect(animation.frameCount == 4)
        #expect(animation.delays == source.delays)
        #expect(animation.loopCount == source.loopCount)
        guard case .still = try Self.decode(bytes, { $0.frames = .first }) else {
            Issue.record("the first frame alone of \(format) moves")
            return
        }
        let first = try Self.encode(.animated(source), EncodeOptions(format: format, firstFrameOnly: true))
        #expect(try Self.decoding.header(of: first).frameCount == 1)
    }

    @Test func test22ThatThumbnailDecodeCalculation() {
        let plan = TargetSize.fit(400, 300).plan(for: PixelSize(clamping: 5250, 3450))
        #expect(plan.output == PixelSize(width: 400, height: 263))
    }

    @Test func test23ThatThumbnailEncodeCalculation() {
        let plan = TargetSize.fit(4000, 4000).plan(for: PixelSize(clamping: 5250, 3450))
        #expect(plan.output == PixelSize(width: 4000, height: 2629))
    }

    @Test func test24ThatScaleSizeCalculation() {  // CD-32
        let size = PixelSize(clamping: 100, 200)
        func result(_ mode: TargetSize.Mode, _ side: Int, _ allowsUpscaling: Bool) -> PixelSize {
            TargetSize(mode, width: side, height: side, allowsUpscaling: allowsUpscaling).plan(for: size).output
        }
        for allowsUpscaling in [false, true] { #expect(result(.fit, 150, allowsUpscaling) == PixelSize(width: 75, height: 150)) }
        #expect(result(.fit, 300, false) == size)
        #expect(result(.fit, 300, true) == PixelSize(width: 150, height: 300))
        #expect(result(.stretch, 150, false) == PixelSize(width: 100, height: 150))
        #expect(result(.stretch, 150, true) == PixelSize(width: 150, height: 150))
        // A target without sides is the original.
        #expect(TargetSize(.fit, width: nil, height: nil).plan(for: size).output == size)
    }

    @Test func test15ThatCodersManagerWorks() {  // CD-20, CD-21
        let manager = CodersManager()
        let (first, second) = (FakeImageCoder(identifier: "a"), FakeImageCoder(identifier: "b"))
        manager.add(first)
        manager.add(second)
        #expect(manager.coders.map(\.identifier) == ["a", "b"])
        manager.remove(identifier: "a")
        #expect(manager.coders.map(\.identifier) == ["b"])
        manager.replaceAll(with: [first])
        #expect(manager.coders.map(\.identifier) == ["a"])
    }
}
