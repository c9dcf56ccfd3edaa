/// Which samples of one axis make each output sample, and with which weights.
struct ResampleWeights {
    /// First input sample of each output sample.
    private(set) var starts: [Int32] = []
    /// Input samples of each output sample, without padding; the window begins with them if it is not padded.
    private(set) var counts: [Int32] = []
    /// 14 fractional bits; each output's add up to exactly 16384. `taps` of them for each output, with zeros at the end or, where
    /// windows are padded, at the start.
    private(set) var fixed: [Int16] = []
    /// The same in floating point.
    private(set) var floats: [Float] = []
    /// Room for weights of each output: the largest count, rounded up to a multiple of 4.
    let taps: Int

    /// - Parameters:
    ///   - extent: Length of the input in input samples; the last sample may stick out of it (`extent` ≤ `count`).
    ///   - count: Number of input samples.
    ///   - outputs: Number of output samples that the whole extent makes.
    ///   - kept: Those of them that are wanted.
    ///   - isPadded: All windows are read in their full length, zeros included, so none may reach past the end.
    init(extent: Double, count: Int, outputs: Int, kept: Range<Int>, filter: ResampleFilter, isPadded: Bool) {
        let scale = extent / Double(outputs)
        var windows: [(start: Int, weights: [Double])] = []
        windows.reserveCapacity(kept.count)
        for index in kept {
            windows.append(
                filter == .area
                    ? Self.coverage(from: Double(index) * scale, to: Double(index + 1) * scale, count: count)
                    : Self.window(centre: (Double(index) + 0.5) * scale, scale: max(scale, 1), count: count, filter: filter))
        }
        self.init(windows, count: count, isPadded: isPadded)
    }

    /// `isPadded`: windows are `taps` long, zeros included, and none reaches past the end of the input, as long as that is not
    /// shorter itself.
    private init(_ windows: [(start: Int, weights: [Double])], count: Int, isPadded: Bool) {
        let longest = windows.reduce(1) { max($0, $1.weights.count) }
        let taps = (longest + 3) & ~3
        self.taps = taps
        starts.reserveCapacity(windows.count)
        counts.reserveCapacity(windows.count)
        fixed.reserveCapacity(windows.count * taps)
        floats.reserveCapacity(windows.count * taps)
        for window in windows {
            let start = isPadded ? max(min(window.start, count - taps), 0) : window.start
            let before = window.start - start
            let behind = taps - before - window.weights.count
            starts.append(Int32(start))
            counts.append(Int32(window.weights.count))
            fixed += repeatElement(0, count: before)
            fixed += Self.quantised(window.weights)
            fixed += repeatElement(0, count: behind)
            floats += repeatElement(0, count: before)
            floats += window.weights.map(Float.init)
            floats += repeatElement(0, count: behind)
        }
    }

    /// The first input sample that any output needs. Zeros at the beginning of a window are left out, so that it need not be the
    /// first output's.
    var first: Int { Int(starts.min() ?? 0) }

    /// Newest input samples that must be kept when they come one by one and outputs are made in order. More than the longest
    /// window where a window ends before its predecessor, which zeros at its end can bring about.
    var depth: Int {
        var end = 0
        var depth = 1
        for index in starts.indices {
            end = max(end, self.end(of: index))
            depth = max(depth, end - Int(starts[index]))
        }
        return depth
    }

    /// One past the last input sample that output `index` needs.
    func end(of index: Int) -> Int { Int(starts[index] + counts[index]) }

    private static func window(
        centre: Double, scale: Double, count: Int, filter: ResampleFilter
    ) -> (start: Int, weights: [Double]) {
        let support = filter.support * scale
        var first = min(max(Int((centre - support + 0.5).rounded(.down)), 0), count - 1)
        let end = max(min(Int((centre + support + 0.5).rounded(.down)), count), first + 1)
        var weights = (first..<end).map { filter.weight((Double($0) + 0.5 - centre) / scale) }
        // Zeros at the ends only cost time.
        while weights.count > 1, let last = weights.last, abs(last) < 1e-9 { weights.removeLast() }
        while weights.count > 1, abs(weights[0]) < 1e-9 {
            weights.removeFirst()
            first += 1
        }
        return normalised(first, weights)
    }

    private static func coverage(from: Double, to: Double, count: Int) -> (start: Int, weights: [Double]) {
        // A border that misses a sample's border by rounding alone is on it.
        let first = min(max(Int((from + 1e-7).rounded(.down)), 0), count - 1)
        let end = max(min(Int((to - 1e-7).rounded(.up)), count), first + 1)
        return normalised(first, (first..<end).map { max(0, min(to, Double($0 + 1)) - max(from, Double($0))) })
    }

    private static func normalised(_ first: Int, _ weights: [Double]) -> (start: Int, weights: [Double]) {
        let sum = weights.reduce(0, +)
        guard abs(sum) > 1e-12 else { return (first, [1] + repeatElement(0, count: weights.count - 1)) }
        return (first, weights.map { $0 / sum })
    }

    /// Rounds the running sum and not each weight, so that the errors of neighbours cancel and the sum is exact.
    private static func quantised(_ weights: [Double]) -> [Int16] {
        var sum = 0.0
        var given = 0
        return weights.map { weight in
            sum += weight * 16384
            let value = Int(sum.rounded()) - given
            given += value
            return Int16(clamping: value)
        }
    }
}
