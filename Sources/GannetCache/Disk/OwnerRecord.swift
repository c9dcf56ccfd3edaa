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

/// The owners of one folder, as one of them knows them. Pure.
struct Company {
    /// The last record of each other owner.
    private(set) var others: [String: OwnerRecord] = [:]
    private(set) var own = OwnerRecord()
    /// Subfolders that others may have changed since they were last listed here.
    private(set) var unsure: Set<Int> = []
    private var nextShard = 0

    /// Nothing is written while there are no readers.
    private(set) var isWritten = false
    /// The file does not hold the intended record.
    private var isIncomplete = false

    /// Bytes of all owners' records.
    var bytes: Int { (others.count + (isWritten ? 1 : 0)) * OwnerRecord.size }

    /// Updates the living owners. `hasLostOne`: an unknown owner has already ended. Returns the bytes to write: nothing was
    /// counted without readers, so everything may be new to the first one.
    mutating func meet(_ living: Set<String>, hasLostOne: Bool) -> [(bytes: [UInt8], offset: Int)] {
        let wasAlone = others.isEmpty
        // Owners that ended may not have counted their last changes.
        if hasLostOne || others.keys.contains(where: { !living.contains($0) }) { doubtAll() }
        others = others.filter { living.contains($0.key) }
        for owner in living where others[owner] == nil { others[owner] = OwnerRecord() }
        guard !others.isEmpty else { return [] }
        if wasAlone { own.countAll() }
        guard wasAlone || isIncomplete else { return [] }
        (isWritten, isIncomplete) = (true, false)
        return own.pieces
    }

    mutating func couldNotWrite() { isIncomplete = true }

    /// Nil: the owner's record cannot be read, so everything may have changed.
    mutating func hear(_ owner: String, _ record: OwnerRecord?) {
        guard let known = others[owner] else { return }
        guard let record else { return doubtAll() }
        unsure.formUnion(record.changes(since: known))
        others[owner] = record
    }

    mutating func doubtAll() { unsure = Set(0..<DiskFolder.shardCount) }

    /// Rechecks subfolders in turn, whatever the records say, so that no error lasts for ever.
    mutating func doubtSome() {
        for _ in 0..<16 {
            unsure.insert(nextShard)
            nextShard = (nextShard + 1) % DiskFolder.shardCount
        }
    }

    mutating func doubt(_ shard: Int) { unsure.insert(shard) }
    mutating func isSure(of shard: Int) { unsure.remove(shard) }
    mutating func isSureOfAll() { unsure = [] }

    /// Nobody else can have changed this subfolder since it was last listed here.
    func isCertain(ofShard shard: Int) -> Bool { others.isEmpty && !unsure.contains(shard) }

    /// Counts changes, and returns the bytes to write; none without readers.
    mutating func count(_ shards: Set<Int>) -> [(bytes: [UInt8], offset: Int)] {
        if others.isEmpty { return [] }
        let pieces = shards.map { (own.count($0), OwnerRecord.offset(ofShard: $0)) }
        guard shards.count == DiskFolder.shardCount || isIncomplete else { return pieces }
        isIncomplete = false
        return own.pieces
    }
}
