// Loads the same images in this process and in the sandbox, in turns, and compares time and memory.
//
//     SandboxBenchmark PHOTO [RUNS]
//
// The photo is scaled to 12 MP, 1 MP and 64 × 64 and written in every format that this build writes. No cache keeps what was
// loaded. Files have one worker, which is kept from one to the next; bytes in memory have no origin, and so a new worker each.
import BenchmarkSupport
import Foundation
import GannetCodecs
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetSandbox

let arguments = CommandLine.arguments
guard arguments.count >= 2, let photo = try? Data(contentsOf: URL(fileURLWithPath: arguments[1])) else {
    print("usage: SandboxBenchmark PHOTO [RUNS]")
    exit(2)
}
// In this order of a program's life: the process that workers are forked from starts, then they are there.
let start = wallTime()
if let error = ManagerConfiguration.sandboxUnavailability() {
    print(error)
    exit(1)
}
let firstWorker = wallTime() - start
let runs = arguments.count > 2 ? Int(arguments[2]) ?? 15 : 15

var configuration = ManagerConfiguration(
    memoryCache: nil, diskCache: nil, loaders: LoadersManager([LoadersManager.fileLoader(), LoadersManager.memoryLoader]),
    coders: CodersManager(BuiltInCoders.all))
configuration.colorManager = BuiltInCoders.colorManager
configuration.useSandbox()
let manager = ImageManager(configuration: configuration)
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sandbox-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

/// Three ways to load the same bytes.
enum Way: CaseIterable { case here, sandboxed, withNewWorker }

struct Sample: Sendable {
    let file: String
    let bytes: [UInt8]

    init(_ bytes: [UInt8], _ name: String) throws {
        self.bytes = bytes
        file = folder.appendingPathComponent(name).path
        try Data(bytes).write(to: URL(fileURLWithPath: file))
    }

    func load(_ way: Way) async throws {
        let source: ImageSource = way == .withNewWorker ? .data(bytes, identifier: file) : .file(file)
        _ = try await manager.image(for: source, .isolation(way == .here ? .inProcess : .sandboxed))
    }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func rounded(_ value: Double, _ digits: Double = 1000) -> Double { (value * digits).rounded() / digits }

/// Loads in all ways, in turns; milliseconds of wall time and of processor time (with the workers'), the median of each.
func compare(_ sample: Sample, _ runs: Int) async throws -> [Way: (wall: Double, processor: Double)] {
    var times: [Way: (wall: [Double], processor: [Double])] = [:]
    for run in 0..<runs + 2 {
        for way in Way.allCases {
            let (workers, processor, wall) = (Workers.processorTime(), processorTime(), wallTime())
            try await sample.load(way)
            let passed = wallTime() - wall
            let used = processorTime() - processor + max(Workers.processorTime() - workers, 0)
            // The first ones warm up.
            guard run > 1 else { continue }
            times[way, default: ([], [])].wall.append(passed)
            times[way, default: ([], [])].processor.append(used)
        }
    }
    return times.mapValues { (median($0.wall), median($0.processor)) }
}

/// Images a second, this many at once.
func throughput(_ sample: Sample, _ way: Way, _ count: Int, seconds: Double) async throws -> Double {
    let start = wallTime()
    let loaded = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<count {
            group.addTask {
                var loaded = 0
                while wallTime() - start < seconds * 1000 {
                    try await sample.load(way)
                    loaded += 1
                }
                return loaded
            }
        }
        return try await group.reduce(0, +)
    }
    return Double(loaded) / (wallTime() - start) * 1000
}

func line(_ name: String, _ values: KeyValuePairs<String, String>) {
    let fields = values.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
    print("{\"group\": \"sandbox\", \"case\": \"\(name)\", \(fields)}")
}

func text(_ value: Double?) -> String { "\(rounded(value ?? 0))" }

let decoding = ImageDecoding(
    coders: CodersManager(BuiltInCoders.all), environment: DecodeEnvironment(colorManager: BuiltInCoders.colorManager))
var million: Sample?
var tiny: Sample?
for (name, width, height) in [("12 MP", 4000, 3000), ("1 MP", 1152, 868), ("64 × 64", 64, 64)] {
    var options = ResolvedDecodeOptions()
    options.target = .size(TargetSize(.stretch, width: width, height: height, allowsUpscaling: true))
    let image = try decoding.decode(ByteRope(photo), options: options)
    for coder in BuiltInCoders.all {
        for format in coder.formats {
            guard let encoder = try coder.makeEncoder(for: format, options: EncodeOptions(effort: width > 64 ? 2 : nil)) else {
                continue
            }
            let sample = try Sample(encoder.encode(image), "\(width).\(format.identifier)")
            if format.identifier == "jpeg", width == 1152 { million = sample }
            if format.identifier == "jpeg", width == 64 { tiny = sample }
            let times = try await compare(sample, width > 2000 ? max(runs / 2, 3) : width > 64 ? runs : 10 * runs)
            let (here, kept, new) = (times[.here], times[.sandboxed], times[.withNewWorker])
            line(
                "\(name) \(format)",
                [
                    "here_ms": text(here?.wall), "sandboxed_ms": text(kept?.wall), "new_worker_ms": text(new?.wall),
                    "here_cpu_ms": text(here?.processor), "sandboxed_cpu_ms": text(kept?.processor),
                    "ratio": text((kept?.wall ?? 0) / (here?.wall ?? 1)),
                    "cpu_ratio": text((kept?.processor ?? 0) / (here?.processor ?? 1)),
                ])
        }
    }
}
let threads = BlockingExecutor.processorCount
if let million {
    var rates: [Way: [Double]] = [:]
    for _ in 0..<3 {
        for way in Way.allCases { rates[way, default: []].append(try await throughput(million, way, threads, seconds: 2)) }
    }
    let medians = rates.mapValues(median)
    line(
        "throughput 1 MP jpeg, \(threads) at once",
        [
            "here_per_second": text(medians[.here]), "sandboxed_per_second": text(medians[.sandboxed]),
            "new_workers_per_second": text(medians[.withNewWorker]),
            "ratio": text((medians[.sandboxed] ?? 0) / (medians[.here] ?? 1)),
        ])
}
// As many small files at once as workers wait, and one more, for which a worker is forked.
if let tiny {
    var waits: [Double] = []
    for _ in 0..<20 {
        let start = wallTime()
        waits.append(
            try await withThrowingTaskGroup(of: Double.self) { group in
                for _ in 0...threads {
                    group.addTask {
                        try await tiny.load(.sandboxed)
                        return wallTime() - start
                    }
                }
                var slowest = 0.0
                for try await one in group { slowest = max(slowest, one) }
                return slowest
            })
    }
    line("workers", ["first_one_ms": text(firstWorker), "one_more_than_wait_ms": text(median(waits))])
}
line("memory of its own, idle worker", ["mib": "\(Workers.privateMemory().map { rounded($0) })"])
