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
    ///   - origin: Where the input begins in its first sample.
    ///   - extent: Length of the input in input samples; the last sample may stick out of it (`origin` + `extent` ≤ `count`).
    ///   - count: Number of input samples.
    ///   - outputs: Number of output samples that the whole extent makes.
    ///   - kept: Those of them that are wanted.
    ///   - isPadded: All windows are read in their full length, zeros included, so none may reach past the end.
    init(
        from origin: Double = 0, extent: Double, count: Int, outputs: Int, kept: Range<Int>, filter: ResampleFilter,
        isPadded: Bool
    ) {
        let scale = extent / Double(outputs)
        var windows = Windows()
        windows.reserve(kept.count, weightsOfEach: Int(2 * filter.support * max(scale, 1)) + 2)
        for index in kept {
            if filter == .area {
                windows.cover(from: origin + Double(index) * scale, to: origin + Double(index + 1) * scale, count: count)
            } else {
                windows.centre(
                    origin + (Double(index) + 0.5) * scale, scale: max(scale, 1), count: count, first: 1 - origin,
                    last: origin + extent - Double(count - 1), filter: filter)
            }
        }
        self.init(windows, count: count, isPadded: isPadded)
    }

    /// `isPadded`: windows are `taps` long, zeros included, and none reaches past the end of the input, as long as that is not
    /// shorter itself.
    private init(_ windows: Windows, count: Int, isPadded: Bool) {
        let taps = ((windows.counts.max() ?? 1) + 3) & ~3
        self.taps = taps
        counts = windows.counts.map(Int32.init)
        starts.reserveCapacity(windows.counts.count)
        fixed = Array(repeating: 0, count: windows.counts.count * taps)
        floats = Array(repeating: 0, count: windows.counts.count * taps)
        var next = 0
        for (index, length) in windows.counts.enumerated() {
            let first = windows.starts[index]
            let start = isPadded ? max(min(first, count - taps), 0) : first
            starts.append(Int32(start))
            let place = index * taps + first - start
            // The running sum is rounded and not each weight, so that the errors of neighbours cancel and the sum is exact.
            var sum = 0.0
            var given = 0
            for tap in 0..<length {
                let weight = windows.weights[next + tap]
                sum += weight * 16384
                // Rounds sums that are a little negative too, without a call.
                let value = Int(sum + 32768.5) - 32768 - given
                given += value
                fixed[place + tap] = Int16(clamping: value)
                floats[place + tap] = Float(weight)
            }
            next += length
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

    /// The weights of all outputs, one after the other in one array: an array for each would cost more than the arithmetic.
    private struct Windows {
        private(set) var starts: [Int] = []
        private(set) var counts: [Int] = []
        private(set) var weights: [Double] = []

        mutating func reserve(_ outputs: Int, weightsOfEach: Int) {
            starts.reserveCapacity(outputs)
            counts.reserveCapacity(outputs)
            weights.reserveCapacity(outputs * weightsOfEach)
        }

        /// `head`, `last`: how much of the first and of the last sample lies within the input: they weigh as much less.
        mutating func centre(
            _ centre: Double, scale: Double, count: Int, first head: Double, last: Double, filter: ResampleFilter
        ) {
            let support = filter.support * scale
            var first = min(max(Int((centre - support + 0.5).rounded(.down)), 0), count - 1)
            let end = max(min(Int((centre + support + 0.5).rounded(.down)), count), first + 1)
            let begin = weights.count
            if filter.isLanczos {
                filter.appendLanczos(
                    from: (Double(first) + 0.5 - centre) / scale, step: 1 / scale, count: end - first, to: &weights)
            } else {
                for sample in first..<end { weights.append(filter.weight((Double(sample) + 0.5 - centre) / scale)) }
            }
            if first == 0, head < 1 { weights[begin] *= head }
            if end == count, last < 1 { weights[weights.count - 1] *= last }
            // Zeros at the ends only cost time.
            while weights.count - begin > 1, let last = weights.last, abs(last) < 1e-9 { weights.removeLast() }
            while weights.count - begin > 1, abs(weights[begin]) < 1e-9 {
                weights.remove(at: begin)
                first += 1
            }
            finish(first, begin)
        }

        mutating func cover(from: Double, to: Double, count: Int) {
            // A border that misses a sample's border by rounding alone is on it.
            let first = min(max(Int((from + 1e-7).rounded(.down)), 0), count - 1)
            let end = max(min(Int((to - 1e-7).rounded(.up)), count), first + 1)
            let begin = weights.count
            for sample in first..<end { weights.append(max(0, min(to, Double(sample + 1)) - max(from, Double(sample)))) }
            finish(first, begin)
        }

        /// The window that begins at `begin` adds up to 1.
        private mutating func finish(_ first: Int, _ begin: Int) {
            starts.append(first)
            counts.append(weights.count - begin)
            var sum = 0.0
            for index in begin..<weights.count { sum += weights[index] }
            if abs(sum) > 1e-12 {
                for index in begin..<weights.count { weights[index] /= sum }
            } else {
                for index in begin..<weights.count { weights[index] = index == begin ? 1 : 0 }
            }
        }
    }
}
