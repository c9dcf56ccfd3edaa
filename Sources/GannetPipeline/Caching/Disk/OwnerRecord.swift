/// What an owner of a folder tells the others in its lock file: how often it changed each subfolder. Pure.
///
/// ```
/// 0 version 1 · 1 not 0: somebody has come since the owner looked · 2 how often subfolder 0 … 255 was changed, 2 bytes each
/// ```
/// Numbers are little-endian and wrap. They are overwritten in place, each by one call of the system: what another process reads
/// may be old, never half. A change is counted after it was made, so that whoever sees the number sees the change.
struct OwnerRecord: Equatable {
    static let size = 2 + 2 * DiskFolder.shardCount
    static let version: UInt8 = 1
    static let visitOffset = 1

    private var counts = [UInt16](repeating: 0, count: DiskFolder.shardCount)

    init() {}

    /// Nil for another version. An owner that was alone when it last changed something has written nothing so far.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, bytes[0] != 0 else { return }
        guard bytes[0] == Self.version else { return nil }
        for shard in counts.indices { counts[shard] = UInt16(bytes[2 + 2 * shard]) | UInt16(bytes[3 + 2 * shard]) << 8 }
    }

    /// What to write where for the whole record. The byte of those who come is theirs.
    var pieces: [(bytes: [UInt8], offset: Int)] {
        [(counts.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }, Self.offset(ofShard: 0)), ([Self.version], 0)]
    }

    static func offset(ofShard shard: Int) -> Int { 2 + 2 * shard }

    /// The two bytes to write at its offset.
    mutating func count(_ shard: Int) -> [UInt8] {
        counts[shard] &+= 1
        return [UInt8(truncatingIfNeeded: counts[shard]), UInt8(counts[shard] >> 8)]
    }

    mutating func countAll() { for shard in counts.indices { counts[shard] &+= 1 } }

    /// Subfolders that were changed between an earlier record and this one.
    func changes(since earlier: OwnerRecord) -> Set<Int> {
        Set(counts.indices.filter { counts[$0] != earlier.counts[$0] })
    }
}

/// The owners of one folder as one of them knows them. Pure.
struct Company {
    /// What each of the others said last.
    private(set) var others: [String: OwnerRecord] = [:]
    private(set) var own = OwnerRecord()
    /// Subfolders that others may have changed since they were listed here.
    private(set) var unsure: Set<Int> = []
    private var nextShard = 0

    /// Nothing is written while nobody reads it.
    private(set) var isWritten = false
    /// What the file says is not what was to be written.
    private var isIncomplete = false

    /// Bytes that the records of all owners take.
    var bytes: Int { (others.count + (isWritten ? 1 : 0)) * OwnerRecord.size }

    /// Who lives besides this one. `hasLostOne`: somebody who was not known is gone already. Returns what to write: nothing was
    /// counted while nobody read it, so everything may be new to the first one who comes.
    mutating func meet(_ living: Set<String>, hasLostOne: Bool) -> [(bytes: [UInt8], offset: Int)] {
        let wasAlone = others.isEmpty
        // What those that are gone did last, they may not have counted any more.
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

    /// Nil: the owner's record cannot be read, so everything may be different.
    mutating func hear(_ owner: String, _ record: OwnerRecord?) {
        guard let known = others[owner] else { return }
        guard let record else { return doubtAll() }
        unsure.formUnion(record.changes(since: known))
        others[owner] = record
    }

    mutating func doubtAll() { unsure = Set(0..<DiskFolder.shardCount) }

    /// In turn, whatever is said: nothing stays wrong for ever.
    mutating func doubtSome() {
        for _ in 0..<16 {
            unsure.insert(nextShard)
            nextShard = (nextShard + 1) % DiskFolder.shardCount
        }
    }

    mutating func doubt(_ shard: Int) { unsure.insert(shard) }
    mutating func isSure(of shard: Int) { unsure.remove(shard) }
    mutating func isSureOfAll() { unsure = [] }

    /// What to write where, after changes; nothing where nobody reads it.
    mutating func count(_ shards: Set<Int>) -> [(bytes: [UInt8], offset: Int)] {
        if others.isEmpty { return [] }
        let pieces = shards.map { (own.count($0), OwnerRecord.offset(ofShard: $0)) }
        guard shards.count == DiskFolder.shardCount || isIncomplete else { return pieces }
        isIncomplete = false
        return own.pieces
    }
}
