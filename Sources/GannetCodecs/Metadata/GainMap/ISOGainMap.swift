import GannetCore

/// The binary metadata of ISO 21496-1, in an APP2 segment of the map; the image itself has one with the version alone.
enum ISOGainMap {
    static let prefix = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
    /// Minimum version and version of the writer.
    static let version: [UInt8] = [0, 0, 0, 0]

    private static let isMultichannel: UInt8 = 0x80
    private static let usesBaseColors: UInt8 = 0x40
    /// Of drafts, as files have them.
    private static let isBackward: UInt8 = 0x04
    private static let hasOneDenominator: UInt8 = 0x08

    /// `content` is that of the segment, behind the prefix. Nil: of a later version, too short, or with numbers that no map can have.
    static func read(_ content: ArraySlice<UInt8>) -> GainMapMetadata? {
        var reader = Numbers(content)
        guard reader.number(2) == 0, reader.number(2) != nil, let flags = reader.number(1).map(UInt8.init) else { return nil }
        if flags & hasOneDenominator != 0 {
            guard let denominator = reader.number(4) else { return nil }
            reader.denominator = denominator
        }
        guard var base = reader.unsigned(), var alternate = reader.unsigned() else { return nil }
        if flags & isBackward != 0, base < alternate { swap(&base, &alternate) }
        var channels: [GainMapMetadata.Channel] = []
        for _ in 0..<(flags & isMultichannel != 0 ? 3 : 1) {
            guard let minimum = reader.signed(), let maximum = reader.signed(), let gamma = reader.unsigned(),
                let baseOffset = reader.signed(), let alternateOffset = reader.signed()
            else { return nil }
            channels.append(
                .init(
                    minimum: minimum, maximum: maximum, gamma: gamma, baseOffset: baseOffset, alternateOffset: alternateOffset))
        }
        return GainMapMetadata(
            channels[0], channels.count > 1 ? channels[1] : channels[0], channels.count > 2 ? channels[2] : channels[0],
            baseHeadroom: base, alternateHeadroom: alternate, usesBaseColors: flags & usesBaseColors != 0)
    }

    /// Version and numbers, without the prefix.
    static func content(_ metadata: GainMapMetadata) -> [UInt8] {
        let channels = metadata.hasEqualChannels ? [metadata.red] : metadata.channels
        let flags = (channels.count > 1 ? isMultichannel : 0) | (metadata.usesBaseColors ? usesBaseColors : 0)
        var bytes = version + [flags] + fraction(metadata.baseHeadroom) + fraction(metadata.alternateHeadroom)
        for channel in channels {
            for value in [channel.minimum, channel.maximum, channel.gamma, channel.baseOffset, channel.alternateOffset] {
                bytes += fraction(value)
            }
        }
        return bytes
    }

    /// Millionths; all numbers of a map are small enough.
    private static func fraction(_ value: Double) -> [UInt8] {
        func long(_ value: Int) -> [UInt8] { stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) } }
        return long(GainMapNumbers.millionths(value)) + long(GainMapNumbers.one)
    }

    private struct Numbers {
        private var rest: ArraySlice<UInt8>
        /// Nil: each number has its own.
        var denominator: Int?

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        mutating func number(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        }

        mutating func unsigned() -> Double? { number(4).flatMap { divided(Double($0)) } }
        mutating func signed() -> Double? { number(4).flatMap { divided(Double(Int32(truncatingIfNeeded: $0))) } }

        private mutating func divided(_ numerator: Double) -> Double? {
            guard let denominator = denominator ?? number(4), denominator > 0 else { return nil }
            return numerator / Double(denominator)
        }
    }
}

/// Numbers of a map as both kinds of metadata write them, so that readers of either see the same.
enum GainMapNumbers {
    static let one = 1_000_000

    static func millionths(_ value: Double) -> Int { Int((value * Double(one)).rounded()) }

    /// `-1.5`, `0.015625`, `3`.
    static func text(_ value: Double) -> String {
        let number = millionths(value)
        let (whole, part) = number.magnitude.quotientAndRemainder(dividingBy: UInt(one))
        var digits = String(part)
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return (number < 0 ? "-" : "") + String(whole) + (digits.isEmpty ? "" : "." + digits)
    }
}
