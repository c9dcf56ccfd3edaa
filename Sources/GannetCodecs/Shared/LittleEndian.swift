/// The numbers of a header; nil after its end.
struct LittleEndianFields {
    let bytes: [UInt8]

    func word(_ offset: Int) -> Int? {
        guard offset >= 0, offset + 2 <= bytes.count else { return nil }
        return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    func long(_ offset: Int) -> Int? {
        guard let low = word(offset), let high = word(offset + 2) else { return nil }
        return low | high << 16
    }

    /// 32 bits with a sign.
    func signed(_ offset: Int) -> Int? { long(offset).map { Int(Int32(truncatingIfNeeded: $0)) } }
}

extension [UInt8] {
    mutating func appendLittle(_ value: Int, bytes count: Int) {
        for shift in 0..<count { append(UInt8(truncatingIfNeeded: value >> (shift * 8))) }
    }

    mutating func appendBig(_ value: Int, bytes count: Int) {
        for shift in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: value >> (shift * 8))) }
    }
}
