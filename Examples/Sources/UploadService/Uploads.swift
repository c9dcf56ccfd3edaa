import FoundationEssentials
import Gannet

/// Answers an uploaded image with its thumbnail. Knows nothing of sockets.
struct Uploads: Sendable {
    struct Answer: Sendable {
        var status: Int
        var type = "text/plain; charset=utf-8"
        var body: [UInt8] = []
    }

    let manager: ImageManager
    var limits = DecodeLimits(maximumPixels: 40_000_000, maximumEncodedBytes: 16 << 20, maximumDecodeTime: .seconds(5))
    /// Bytes of an upload.
    var maximumBytes: Int { limits.maximumEncodedBytes }

    /// Uploads are private, so this manager keeps nothing in memory or on disk.
    static func manager() throws(ImageError) -> ImageManager {
        var options = StandardOptions()
        options.cacheDirectory = nil
        options.keepsInMemory = false
        return ImageManager(configuration: try .standard(options))
    }

    func thumbnail(of upload: [UInt8]) async -> Answer {
        // A new identifier for each upload: two uploads never share a load.
        var request = ImageRequest(.data(upload, identifier: UUID().uuidString), .fit(320, 320), .firstFrameOnly)
        request.decode.limits = limits
        do {
            let loaded = try await manager.image(for: request)
            let isOpaque = loaded.bitmap.layout.alpha == .opaque
            let options = EncodeOptions(format: isOpaque ? .jpeg : .png)
            let bytes = try await loaded.image.encoded(options).bytes.contiguous()
            return Answer(status: 200, type: isOpaque ? "image/jpeg" : "image/png", body: bytes)
        } catch {
            return Self.refusal(error)
        }
    }

    /// In words for whoever sent the image. Those of the error are advice for you: they name options of this program, and belong into its
    /// log.
    private static func refusal(_ error: ImageError) -> Answer {
        let (status, words): (Int, String) =
            switch error.code {
            case .limitExceeded: (413, "This image is larger than the service takes.")
            case .notAnImage, .unsupported, .corrupt, .truncated, .empty: (415, "This is no image that the service can read.")
            case .cancelled: (503, "The service ends; try again later.")
            default: (500, "The image could not be made smaller.")
            }
        return Answer(status: status, body: Array((words + "\n").utf8))
    }
}
