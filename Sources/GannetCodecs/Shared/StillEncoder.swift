import GannetCore
import GannetKernels

/// The session of a lossless still format without its own options: shrinks as requested, and passes straight or opaque pixels
/// to `write`. Of animations, only the first frame is written.
final class StillEncoder: ImageEncoder {
    private let options: EncodeOptions
    private let write: (Bitmap) throws(ImageError) -> [UInt8]

    init(_ options: EncodeOptions, _ write: @escaping (Bitmap) throws(ImageError) -> [UInt8]) {
        self.options = options
        self.write = write
    }

    func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8] {
        let bitmap = try EncodePreparation.fitted(image.bitmap, into: options.maximumPixelSize)
        guard let limit = options.maximumFileSize else { return try write(try unpremultiplied(bitmap)) }
        // Without a quality to lower, only smaller images make smaller files.
        return try EncodePreparation.smallEnough(bitmap, quality: 0, limit: limit) { (bitmap, _) throws(ImageError) in
            let file = try self.write(try unpremultiplied(bitmap))
            return file.count <= limit ? file : nil
        }
    }
}
