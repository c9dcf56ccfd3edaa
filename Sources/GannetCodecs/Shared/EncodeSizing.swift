import GannetCore
import GannetKernels

/// The frames that an encoder writes: all or the first, scaled to one size, made on demand.
struct EncodeFrames {
    private let image: DecodedImage
    let size: PixelSize
    let count: Int

    init(_ image: DecodedImage, size: PixelSize, firstOnly: Bool) {
        self.image = image
        self.size = size
        count = firstOnly ? 1 : image.frameCount
    }

    /// 0 is for ever.
    var loopCount: Int { if case .animated(let image) = image { image.loopCount } else { 1 } }

    func delay(_ index: Int) -> Duration { if case .animated(let image) = image { image.delays[index] } else { .zero } }

    /// Frame `index` at ``size``; scaled frames are premultiplied or opaque.
    func bitmap(_ index: Int) throws(ImageError) -> Bitmap {
        let bitmap: Bitmap
        switch image {
        case .still(let still, _): bitmap = still
        case .animated(let animation): bitmap = try animation.blockingFrame(at: index)
        }
        guard bitmap.size != size else { return bitmap }
        return try resample(try premultiplied(bitmap), to: size)
    }

    /// Straight pixels of frame `index`, 0xAABBGGRR.
    func pixels(_ index: Int) throws(ImageError) -> [UInt32] { try bitmap(index).straightPixels() }
}

/// The size limits of ``EncodeOptions``: the largest image and the largest file.
enum EncodeSizing {
    /// Calls `write` with the frames and a quality (0 … 100) until the file is small enough. Tries the requested quality, then
    /// lower ones, then smaller images. Throws `encodeFailed` if none fits.
    static func encode(
        _ image: DecodedImage, options: EncodeOptions, defaultQuality: Int = 100,
        write: (EncodeFrames, _ quality: Int) throws(ImageError) -> [UInt8]
    ) throws(ImageError) -> [UInt8] {
        var size = image.size
        if let largest = options.maximumPixelSize {
            size = TargetSize.fit(largest.width, largest.height).plan(for: size).scaled
        }
        let quality = min(max(options.quality ?? defaultQuality, 0), 100)
        func attempt(_ quality: Int) throws(ImageError) -> [UInt8] {
            try ImageError.checkCancellation(stage: .encode)
            return try write(EncodeFrames(image, size: size, firstOnly: options.firstFrameOnly), quality)
        }
        var bytes = try attempt(quality)
        guard let limit = options.maximumFileSize else { return bytes }
        while bytes.count > limit {
            if let found = try search(below: quality, limit: limit, attempt) { return found }
            guard size.width > 1 || size.height > 1 else {
                throw ImageError(
                    .encodeFailed, stage: .encode,
                    "The image cannot be written in \(limit) bytes; raise maximumFileSize or choose another format.")
            }
            let factor = min(0.7, (Double(limit) / Double(bytes.count)).squareRoot())
            size = PixelSize(clamping: Int(Double(size.width) * factor), Int(Double(size.height) * factor))
            bytes = try attempt(quality)
        }
        return bytes
    }

    /// The file of the best quality below `quality` that fits; nil if none does. At most five attempts.
    private static func search(
        below quality: Int, limit: Int, _ attempt: (Int) throws(ImageError) -> [UInt8]
    ) throws(ImageError) -> [UInt8]? {
        var best: [UInt8]?
        var low = min(10, quality)
        var high = quality - 1
        while low <= high {
            let middle = best == nil && high == quality - 1 ? low : (low + high + 1) / 2
            let bytes = try attempt(middle)
            if bytes.count <= limit {
                best = bytes
                low = middle + 1
            } else {
                guard best != nil else { return nil }
                high = middle - 1
            }
            if high - low < 4, best != nil { break }
        }
        return best
    }
}
