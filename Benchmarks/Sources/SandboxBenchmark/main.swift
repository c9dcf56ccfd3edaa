// Decodes the same files in this process and in the sandbox, in turns, and compares time and memory.
//
//     SandboxBenchmark PHOTO [RUNS]
//
// The photo is scaled to 12 MP, 1 MP and 64 × 64 and written in every format that this build writes.
import BenchmarkSupport
import GannetCodecs
import GannetCore
import GannetImages
import GannetPlatform
import GannetSandbox
import Glibc

let arguments = CommandLine.arguments
guard arguments.count >= 2 else {
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

let here = ImageDecoding(
    coders: CodersManager(BuiltInCoders.all), environment: DecodeEnvironment(colorManager: BuiltInCoders.colorManager))
var there = here
there.useSandbox(.sandboxed)
let sandboxed = there

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func rounded(_ value: Double, _ digits: Double = 1000) -> Double { (value * digits).rounded() / digits }

/// Decodes with both, in turns; milliseconds of wall time and of processor time (with the workers'), the median of each.
func compare(_ bytes: ByteRope, _ runs: Int) throws -> (wall: (Double, Double), processor: (Double, Double)) {
    var wall: ([Double], [Double]) = ([], [])
    var processor: ([Double], [Double]) = ([], [])
    for run in 0..<runs + 2 {
        var start = (wallTime(), processorTime())
        _ = try here.decode(bytes)
        let own = (wallTime() - start.0, processorTime() - start.1)
        let workers = Workers.processorTime()
        start = (wallTime(), processorTime())
        _ = try sandboxed.decode(bytes)
        let other = (wallTime() - start.0, processorTime() - start.1 + Workers.processorTime() - workers)
        // The first ones warm up.
        guard run > 1 else { continue }
        wall.0.append(own.0)
        wall.1.append(other.0)
        processor.0.append(own.1)
        processor.1.append(other.1)
    }
    return ((median(wall.0), median(wall.1)), (median(processor.0), median(processor.1)))
}

/// Images a second with this many threads at once.
func throughput(_ decoding: ImageDecoding, _ bytes: ByteRope, _ threads: Int, seconds: Double) async -> Double {
    let executor = BlockingExecutor(name: "throughput", threads: threads)
    let start = wallTime()
    let counts = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<threads {
            group.addTask {
                var count = 0
                while wallTime() - start < seconds * 1000 {
                    guard (try? await executor.run { () throws(ImageError) in _ = try decoding.decode(bytes) }) != nil else {
                        break
                    }
                    count += 1
                }
                return count
            }
        }
        return await group.reduce(0, +)
    }
    return Double(counts) / (wallTime() - start) * 1000
}

guard let file = fopen(arguments[1], "rb") else {
    print("There is no file \(arguments[1]).")
    exit(2)
}
fseek(file, 0, SEEK_END)
let size = ftell(file)
rewind(file)
let photo = ByteRope([UInt8](unsafeUninitializedCapacity: size) { $1 = fread($0.baseAddress, 1, size, file) })

do {
    var small: ByteRope?
    var tiny: ByteRope?
    for (name, width, height) in [("12 MP", 4000, 3000), ("1 MP", 1152, 868), ("64 × 64", 64, 64)] {
        var options = ResolvedDecodeOptions()
        options.target = .size(TargetSize(.stretch, width: width, height: height, allowsUpscaling: true))
        let image = try here.decode(photo, options: options)
        for coder in BuiltInCoders.all {
            for format in coder.formats {
                guard let encoder = try coder.makeEncoder(for: format, options: EncodeOptions(effort: width > 64 ? 2 : nil))
                else { continue }
                let bytes = ByteRope(try encoder.encode(image))
                if format.identifier == "jpeg", width == 1152 { small = bytes }
                if format.identifier == "jpeg", width == 64 { tiny = bytes }
                let times = try compare(bytes, width > 2000 ? max(runs / 2, 3) : width > 64 ? runs : 10 * runs)
                print(
                    "{\"group\": \"sandbox\", \"case\": \"\(name) \(format)\", \"here_ms\": \(rounded(times.wall.0)), \"sandboxed_ms\": \(rounded(times.wall.1)), "
                        + "\"here_cpu_ms\": \(rounded(times.processor.0)), \"sandboxed_cpu_ms\": \(rounded(times.processor.1)), "
                        + "\"ratio\": \(rounded(times.wall.1 / times.wall.0)), \"cpu_ratio\": \(rounded(times.processor.1 / times.processor.0))}"
                )
            }
        }
    }
    if let small {
        let threads = BlockingExecutor.processorCount
        var both: ([Double], [Double]) = ([], [])
        for _ in 0..<3 {
            both.0.append(await throughput(here, small, threads, seconds: 2))
            both.1.append(await throughput(sandboxed, small, threads, seconds: 2))
        }
        print(
            "{\"group\": \"sandbox\", \"case\": \"throughput 1 MP jpeg, \(threads) threads\", \"here_per_second\": \(rounded(median(both.0))), "
                + "\"sandboxed_per_second\": \(rounded(median(both.1))), \"ratio\": \(rounded(median(both.1) / median(both.0)))}")
    }
    // As many small files at once as workers wait, and one more, for which a worker is forked.
    if let tiny {
        var waits: [Double] = []
        for _ in 0..<20 {
            let threads = BlockingExecutor.processorCount + 1
            let executor = BlockingExecutor(name: "start", threads: threads)
            let start = wallTime()
            let slowest = await withTaskGroup(of: Double.self) { group in
                for _ in 0..<threads {
                    group.addTask {
                        _ = try? await executor.run { () throws(ImageError) in _ = try sandboxed.decode(tiny) }
                        return wallTime() - start
                    }
                }
                var slowest = 0.0
                for await one in group { slowest = max(slowest, one) }
                return slowest
            }
            waits.append(slowest)
        }
        print(
            "{\"group\": \"sandbox\", \"case\": \"workers\", \"first_one_ms\": \(rounded(firstWorker)), "
                + "\"one_more_than_wait_ms\": \(rounded(median(waits)))}")
    }
    print(
        "{\"group\": \"sandbox\", \"case\": \"memory of its own, idle worker\", \"mib\": \(Workers.privateMemory().map { rounded($0) })}"
    )
} catch {
    print(error)
    exit(1)
}
