/// The same for asynchronous work; `divisor` operations are done by one run, and the times are those of one operation.
@discardableResult
public func measure(
    group: String, _ name: String, runs: Int = 7, divisor: Int = 1, _ work: () async throws -> Void
) async rethrows -> Measurement {
    try await work()
    var processor: [Double] = []
    var wall: [Double] = []
    for _ in 0..<max(1, runs) {
        let (start, wallStart) = (processorTime(), wallTime())
        try await work()
        processor.append((processorTime() - start) / Double(divisor))
        wall.append((wallTime() - wallStart) / Double(divisor))
    }
    processor.sort()
    wall.sort()
    let result = Measurement(
        group: group, name: name, median: processor[processor.count / 2], best: processor[0], wall: wall[wall.count / 2])
    print(result.json)
    return result
}
