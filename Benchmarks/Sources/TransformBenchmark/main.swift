// Times transformers on raw pixels, or applies one, for comparison with other programs. See Benchmarks/transforms.md.
import BenchmarkSupport
import GannetCore
import GannetImages
import Glibc

/// Straight or opaque RGBA, 8 bits, without padding.
func read(_ path: String, width: Int, height: Int) throws -> Bitmap {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw ImageError(.notFound, "There is no file \(path).") }
    defer { close(descriptor) }
    var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height), alpha: .premultiplied))
    var isOpaque = true
    for y in 0..<height {
        var line = [UInt8](repeating: 0, count: width * 4)
        var filled = 0
        while filled < line.count {
            let count = line.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + filled, $0.count - filled) }
            guard count > 0 else { throw ImageError(.truncated, "\(path) is shorter than \(width)×\(height) pixels.") }
            filled += count
        }
        var row = buffer.mutableRow(y)
        for x in 0..<width {
            let alpha = Int(line[x * 4 + 3])
            for channel in 0..<3 { row[x * 4 + channel] = UInt8((Int(line[x * 4 + channel]) * alpha * 2 + 255) / 510) }
            row[x * 4 + 3] = UInt8(alpha)
            if alpha < 255 { isOpaque = false }
        }
    }
    if isOpaque { buffer.setAlpha(.opaque) }
    return buffer.freeze()
}

func write(_ bitmap: Bitmap, to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    defer { close(descriptor) }
    let bytes = bitmap.packedBytes()
    var written = 0
    while written < bytes.count {
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written) }
        guard count > 0 else { return }
        written += count
    }
}

/// `resize:FILTER:WxH`, or what `StandardTransformer(parsing:)` knows.
func transformer(_ text: String) throws -> any ImageTransformer {
    let parts = text.split(separator: ":").map { String($0) }
    guard parts.count == 3, parts[0] == "resize", let filter = ResampleFilter(rawValue: parts[1]) else {
        if parts.count == 2, parts[0] == "rotate-linear", let degrees = Double(parts[1]) {
            return .rotate(degrees: degrees, fit: true, fast: true)
        }
        return try StandardTransformer(parsing: text)
    }
    let sides = parts[2].split(separator: "x").compactMap { Int($0) }
    return .resize(width: sides[0], height: sides[1], filter: filter)
}

let arguments = CommandLine.arguments
guard arguments.count >= 6, let width = Int(arguments[3]), let height = Int(arguments[4]) else {
    print("usage: TransformBenchmark time|apply PIXELS WIDTH HEIGHT SPEC… [-o OUT]")
    exit(64)
}
let picture = try read(arguments[2], width: width, height: height)
if arguments[1] == "apply" {
    let result = try picture.transformed(by: transformer(arguments[5]))
    write(result, to: arguments[7])
    print("\(result.width) \(result.height)")
} else {
    for spec in arguments[5...] {
        let transformer = try transformer(spec)
        measure(group: "transforms", "\(spec) \(width)x\(height)") { _ = try? picture.transformed(by: transformer) }
    }
}
