import Gannet
import GannetGTK

/// A source that draws rings, whose colours and centre depend on a number. An example of a custom data provider.
struct DrawnPicture: ImageDataProvider {
    let number: Int

    var cacheKey: String { "rings-\(number)" }

    static func wall(count: Int) -> [GalleryItem] {
        (0..<count).map { GalleryItem(ImageRequest(source: .provider(DrawnPicture(number: $0))), name: "Rings \($0 + 1)") }
    }

    func data() async throws(ImageError) -> [UInt8] {
        let side = 256
        var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: side, side), alpha: .opaque))
        let (cx, cy) = (Double(number * 37 % side), Double(number * 61 % side))
        let hue = Double(number % 24) / 24
        for y in 0..<side {
            var row = buffer.mutableRow(y)
            for x in 0..<side {
                let dx = Double(x) - cx
                let dy = Double(y) - cy
                let distance = (dx * dx + dy * dy).squareRoot()
                let ring = Int(distance / Double(14 + number % 11))
                let light = 0.45 + 0.4 * Double(ring % 5) / 4
                for channel in 0..<3 {
                    let phase = (hue + Double(channel) / 3).truncatingRemainder(dividingBy: 1)
                    row[x * 4 + channel] = UInt8(255 * light * (0.4 + 0.6 * abs(2 * phase - 1)))
                }
                row[x * 4 + 3] = 255
            }
        }
        let bitmap = buffer.freeze()
        return try DecodedImage.still(bitmap, ImageMetadata(format: nil, originalSize: bitmap.size))
            .blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()
    }
}
