/// Chooses a palette of up to 256 colours for an image and maps pixels to it.
///
/// Images with few colours keep them all. Others use median cut over a histogram of 15-bit colours. Each box is cut at the
/// mean of its widest axis, and each colour then becomes the mean of its pixels.
package struct ColorQuantizer {
    /// 0xBBGGRR.
    package private(set) var palette: [UInt32]
    private var isExact: Bool
    private var indexOfColor: [UInt32: UInt8] = [:]
    /// Nearest palette index of each 15-bit colour; −1 until computed.
    private var nearest: [Int16] = []
    /// One colour for all that share a 15-bit colour: the mean of its pixels, or its middle where it has none.
    private var representative: [UInt32] = []

    /// `pixels` are 0xAABBGGRR; alpha below 128 is ignored. `limit` is 2 … 256.
    package init(_ pixels: some Sequence<UInt32>, limit: Int) {
        palette = []
        isExact = true
        var histogram: [Bin] = []
        var last: UInt32?
        for pixel in pixels where pixel >> 31 == 1 {
            let color = pixel & 0xFF_FFFF
            if isExact, color != last, indexOfColor[color] == nil {
                if palette.count == limit {
                    isExact = false
                } else {
                    indexOfColor[color] = UInt8(palette.count)
                    palette.append(color)
                }
            }
            last = color
            if histogram.isEmpty { histogram = [Bin](repeating: Bin(), count: 1 << 15) }
            histogram[Self.bin(color)].add(color)
        }
        if !isExact {
            let used = histogram.filter { $0.count > 0 }
            palette = Self.refined(Self.medianCut(used, limit: limit), used)
            indexOfColor = [:]
            nearest = [Int16](repeating: -1, count: 1 << 15)
            representative = histogram.enumerated().map { $1.count > 0 ? $1.color : Self.middle($0) }
        }
    }

    var hasAllColors: Bool { isExact }

    package mutating func index(of color: UInt32) -> UInt8 {
        if isExact { return indexOfColor[color & 0xFF_FFFF] ?? 0 }
        let bin = Self.bin(color)
        if nearest[bin] >= 0 { return UInt8(nearest[bin]) }
        let found = Self.closest(representative[bin], palette)
        nearest[bin] = Int16(found)
        return UInt8(found)
    }

    struct Bin {
        var count = 0
        var red = 0
        var green = 0
        var blue = 0

        mutating func add(_ color: UInt32) {
            count += 1
            red += Int(color & 0xFF)
            green += Int(color >> 8 & 0xFF)
            blue += Int(color >> 16 & 0xFF)
        }

        func mean(_ axis: Int) -> Double { Double(axis == 0 ? red : axis == 1 ? green : blue) / Double(max(count, 1)) }

        var color: UInt32 {
            func channel(_ sum: Int) -> UInt32 { UInt32((sum + count / 2) / max(count, 1)) }
            return channel(red) | channel(green) << 8 | channel(blue) << 16
        }
    }

    private static func bin(_ color: UInt32) -> Int {
        let red: UInt32 = color >> 3 & 0x1F
        let green: UInt32 = color >> 6 & 0x3E0
        let blue: UInt32 = color >> 9 & 0x7C00
        return Int(red | green | blue)
    }

    private static func middle(_ bin: Int) -> UInt32 {
        let bits = UInt32(bin)
        return (bits & 31) << 3 | (bits >> 5 & 31) << 11 | (bits >> 10) << 19 | 0x040404
    }

    private static func closest(_ color: UInt32, _ palette: [UInt32]) -> Int {
        var best = 0
        var smallest = Int.max
        for (index, candidate) in palette.enumerated() {
            let red = Int(color & 0xFF) - Int(candidate & 0xFF)
            let green = Int(color >> 8 & 0xFF) - Int(candidate >> 8 & 0xFF)
            let blue = Int(color >> 16 & 0xFF) - Int(candidate >> 16 & 0xFF)
            // Approximate sensitivity of the eye.
            let distance = 3 * red * red + 6 * green * green + blue * blue
            if distance < smallest {
                smallest = distance
                best = index
            }
        }
        return best
    }

    private struct Box {
        var bins: [Bin]
        var axis = 0
        var mean = 0.0
        /// Weighted spread along the widest axis; 0 for boxes that cannot be cut.
        var spread = 0.0

        init(_ bins: [Bin]) {
            self.bins = bins
            guard bins.count > 1 else { return }
            let total = Double(bins.reduce(0) { $0 + $1.count })
            for (candidate, weight) in [(0, 3.0), (1, 6.0), (2, 1.0)] {
                let average = bins.reduce(0.0) { $0 + $1.mean(candidate) * Double($1.count) } / total
                let variance = bins.reduce(0.0) {
                    let difference = $1.mean(candidate) - average
                    return $0 + difference * difference * Double($1.count)
                }
                if variance * weight > spread {
                    spread = variance * weight
                    axis = candidate
                    mean = average
                }
            }
        }
    }

    private static func medianCut(_ bins: [Bin], limit: Int) -> [UInt32] {
        var boxes = [Box(bins)]
        while boxes.count < limit {
            guard let widest = boxes.indices.max(by: { boxes[$0].spread < boxes[$1].spread }), boxes[widest].spread > 0 else {
                break
            }
            let box = boxes[widest]
            let low = box.bins.filter { $0.mean(box.axis) <= box.mean }
            let high = box.bins.filter { $0.mean(box.axis) > box.mean }
            guard !low.isEmpty, !high.isEmpty else {
                boxes[widest].spread = 0
                continue
            }
            boxes[widest] = Box(low)
            boxes.append(Box(high))
        }
        return boxes.map { box in
            var sum = Bin()
            for bin in box.bins {
                sum.count += bin.count
                sum.red += bin.red
                sum.green += bin.green
                sum.blue += bin.blue
            }
            return sum.color
        }
    }

    /// Moves each colour once to the mean of the bins nearest to it.
    private static func refined(_ palette: [UInt32], _ bins: [Bin]) -> [UInt32] {
        var sums = [Bin](repeating: Bin(), count: palette.count)
        for bin in bins {
            let index = closest(bin.color, palette)
            sums[index].count += bin.count
            sums[index].red += bin.red
            sums[index].green += bin.green
            sums[index].blue += bin.blue
        }
        return zip(palette, sums).map { $1.count > 0 ? $1.color : $0 }
    }
}
