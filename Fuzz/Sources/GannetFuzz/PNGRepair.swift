import GannetCore

/// Makes changed PNG files reach the decoder's depths: without it nearly every input ends at a wrong checksum.
enum PNGRepair {
    /// Writes the right checksum behind every chunk that is whole; the bytes between stay as they are.
    static func repair(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
        var position = 8
        while position + 12 <= bytes.count {
            let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes[position + $1]) }
            guard length <= bytes.count - position - 12 else { return }
            let end = position + 8 + length
            let sum = crc(UnsafeMutableBufferPointer(rebasing: bytes[position + 4..<end]))
            for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: sum >> (24 - index * 8)) }
            position = end + 4
        }
    }

    private static func crc(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}

@_silgen_name("LLVMFuzzerMutate")
private func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximumSize: Int) -> Int

/// libFuzzer's own changes; PNG files get right checksums afterwards in seven of eight cases.
@_cdecl("LLVMFuzzerCustomMutator")
public func customMutator(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximumSize: Int, _ seed: UInt32) -> Int {
    let count = mutate(data, size, maximumSize)
    if FuzzTarget.current?.format == .png || FuzzTarget.current?.format == .ico, seed & 7 != 0 {
        let start = FuzzTarget.current?.format == .png ? 0 : 22
        if count > start { PNGRepair.repair(UnsafeMutableBufferPointer(start: data + start, count: count - start)) }
    }
    return count
}
