// Times decoding of files through the built-in coders, as the library does it: limits, colours, orientation.
//
//     CodecBenchmark decode|frames|info|FITxFIT CASE FILE [RUNS [THREADS]]
//
// decode: the first frame, whole. frames: all frames of an animation. 400x400: the first frame fitted into that size. THREADS: 1 unless it is
// named, as where other decodes wait.
import BenchmarkSupport
import GannetCodecs
import GannetCore
import GannetImages
import Glibc

let arguments = CommandLine.arguments
guard arguments.count >= 4 else {
    print("usage: CodecBenchmark decode|frames|info|400x400 CASE FILE [RUNS [THREADS]]")
    exit(2)
}
let (way, name, path) = (arguments[1], arguments[2], arguments[3])
let runs = arguments.count > 4 ? Int(arguments[4]) ?? 15 : 15
let threads = arguments.count > 5 ? Int(arguments[5]) ?? 1 : 1

func readFile(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else {
        print("There is no file \(path).")
        exit(2)
    }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: size) { target, count in count = fread(target.baseAddress, 1, size, file) }
}

/// The peak since the last reset, in MiB: the parent process's memory does not count.
func peak(resets: Bool = false) -> Double {
    if resets, let file = fopen("/proc/self/clear_refs", "w") {
        fputs("5", file)
        fclose(file)
    }
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
        let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split {
            $0 == " " || $0 == "\t"
        }
        if words.first == "VmHWM:", words.count > 1 { return (Double(words[1]) ?? 0) / 1024 }
    }
    return 0
}

var own = DecodeOptions()
own.frames = way == "frames" ? .all : .first
let sides = way.split(separator: "x").compactMap { Int($0) }
if sides.count == 2 { own.target = .size(.fit(sides[0], sides[1])) }
let options = ResolvedDecodeOptions(own)
let decoding = ImageDecoding(
    coders: CodersManager(BuiltInCoders.all),
    environment: DecodeEnvironment(colorManager: BuiltInCoders.colorManager, threads: threads))
let rope = ByteRope(readFile(path))
// Memory of the program and of the encoded bytes is not attributed to the decoder.
let idle = peak(resets: true)

do {
    try measure(group: "codecs", name, runs: runs) {
        if way == "info" {
            _ = try decoding.header(of: rope, options: options)
            return
        }
        let picture = try decoding.decode(rope, options: options)
        if case .animated(let animation) = picture, way == "frames" {
            for index in 0..<animation.frameCount { _ = try animation.blockingFrame(at: index) }
        }
    }
    print("{\"group\": \"codecs-memory\", \"case\": \"\(name)\", \"program\": \"gannet\", \"above_idle_mib\": \(peak() - idle)}")
} catch {
    print(error)
    exit(1)
}
