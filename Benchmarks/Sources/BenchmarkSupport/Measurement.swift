/// One line of a benchmark's output: the measured operation, the program, and the time.
public struct Measurement: Sendable {
    /// The page of results: `transforms`, `codecs`, `caches`, `pipeline`.
    public var group: String
    public var name: String
    /// `gannet`, or the peer's name.
    public var program = "gannet"
    /// Processor milliseconds of one run: the median and the best.
    public var median: Double
    public var best: Double
    /// Wall milliseconds of one run, median.
    public var wall: Double
    /// Calls of the allocator of one run; nil where they are not counted.
    public var allocations: Double?

    public init(group: String, name: String, median: Double, best: Double, wall: Double) {
        (self.group, self.name, self.median, self.best, self.wall) = (group, name, median, best, wall)
    }

    /// One JSON object in one line, as `Benchmarks/report.py` reads it.
    public var json: String {
        "{\"group\": \"\(group)\", \"case\": \"\(name)\", \"program\": \"\(program)\", \"cpu_ms\": \(median), "
            + "\"best_ms\": \(best), \"wall_ms\": \(wall), \"peak_mib\": \(peakMemory())"
            + (allocations.map { ", \"allocations\": \($0)" } ?? "") + "}"
    }
}

/// Runs the work once to warm up and then at least `runs` times; prints the result as a line of JSON.
@discardableResult
public func measure(group: String, _ name: String, runs: Int = 15, _ work: () throws -> Void) rethrows -> Measurement {
    try work()
    var processor: [Double] = []
    var wall: [Double] = []
    for _ in 0..<max(1, runs) {
        let (start, wallStart) = (processorTime(), wallTime())
        try work()
        processor.append(processorTime() - start)
        wall.append(wallTime() - wallStart)
    }
    processor.sort()
    wall.sort()
    let result = Measurement(
        group: group, name: name, median: processor[processor.count / 2], best: processor[0], wall: wall[wall.count / 2])
    print(result.json)
    return result
}
