import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import Synchronization
import Testing

/// Frames that count how often they were requested.
private final class CountedFrames: FrameSource {
    let frames: [Bitmap]
    let asked = Mutex<[Int]>([])

    init(_ frames: [Bitmap]) { self.frames = frames }

    func frame(at index: Int) throws(ImageError) -> Bitmap {
        asked.withLock { $0.append(index) }
        return frames[index]
    }

    var byteCount: Int { 7 }
}

@Suite("Animations, transformed")  // TR-18, AN-26
struct AnimatedTransformTests {
    private func animation() throws -> (AnimatedImage, CountedFrames) {
        let frames = try [PixelColor.red, .green, .blue].map { color throws(ImageError) in try Drawing.flat(8, 6, color) }
        let source = CountedFrames(frames)
        let image = AnimatedImage(
            metadata: ImageMetadata(format: .gif, originalSize: frames[0].size), poster: frames[0], loopCount: 3,
            delays: [.milliseconds(10), .milliseconds(200), .milliseconds(70)], source: source)
        return (image, source)
    }

    // testAnimationTransformerWorks
    // MG-18, TR-18
    @Test("frame by frame, when they are asked for; times and loops stay")
    func lazily() throws {
        let (image, source) = try animation()
        let result = try DecodedImage.animated(image).resized(.stretch(4, 2)).inverted()
        #expect(source.asked.withLock { $0 } == [])
        guard case .animated(let small) = result else {
            Issue.record("no longer an animation")
            return
        }
        #expect(small.size == PixelSize(clamping: 4, 2) && small.frameCount == 3 && small.loopCount == 3)
        #expect(small.delays == image.delays && small.metadata.format == .gif)
        #expect(small.poster.color(atX: 0, y: 0) == PixelColor(red: 0, green: 255, blue: 255))
        #expect(try small.blockingFrame(at: 2).color(atX: 3, y: 1) == PixelColor(red: 255, green: 255, blue: 0))
        #expect(source.asked.withLock { $0 } == [2])
    }

    @Test("the transformer is told which frame it has")
    func frameNumbers() throws {
        let (image, _) = try animation()
        let marked = try DecodedImage.animated(image).transformed(
            by: .custom("mark") { bitmap, context throws(ImageError) in try Drawing.flat(context.frame + 1, 1, .white) })
        guard case .animated(let result) = marked else { return }
        #expect(try (0..<3).map { try result.blockingFrame(at: $0).width } == [1, 2, 3])
    }

    // OP-09, OP-23
    @Test("animations and drawings are left out where the scope says so")
    func scope() throws {
        let (image, _) = try animation()
        let context = TransformContext(metadata: image.metadata)
        let kept = try DecodedImage.animated(image).transformed(by: [.grayscale], context: context, scope: [])
        #expect(kept.bitmap.identity == image.poster.identity)
        var metadata = image.metadata
        metadata.isVector = true
        let drawing = DecodedImage.still(image.poster, metadata)
        #expect(
            try drawing.transformed(by: [.grayscale], context: context, scope: [.animated]).bitmap.identity
                == image.poster.identity)
        #expect(try drawing.transformed(by: [.grayscale], context: context).bitmap.identity != image.poster.identity)
    }

    // AN-01
    @Test("a loaded picture loses the bytes it came from")
    func loaded() throws {
        let picture = try Drawing.flat(3, 3, .red)
        let loaded = LoadedImage(
            image: .still(picture, ImageMetadata(format: .png, originalSize: picture.size)), origin: .memory)
        let result = try loaded.rotated(degrees: 90)
        #expect(result.encoded == nil && result.origin == .memory && result.color(atX: 1, y: 1) == .red)
    }
}
