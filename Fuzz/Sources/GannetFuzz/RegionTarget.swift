import GannetCodecs
import GannetCore
@_spi(Fuzzing) import GannetImages

/// Regions of one file, one after the other, with the index that they make of it: `jpeg-regions` and `png-regions`.
///
/// The input is a file as for the format itself; which regions are decoded follows from its bytes.
struct RegionTarget {
    private let decoding: ImageDecoding
    /// Damaged JPEG data have no one meaning: libjpeg-turbo has two decoders for them, and neither is that of the index. Tests compare the
    /// pixels of sound files.
    private let comparesPixels: Bool

    init(_ coder: any ImageCoder) {
        comparesPixels = !coder.formats.contains(.jpeg)
        decoding = ImageDecoding(
            coders: CodersManager([coder]),
            environment: DecodeEnvironment(limits: FuzzTarget.limits, reservableBytes: 64 << 20))
    }

    func run(_ bytes: [UInt8]) {
        let rope = ByteRope(bytes)
        guard let header = try? decoding.header(of: rope), header.size.width > 0, header.size.height > 0 else { return }
        let size = header.displayedSize
        var random = Numbers(bytes)
        var regions = (0..<5).map { _ in random.region(of: size) }
        // Below all others, above them, and one again.
        let left = size.width / 3
        regions.append(PixelRect(x: left, y: size.height - 1, width: min(9, size.width - left), height: 1))
        regions.append(PixelRect(x: size.width - 1, y: 0, width: 1, height: min(9, size.height)))
        regions.append(regions[0])
        let (own, alone) = (outcomes(regions, rope, .original), outcomes(regions, rope, .original, isForgetful: true))
        let whole = comparesPixels ? try? decoding.decode(rope, options: Self.options).bitmap : nil
        for (index, region) in regions.enumerated() {
            for (parts, way) in [(own, "with an index"), (alone, "without one")] {
                if let whole, case .success(let part) = parts[index], Self.part(region, of: whole) != part.packedBytes() {
                    fatalError("The region \(region) decoded \(way) has other pixels than the whole.")
                }
            }
            compare(own[index], alone[index], "the region \(region) decoded alone")
        }
        let small = DecodeTarget.size(.fit(9, 7))
        for (one, other) in zip(outcomes(regions, rope, small), outcomes(regions, rope, small, isForgetful: true)) {
            compare(one, other, "a smaller region decoded alone")
        }
    }

    private static let options: ResolvedDecodeOptions = {
        var options = ResolvedDecodeOptions()
        options.limits = FuzzTarget.limits
        return options
    }()

    private func outcomes(_ regions: [PixelRect], _ rope: ByteRope, _ target: DecodeTarget, isForgetful: Bool = false)
        -> [Result<Bitmap, ImageError>]
    {
        decoding.regions(regions, of: rope, at: target, isForgetful: isForgetful).map { $0.map(\.bitmap) }
    }

    private func compare(_ own: Result<Bitmap, ImageError>, _ other: Result<Bitmap, ImageError>, _ what: String) {
        switch (own, other) {
        case (.success(let own), .success(let other)):
            guard own.layout == other.layout, !comparesPixels || own.packedBytes() == other.packedBytes() else {
                fatalError("Other pixels than \(what).")
            }
        case (.failure(let error), .failure):
            guard error.code != .misuse else { fatalError("A right use throws \(error)") }
        case (.failure(let error), .success), (.success, .failure(let error)):
            guard comparesPixels || error.code == .misuse else { return }
            fatalError("Another outcome than \(what): \(error)")
        }
    }

    private static func part(_ region: PixelRect, of whole: Bitmap) -> [UInt8] {
        let (bytes, pixel) = (whole.packedBytes(), whole.layout.format.bytesPerPixel)
        return (region.y..<region.y + region.height).flatMap { y in
            let first = (y * whole.width + region.x) * pixel
            return bytes[first..<first + region.width * pixel]
        }
    }
}

/// Numbers that follow from the bytes of an input.
private struct Numbers {
    private var state: UInt64 = 14_695_981_039_346_656_037

    init(_ bytes: [UInt8]) { for byte in bytes { state = (state ^ UInt64(byte)) &* 1_099_511_628_211 } }

    mutating func region(of size: PixelSize) -> PixelRect {
        let (x, y) = (number(below: size.width), number(below: size.height))
        return PixelRect(
            x: x, y: y, width: 1 + number(below: size.width - x), height: 1 + number(below: size.height - y))
    }

    private mutating func number(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
}
