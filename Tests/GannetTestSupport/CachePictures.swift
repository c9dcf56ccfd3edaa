package import GannetCore

/// Small pictures for the tests of caches.
package enum Pictures {
    /// At least `bytes` of memory: rows of 4 pixels (16 bytes).
    package static func bitmap(bytes: Int = 4096, fill: UInt8 = 7) throws -> Bitmap {
        let size = PixelSize(clamping: 4, bytes / 16)
        var buffer = try PixelBuffer(PixelLayout(size: size), pool: PixelPool(maximumIdleBytes: 0))
        buffer.fill(fill)
        return buffer.freeze()
    }

    package static func still(_ bitmap: Bitmap) -> DecodedImage {
        .still(bitmap, ImageMetadata(format: .png, originalSize: bitmap.size))
    }

    package static func picture(bytes: Int = 4096, fill: UInt8 = 7, expiration: CacheExpiration = .standard) throws -> CachedImage
    {
        CachedImage(image: still(try bitmap(bytes: bytes, fill: fill)), expiration: expiration)
    }

    package static func animation(_ frames: [Bitmap]) -> DecodedImage {
        .animated(
            AnimatedImage(
                metadata: ImageMetadata(format: .gif, originalSize: frames[0].size), poster: frames[0], loopCount: 0,
                delays: frames.map { _ in .milliseconds(100) }, source: FrameArray(frames)))
    }
}
