import GannetCore
import GannetTesting
import Glibc

/// Small files of a format, made by its own encoder when they are needed: none is kept in the project.
enum Seeds {
    static func write(format: String, folder: String) -> Bool {
        guard let target = FuzzTarget(format: format) else {
            print("No coder of this build knows \(format).")
            return false
        }
        var written = 0
        for (index, image) in (target.regions != nil ? large() : target.threads != nil ? grainy() : images()).enumerated() {
            for (variant, options) in variants.enumerated() {
                do {
                    guard let encoder = try target.coder.makeEncoder(for: target.format, options: options) else { continue }
                    let bytes = try encoder.encode(image)
                    guard let file = fopen("\(folder)/\(format)-\(index)-\(variant)", "wb") else { return false }
                    defer { fclose(file) }
                    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { return false }
                    written += 1
                } catch {
                    print("seed \(index), variant \(variant): \(error)")
                    return false
                }
            }
        }
        for (index, bytes) in (byHand[format] ?? []).enumerated() {
            guard let file = fopen("\(folder)/\(format)-by-hand-\(index)", "wb") else { return false }
            defer { fclose(file) }
            guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { return false }
            written += 1
        }
        print("\(written) seeds of \(format)")
        return true
    }

    /// Of formats that no encoder of ours writes.
    private static let byHand: [String: [[UInt8]]] = {
        func radiance(_ sides: String, _ pixels: [UInt8], format: String = "rgbe") -> [UInt8] {
            Array("#?RADIANCE\nFORMAT=32-bit_rle_\(format)\n\n\(sides)\n".utf8) + pixels
        }
        let planes = [UInt8](repeating: 0, count: 4).flatMap { _ in [136, 128] as [UInt8] }
        return [
            // Markers within a row, at its end, and across rows.
            "jpeg-regions": [8, 64, 100].map { withMarkers(every: $0) },
            "radiance": [
                radiance("-Y 1 +X 3", [128, 64, 32, 129, 1, 1, 1, 2]),
                radiance("-Y 2 +X 8", [2, 2, 0, 8] + planes + [2, 2, 0, 8] + planes),
                radiance("+X 2 -Y 1", [9, 8, 7, 120, 1, 2, 3, 130], format: "xyze"),
            ],
            "pfm": [
                Array("PF\n1 2\n-1.0\n".utf8) + [UInt8](repeating: 0x3F, count: 24),
                Array("Pf\n2 1\n1\n".utf8) + [0x3F, 0x80, 0, 0, 0x7F, 0x80, 0, 0],
            ],
        ]
    }()

    /// A gray JPEG of 64 × 8 blocks, each of two bits: no difference from the one before, and no more.
    private static func withMarkers(every interval: Int) -> [UInt8] {
        let table = [UInt8](repeating: 1, count: 64)
        var counts = [UInt8](repeating: 0, count: 16)
        counts[0] = 1
        var file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + table
        file += [0xFF, 0xC0, 0, 11, 8, 0, 64, 2, 0, 1, 1, 0x11, 0]
        file += [0xFF, 0xC4, 0, 20, 0x00] + counts + [0]
        file += [0xFF, 0xC4, 0, 20, 0x10] + counts + [0]
        file += [0xFF, 0xDD, 0, 4, 0, UInt8(interval), 0xFF, 0xDA, 0, 8, 1, 1, 0x00, 0, 63, 0]
        for first in stride(from: 0, to: 512, by: interval) {
            if first > 0 { file += [0xFF, 0xD0 | UInt8((first / interval - 1) & 7)] }
            file += [UInt8](repeating: 0, count: (min(interval, 512 - first) + 3) / 4)
        }
        return file + [0xFF, 0xD9]
    }

    /// With more than one state in an index: more MCUs in a row, and more rows, than are between two.
    private static func large() -> [DecodedImage] {
        let stills = [
            try? TestImages.gradient(width: 700, height: 40), try? TestImages.discs(width: 40, height: 330),
            try? TestImages.flat(width: 1100, height: 150), try? TestImages.flat(width: 12, height: 300, isOpaque: false),
            try? TestImages.noise(width: 3, height: 200),
        ]
        return stills.compactMap { $0.map(TestImages.still) }
    }

    /// With some kilobytes of codes: enough for two threads of ours where small files have them, and for libFuzzer's longest input.
    private static func grainy() -> [DecodedImage] {
        let stills = [
            try? TestImages.noise(width: 72, height: 64), try? TestImages.noise(width: 40, height: 48),
            try? TestImages.discs(width: 300, height: 330),
        ]
        return stills.compactMap { $0.map(TestImages.still) }
    }

    private static let variants = [
        EncodeOptions(), EncodeOptions(quality: 20, progressive: true), EncodeOptions(firstFrameOnly: true, effort: 0),
    ]

    private static func images() -> [DecodedImage] {
        let stills = [
            try? TestImages.gradient(width: 17, height: 11), try? TestImages.discs(width: 16, height: 12),
            try? TestImages.flat(width: 12, height: 9), try? TestImages.flat(width: 12, height: 9, isOpaque: false),
            try? TestImages.noise(width: 5, height: 4),
        ]
        let animations = [try? TestImages.animation(frames: 3), try? TestImages.animation(frames: 3, clears: true)]
        return stills.compactMap { $0.map(TestImages.still) } + animations.compactMap { $0.map(DecodedImage.animated) }
    }
}
