/// An ICC profile from pieces in any order (ICC.1, Annex B.4).
struct JPEGProfileChunks {
    private var chunks: [Int: [UInt8]] = [:]
    private var total = 0
    private var isBroken = false
    private static let prefix = Array("ICC_PROFILE\0".utf8)

    mutating func add(_ payload: [UInt8]) {
        guard payload.starts(with: Self.prefix), payload.count > Self.prefix.count + 2 else { return }
        let number = Int(payload[12])
        let count = Int(payload[13])
        if number < 1 || number > count || (total != 0 && total != count) || chunks[number] != nil { isBroken = true }
        total = count
        chunks[number] = Array(payload.dropFirst(14))
    }

    /// Nil if there is none, or a piece is missing, duplicate or out of range: the image is then shown without it.
    var assembled: [UInt8]? {
        guard !isBroken, total > 0, chunks.count == total else { return nil }
        return (1...total).flatMap { chunks[$0] ?? [] }
    }
}
