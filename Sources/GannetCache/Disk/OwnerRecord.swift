/// The part of an owner's lock file that informs other owners: the change count of each subfolder. Pure.
///
/// ```
/// 0 version 1 · 1 not 0: a newcomer since the owner last looked · 2 change counts of subfolders 0 … 255, 2 bytes each
/// ```
/// Numbers are little-endian and wrap. Each is overwritten in place by one system call: a reader may see an old number, never
/// half a one. A change is counted after it was made, so that a reader of the number also sees the change.
struct OwnerRecord: Equatable {
    static let size = 2 + 2 * DiskFolder.shardCount
    static let version: UInt8 = 1
    static let visitOffset = 1

    private var counts = [UInt16](repeating: 0, count: DiskFolder.shardCount)

    init() {}

    /// Nil for another version. An owner that was alone at its last change has written nothing so far.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, bytes[0] != 0 else { return }
        guard bytes[0] == Self.version else { return nil }
        for shard in counts.indices { counts[shard] = UInt16(bytes[2 + 2 * shard]) | UInt16(bytes[3 + 2 * shard]) << 8 }
    }

    /// The bytes and offsets of the whole record, without the byte that newcomers set.
    var pieces: [(bytes: [UInt8], offset: Int)] {
        [(counts.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }, Self.offset(ofShard: 0)), ([Self.version], 0)]
    }

    static func offset(ofShard shard: Int) -> Int { 2 + 2 * shard }

    /// Counts a change, and returns the two bytes for its offset.
    mutating func count(_ shard: Int) -> [UInt8] {
        counts[shard] &+= 1
        return [UInt8(truncatingIfNeeded: counts[shard]), UInt8(counts[shard] >> 8)]
    }

    mutating func countAll() { for shard in counts.indices { counts[shard] &+= 1 } }

    /// Subfolders that changed between an earlier record and this one.
    func changes(since earlier: OwnerRecord) -> Set<Int> {
        Set(counts.indices.filter { counts[$0] != earlier.counts[$0] })
    }
}
