import Foundation
import GannetCore
import GannetTesting
import Testing

/// What `print`, string interpolation and error dialogues show.
@Suite struct DescriptionTests {
    @Test func `Foundation shows the library's own sentence`() {
        let error: any Error = ImageError(.notFound, stage: .load, "There is no file /a.jpg; check the path.")
        #expect(error.localizedDescription == "There is no file /a.jpg; check the path.")
    }

    @Test func `Images print as one line`() throws {
        let bitmap = try TestImages.gradient(width: 24, height: 16)
        let metadata = ImageMetadata(format: .jpeg, originalSize: PixelSize(clamping: 48, 32))
        var partial = metadata
        partial.isPartial = true
        let image = DecodedImage.still(bitmap, metadata)
        #expect("\(bitmap.layout)" == "24×16 rgba8 opaque")
        #expect("\(bitmap)" == "24×16 rgba8 opaque")
        #expect("\(metadata)" == "jpeg, original 48×32")
        #expect("\(partial)" == "jpeg, original 48×32, partial")
        #expect("\(image)" == "24×16 jpeg")
        #expect("\(DecodedImage.still(bitmap, partial))" == "24×16 jpeg, partial")
        #expect("\(TestImages.still(bitmap))" == "24×16")
        #expect("\(LoadedImage(image: image, origin: .network))" == "24×16 jpeg, from network")
        #expect("\(LoadedImage(image: image, origin: .memory, wasJoined: true))" == "24×16 jpeg, from memory, joined")
        #expect("\([LoadedImage(image: image, origin: .disk)])" == "[24×16 jpeg, from disk]")
    }

    @Test func `Animations print with the number of their frames`() throws {
        let poster = try TestImages.gradient(width: 24, height: 16)
        let metadata = ImageMetadata(format: .gif, originalSize: poster.size)
        let animation = AnimatedImage(
            metadata: metadata, poster: poster, loopCount: 0, delays: [.milliseconds(100), .milliseconds(100)],
            source: FrameArray([poster, poster]))
        #expect("\(animation)" == "24×16 gif, 2 frames")
        #expect("\(DecodedImage.animated(animation))" == "24×16 gif, 2 frames")
    }

    @Test func `Bytes print as their number`() {
        let rope = ByteRope([1, 2, 3])
        #expect("\(rope)" == "3 bytes" && "\(ByteRope([1, 2], isComplete: false))" == "2 bytes so far")
        #expect("\(EncodedImage(bytes: rope, format: .png))" == "png, 3 bytes")
        #expect("\(EncodedImage(bytes: rope))" == "unknown format, 3 bytes")
    }

    @Test func `Sources and requests print as one line without secrets`() {
        let source = ImageSource("https://alice:hunter2@example.org/a/b.jpg?token=abc#part")
        #expect("\(source)" == "https://example.org/a/b.jpg?…")
        var request = ImageRequest(source, .fit(400, 300), .priority(.low), .lookup(.cacheOnly))
        #expect("\(request)" == "https://example.org/a/b.jpg?…, fit 400×300, cacheOnly, priority low")
        request.download.credential = .basic(user: "alice", password: "hunter2")
        request.download.headers = HTTPHeaders([("Authorization", "Bearer abc"), ("Cookie", "id=abc")])
        for text in ["\(request)", "\(request.download)", "\(String(reflecting: request))", "\([request])"] {
            #expect(!text.contains("hunter2") && !text.contains("abc") && !text.contains("alice"), "\(text)")
        }
        #expect("\(ImageRequest("a.jpg"))" == "a.jpg")
        #expect("\(TargetSize(.fill, width: 400, height: nil))" == "fill 400×any")
    }
}
