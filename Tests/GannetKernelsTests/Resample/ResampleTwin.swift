import GannetCore
import Glibc

@testable import GannetKernels

/// The reference for resampling, in doubles and without optimisation: weights by distance, normalised at the edges.
func resampleTwin(_ bitmap: Bitmap, to size: PixelSize, filter: ResampleFilter) throws(ImageError) -> Bitmap {
    let columns = twinWeights(bitmap.width, size.width, filter)
    let rows = twinWeights(bitmap.height, size.height, filter)
    func value(_ x: Int, _ y: Int) -> [Int] {
        var sum = [0.0, 0.0, 0.0, 0.0]
        for (sourceY, weightY) in rows[y] {
            for (sourceX, weightX) in columns[x] {
                let pixel = bitmap.pixel(sourceX, sourceY)
                for channel in 0..<4 { sum[channel] += Double(pixel[channel]) * weightX * weightY }
            }
        }
        let top = bitmap.layout.format == .rgba8 ? 255.0 : 65535.0
        let alpha = min(max(sum[3].rounded(), 0), top)
        return sum[0..<3].map { Int(min(max($0.rounded(), 0), alpha)) } + [Int(alpha)]
    }
    if bitmap.layout.format == .rgba8 {
        return try Picture.make(size.width, size.height) { x, y in value(x, y).map { UInt8($0) } }
    }
    return try Picture.make16(size.width, size.height) { x, y in value(x, y).map { UInt16($0) } }
}

private func twinWeights(_ from: Int, _ to: Int, _ filter: ResampleFilter) -> [[(Int, Double)]] {
    let scale = Double(from) / Double(to)
    let filter = from == to ? .area : filter == .automatic ? (from < to ? ResampleFilter.catmullRom : .lanczos3) : filter
    return (0..<to).map { index in
        let centre = (Double(index) + 0.5) * scale
        var weights = (0..<from).map { source -> (Int, Double) in
            if filter == .area {
                let left = max(Double(source), Double(index) * scale)
                let right = min(Double(source + 1), Double(index + 1) * scale)
                return (source, max(0, right - left))
            }
            let distance = (Double(source) + 0.5 - centre) / max(scale, 1)
            return (source, abs(distance) <= filter.support ? filter.weight(distance) : 0)
        }
        let sum = weights.reduce(0) { $0 + $1.1 }
        weights = weights.map { ($0.0, $0.1 / sum) }
        return weights.filter { $0.1 != 0 }
    }
}
