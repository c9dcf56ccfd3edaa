public import GannetCore

/// Drawn images for tests: the same pixels on every machine, small by default, free of rights.
public enum TestImages {
    /// A smooth gradient over the whole image: red to the right, green downwards, blue along the diagonal. Opaque.
    public static func gradient(width: Int = 24, height: Int = 16) throws(ImageError) -> Bitmap {
        try draw(width: width, height: height, alpha: .opaque) { x, y in
            let red = x * 255 / max(width - 1, 1)
            let green = y * 255 / max(height - 1, 1)
            return pixel(red, green, (red + green) / 2, 255)
        }
    }

    /// Soft discs of pure colours on a clear background, with every alpha from 0 to 255. Premultiplied.
    public static func discs(width: Int = 24, height: Int = 16) throws(ImageError) -> Bitmap {
        try draw(width: width, height: height, alpha: .premultiplied) { x, y in
            let dx = Double(x * 2 - width) / Double(width)
            let dy = Double(y * 2 - height) / Double(height)
            let alpha = Int(max(0, min(1, 1.3 - 1.4 * (dx * dx + dy * dy).squareRoot())) * 255)
            return pixel(x < width / 2 ? alpha : 0, y < height / 2 ? alpha : 0, alpha / 2, alpha)
        }
    }

    /// Random bytes, which are incompressible. Opaque.
    public static func noise(width: Int = 24, height: Int = 16, seed: UInt64 = 1) throws(ImageError) -> Bitmap {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return try draw(width: width, height: height, alpha: .opaque) { _, _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt32(truncatingIfNeeded: state >> 20) | 0xFF00_0000
        }
    }

    /// Flat areas of eight colours with hard edges, like screenshots and palettes. Opaque, or with a clear stripe.
    public static func flat(width: Int = 24, height: Int = 16, isOpaque: Bool = true) throws(ImageError) -> Bitmap {
        try draw(width: width, height: height, alpha: isOpaque ? .opaque : .premultiplied) { x, y in
            let field = x * 4 / width + y * 2 / height * 4
            if !isOpaque, field % 4 == 1 { return 0 }
            return pixel(field & 1 * 255, field >> 1 & 1 * 255, field >> 2 & 1 * 255, 255)
        }
    }

    /// A block that moves over a gradient, one step a frame, with varying delays.
    ///
    /// - Parameter clears: leaves out the gradient, so that pixels become clear from frame to frame.
    public static func animation(
        width: Int = 24, height: Int = 16, frames: Int = 4, loopCount: Int = 0, clears: Bool = false
    ) throws(ImageError) -> AnimatedImage {
        var bitmaps: [Bitmap] = []
        for frame in 0..<frames {
            bitmaps.append(
                try draw(width: width, height: height, alpha: clears ? .premultiplied : .opaque) { x, y in
                    let left = frame * width / max(frames, 1)
                    if (left..<left + width / 4).contains(x), (height / 4..<height * 3 / 4).contains(y) {
                        return pixel(255, frame * 255 / max(frames, 1), 0, 255)
                    }
                    return clears ? 0 : pixel(x * 7 % 256 / 16 * 16, y * 11 % 256 / 16 * 16, 128, 255)
                })
        }
        return AnimatedImage(
            metadata: ImageMetadata(format: nil, originalSize: PixelSize(clamping: width, height)), poster: bitmaps[0],
            loopCount: loopCount, delays: (0..<frames).map { .milliseconds(50 + 10 * $0) }, source: FrameArray(bitmaps))
    }

    /// Light of 0.03 to 4,000 cd/m² to the right, in high range: grey above, orange below. Opaque.
    package static func highRange(width: Int = 24, height: Int = 16) throws(ImageError) -> Bitmap {
        var layout = PixelLayout(size: PixelSize(clamping: width, height), format: .rgba16, alpha: .opaque)
        layout.dynamicRange = .high
        var buffer = try PixelBuffer(layout)
        for y in 0..<height {
            var row = buffer.mutableRow(y)
            for x in 0..<width {
                let level = 6_000 + x * 53_000 / max(width, 1)
                for (channel, loss) in [0, 2_000, 5_000].enumerated() {
                    let sample = level - loss * y / max(height, 1)
                    (row[8 * x + 2 * channel], row[8 * x + 2 * channel + 1]) = (UInt8(sample & 255), UInt8(sample >> 8))
                }
                (row[8 * x + 6], row[8 * x + 7]) = (255, 255)
            }
        }
        return buffer.freeze()
    }

    /// A still image for coders.
    public static func still(_ bitmap: Bitmap) -> DecodedImage {
        .still(bitmap, ImageMetadata(format: nil, originalSize: bitmap.size))
    }

    /// An `rgba8` image from a function of the coordinates; red in the lowest byte.
    public static func draw(
        width: Int, height: Int, alpha: AlphaMode, _ color: (_ x: Int, _ y: Int) -> UInt32
    ) throws(ImageError) -> Bitmap {
        var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height), alpha: alpha))
        for y in 0..<height {
            var row = buffer.mutablePixels(y)
            for x in 0..<width { row[x] = color(x, y) }
        }
        return buffer.freeze()
    }

    private static func pixel(_ red: Int, _ green: Int, _ blue: Int, _ alpha: Int) -> UInt32 {
        func channel(_ value: Int) -> UInt32 { UInt32(max(0, min(255, value))) }
        return channel(red) | channel(green) << 8 | channel(blue) << 16 | channel(alpha) << 24
    }
}
