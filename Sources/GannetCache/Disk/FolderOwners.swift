/// The owners of one folder, as one of them knows them. Pure.
struct FolderOwners {
    /// The last record of each other owner.
    private(set) var others: [String: OwnerRecord] = [:]
    private(set) var own = OwnerRecord()
    /// Subfolders that others may have changed since they were last listed here.
    private(set) var stale: Set<Int> = []
    private var nextShard = 0

    /// Nothing is written while there are no readers.
    private(set) var isWritten = false
    /// The file does not hold the intended record.
    private var isIncomplete = false

    /// Bytes of all owners' records.
    var bytes: Int { (others.count + (isWritten ? 1 : 0)) * OwnerRecord.size }

    /// Updates the living owners. `hasLostOne`: an unknown owner has already ended. Returns the bytes to write: nothing was
    /// counted without readers, so everything may be new to the first one.
    mutating func update(_ living: Set<String>, hasLostOne: Bool) -> [(bytes: [UInt8], offset: Int)] {
        let wasAlone = others.isEmpty
        // Owners that ended may not have counted their last changes.
        if hasLostOne || others.keys.contains(where: { !living.contains($0) }) { invalidateAll() }
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
    mutating func note(_ owner: String, _ record: OwnerRecord?) {
        guard let known = others[owner] else { return }
        guard let record else { return invalidateAll() }
        stale.formUnion(record.changes(since: known))
        others[owner] = record
    }

    mutating func invalidateAll() { stale = Set(0..<DiskFolder.shardCount) }

    /// Rechecks subfolders in turn, whatever the records say, so that no error lasts for ever.
    mutating func invalidateSome() {
        for _ in 0..<16 {
            stale.insert(nextShard)
            nextShard = (nextShard + 1) % DiskFolder.shardCount
        }
    }

    mutating func invalidate(_ shard: Int) { stale.insert(shard) }
    mutating func validate(_ shard: Int) { stale.remove(shard) }
    mutating func validateAll() { stale = [] }

    /// No other owner can have changed this subfolder since it was last listed here.
    func isCertain(ofShard shard: Int) -> Bool { others.isEmpty && !stale.contains(shard) }

    /// Counts changes, and returns the bytes to write; none without readers.
    mutating func count(_ shards: Set<Int>) -> [(bytes: [UInt8], offset: Int)] {
        if others.isEmpty { return [] }
        let pieces = shards.map { (own.count($0), OwnerRecord.offset(ofShard: $0)) }
        guard shards.count == DiskFolder.shardCount || isIncomplete else { return pieces }
        isIncomplete = false
        return own.pieces
    }
}
