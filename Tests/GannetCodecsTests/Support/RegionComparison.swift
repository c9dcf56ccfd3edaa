import GannetCore
import GannetImages
import GannetKernels
import GannetTesting
import Testing

/// A region, decoded, beside the same part of the whole image.
struct RegionComparison {
    var decoding = ImageDecoding(coders: AvailableCoders.manager)
    var options = ResolvedDecodeOptions()

    func whole(_ file: [UInt8]) throws -> DecodedImage { try decoding.decode(ByteRope(file), options: options) }

    func region(_ part: PixelRect, of file: [UInt8], at target: DecodeTarget = .original) throws -> DecodedImage {
        var options = options
        (options.region, options.target) = (part, target)
        return try decoding.decode(ByteRope(file), options: options)
    }

    /// The regions in which some byte is another one.
    func differences(_ file: [UInt8], _ parts: [PixelRect]) throws -> [String] {
        let whole = try whole(file).bitmap
        return try parts.compactMap { part in
            let (own, wanted) = (try region(part, of: file).bitmap, try cropped(whole, to: part))
            let isSame = own.layout == wanted.layout && own.packedBytes() == wanted.packedBytes()
            return isSame ? nil : "\(part)"
        }
    }

    /// At the edges, in the middle, of one pixel, reaching out of the image, and all of it; and some at random.
    static func parts(of size: PixelSize, random count: Int = 6, seed: UInt64 = 1) -> [PixelRect] {
        let (width, height) = (size.width, size.height)
        var parts = [
            PixelRect(x: 0, y: 0, width: width, height: height), PixelRect(x: 0, y: 0, width: 1, height: 1),
            PixelRect(x: width - 1, y: height - 1, width: 1, height: 1),
            PixelRect(x: width / 2, y: 0, width: width, height: height / 3 + 1),
            PixelRect(x: -5, y: height / 2, width: width / 2 + 6, height: height),
            PixelRect(x: width / 3, y: height / 3, width: width / 3 + 1, height: height / 3 + 1),
        ]
        var random = SeededGenerator(seed: seed)
        for _ in 0..<count {
            let (x, y) = (Int.random(in: 0..<width, using: &random), Int.random(in: 0..<height, using: &random))
            parts.append(
                PixelRect(
                    x: x, y: y, width: Int.random(in: 1...width - x, using: &random),
                    height: Int.random(in: 1...height - y, using: &random)))
        }
        return parts
    }
}
