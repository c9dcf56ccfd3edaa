import GannetCore
import GannetKernels
import Glibc

/// The gain map of Apple's phones from before the standard: a sample, made linear like a stored colour, says how far light is from the
/// base (0) to the base times the headroom (1).
enum AppleGainMap {
    /// Nil: no headroom above 1. The samples need ``recoding(headroom:)``.
    static func metadata(headroom: Double) -> GainMapMetadata? {
        guard headroom > 1.001 else { return nil }
        let channel = GainMapMetadata.Channel(maximum: log2(headroom), baseOffset: 0, alternateOffset: 0)
        return GainMapMetadata(channel, channel, channel, baseHeadroom: 0, alternateHeadroom: log2(headroom))
    }

    /// For each sample, the one whose logarithm stands for the same light.
    static func recoding(headroom: Double) -> [UInt8] {
        (0..<256).map { sample in
            let ratio = 1 + (headroom - 1) * TransferCurve.linear(Double(sample) / 255)
            return UInt8((log2(ratio) / log2(headroom) * 255).rounded())
        }
    }

    /// The headroom, a factor, from the notes of the camera in the image's EXIF; nil if they do not have it.
    static func headroom(exif: [UInt8]) -> Double? {
        guard let reader = TIFFDirectoryReader(exif),
            let link = reader.entries(at: reader.firstDirectory).first(where: { $0.tag == 0x8769 }),
            let directory = reader.integer(of: link),
            let notes = reader.entries(at: directory).first(where: { $0.tag == 0x927C }).flatMap(reader.externalValue)
        else { return nil }
        let name = Array("Apple iOS\0".utf8)
        // The directory is behind 14 bytes, big-endian, and its offsets are from the first of them, as in a block of its own.
        guard notes.count > 20, exif[notes].starts(with: name) else { return nil }
        let block = [0x4D, 0x4D, 0, 42, 0, 0, 0, 14] + exif[notes].dropFirst(8)
        guard let inner = TIFFDirectoryReader(Array(block)) else { return nil }
        func number(_ tag: Int) -> Double? {
            guard let entry = inner.entries(at: inner.firstDirectory).first(where: { $0.tag == tag && $0.type == 10 }),
                let place = inner.externalValue(of: entry), let numerator = inner.long(at: place.lowerBound),
                let denominator = inner.long(at: place.lowerBound + 4), denominator != 0
            else { return nil }
            return Double(Int32(truncatingIfNeeded: numerator)) / Double(Int32(truncatingIfNeeded: denominator))
        }
        guard let first = number(33), let second = number(48) else { return nil }
        let stops: Double =
            switch (first < 1, second <= 0.01) {
            case (true, true): -20 * second + 1.8
            case (true, false): -0.101 * second + 1.601
            case (false, true): -70 * second + 3
            case (false, false): -0.303 * second + 2.303
            }
        return stops > 0 ? exp2(stops) : nil
    }
}
