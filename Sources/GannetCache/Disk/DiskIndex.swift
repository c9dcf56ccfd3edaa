import GannetCore

/// An index of the folder's entries: sizes and order of use. Pure; about 120 bytes an entry, and briefly twice that while a
/// scan sorts.
///
/// A scan builds it, and it may lag behind other processes: reads go by name, never by this index.
struct DiskIndex {
    struct Entry {
        var name: EntryName
        /// Bytes of the file.
        var size: Int
        var lastUsed: Timestamp
        /// The use that the file's modification time records.
        var recordedUse: Timestamp
        var deadline: Timestamp
        /// Bytes before the payload; 0: not known yet.
        var payloadOffset: Int32 = 0
        /// The time of storing in the file's header; `unknownDate`, later than every moment, until it is read.
        var storedAt = Self.unknownDate
        /// The deadline comes from the file's header, and is not guessed from its time.
        var isCertain: Bool

        static let unknownDate = Timestamp(milliseconds: .max)

        /// The last use, from a file's time that another process may have set. An already known time adds nothing: a future
        /// file time would otherwise count as a use at each check.
        func lastUsed(fileTime: Timestamp, now: Timestamp) -> Timestamp {
            // A file's own time may be a second off.
            if (.seconds(-1) ... .seconds(1)).contains(fileTime - recordedUse) { return lastUsed }
            return max(lastUsed, min(fileTime, now))
        }
    }

    private struct Node {
        var entry: Entry
        /// Towards the most recently used; -1: the end, -2: a free place.
        var newer: Int32
        var older: Int32
        var isFree: Bool { newer == -2 }
    }

    private var shards = [[Digest128: Int32]](repeating: [:], count: DiskFolder.shardCount)
    /// Change counts of the subfolders' entries.
    private(set) var changes = [UInt32](repeating: 0, count: DiskFolder.shardCount)
    private var nodes: [Node] = []
    private var free: [Int32] = []
    private var newest: Int32 = -1
    private var oldest: Int32 = -1
    /// Where the search for expired entries continues.
    private var hand = 0
    private(set) var count = 0
    private(set) var bytes = 0

    subscript(_ name: EntryName) -> Entry? {
        shards[name.shard][name.digest].map { nodes[Int($0)].entry }
    }

    /// The entry's position, valid until entries are put or removed. `hint`: an earlier position; saves the look-up.
    func position(of name: EntryName, hint: Int32? = nil) -> Int32? {
        if let hint, Int(hint) < nodes.count, nodes[Int(hint)].entry.name == name, !nodes[Int(hint)].isFree { return hint }
        return shards[name.shard][name.digest]
    }

    /// The entry at a position: size, last use, deadline and payload offset.
    func look(at position: Int32) -> (size: Int, lastUsed: Timestamp, deadline: Timestamp, payloadOffset: Int) {
        let entry = nodes[Int(position)].entry
        return (entry.size, entry.lastUsed, entry.deadline, Int(entry.payloadOffset))
    }

    /// Records what the file's header says. A different payload offset means another file of the same size, by another process.
    mutating func note(_ header: EntryHeader, at position: Int32) {
        nodes[Int(position)].entry.payloadOffset = Int32(clamping: header.payloadOffset)
        nodes[Int(position)].entry.storedAt = header.storedAt
    }

    /// When the entry was stored, or ``Entry/unknownDate``.
    func storedAt(_ position: Int32) -> Timestamp { nodes[Int(position)].entry.storedAt }

    /// Another process may have replaced the file by one of the same size.
    mutating func forgetDate(of name: EntryName) {
        guard let position = shards[name.shard][name.digest] else { return }
        nodes[Int(position)].entry.storedAt = Entry.unknownDate
    }

    /// Adds or replaces an entry near the most recently used end; concurrent writers are ordered by use.
    mutating func put(_ entry: Entry) {
        changes[entry.name.shard] &+= 1
        let position: Int32
        if let known = shards[entry.name.shard][entry.name.digest] {
            bytes += entry.size - nodes[Int(known)].entry.size
            nodes[Int(known)].entry = entry
            unlink(known)
            position = known
        } else {
            position = insert(entry)
        }
        var newer: Int32 = -1
        var older = newest
        for _ in 0..<32 where older >= 0 && nodes[Int(older)].entry.lastUsed > entry.lastUsed {
            newer = older
            older = nodes[Int(older)].older
        }
        link(position, newer: newer, older: older)
    }

    /// Appends an entry of a scan as least recently used, in falling order of use. Ignores known entries.
    mutating func appendOldest(_ entry: Entry) {
        guard shards[entry.name.shard][entry.name.digest] == nil else { return }
        link(insert(entry), newer: oldest, older: -1)
    }

    /// Adds an entry that is evicted last, whatever its last use. Ignores known entries.
    mutating func appendNewest(_ entry: Entry) {
        guard shards[entry.name.shard][entry.name.digest] == nil else { return }
        link(insert(entry), newer: -1, older: newest)
    }

    /// Records a use and reorders. True if the file's time should be set too.
    mutating func use(_ position: Int32, at now: Timestamp, deadline: Timestamp, granularity: Duration) -> Bool {
        let index = Int(position)
        nodes[index].entry.lastUsed = now
        nodes[index].entry.deadline = deadline
        nodes[index].entry.isCertain = true
        if position != newest {
            unlink(position)
            link(position, newer: -1, older: newest)
        }
        let distance = now - nodes[index].entry.recordedUse
        guard distance >= granularity || distance < .zero else { return false }
        nodes[index].entry.recordedUse = now
        return true
    }

    /// Sets the deadline unless the entry was replaced meanwhile.
    mutating func setDeadline(_ entry: Entry, _ deadline: Timestamp) {
        guard isUnchanged(entry), let position = shards[entry.name.shard][entry.name.digest] else { return }
        nodes[Int(position)].entry.deadline = deadline
        nodes[Int(position)].entry.isCertain = true
    }

    /// Whether the entry was neither replaced nor used since this copy was taken.
    func isUnchanged(_ entry: Entry) -> Bool {
        guard let found = self[entry.name] else { return false }
        return found.size == entry.size && found.lastUsed == entry.lastUsed && found.recordedUse == entry.recordedUse
    }

    @discardableResult
    mutating func remove(_ name: EntryName) -> Entry? {
        changes[name.shard] &+= 1
        guard let position = shards[name.shard].removeValue(forKey: name.digest) else { return nil }
        unlink(position)
        let entry = nodes[Int(position)].entry
        nodes[Int(position)].newer = -2
        free.append(position)
        bytes -= entry.size
        count -= 1
        return entry
    }

    mutating func removeAll() {
        let old = changes
        self = DiskIndex()
        changes = old.map { $0 &+ 1 }
    }

    /// Reserves memory for so many more entries.
    mutating func reserve(_ more: Int) { nodes.reserveCapacity(nodes.count + more) }

    /// The least recently used entries to remove for a total of `target` bytes and `maximumCount` entries. At most `maximum`,
    /// without busy ones.
    func oldest(downTo target: Int, maximumCount: Int, maximum: Int, except busy: Set<Digest128>) -> [Entry] {
        var found: [Entry] = []
        var (left, leftCount) = (bytes, count)
        var position = oldest
        while position >= 0, found.count < maximum, left > target || leftCount > maximumCount {
            let node = nodes[Int(position)]
            if !busy.contains(node.entry.name.digest) {
                found.append(node.entry)
                left -= node.entry.size
                leftCount -= 1
            }
            position = node.newer
        }
        return found
    }

    /// Expired ones among the next `steps` entries, in rotation.
    mutating func expired(at now: Timestamp, steps: Int, except busy: Set<Digest128>) -> [Entry] {
        var found: [Entry] = []
        for _ in 0..<min(steps, nodes.count) {
            if hand >= nodes.count { hand = 0 }
            let node = nodes[hand]
            hand += 1
            if !node.isFree, node.entry.deadline <= now, !busy.contains(node.entry.name.digest) { found.append(node.entry) }
        }
        return found
    }

    /// All entries, most recently used first. O(n).
    var entries: [Entry] {
        var all: [Entry] = []
        all.reserveCapacity(count)
        var position = newest
        while position >= 0 {
            all.append(nodes[Int(position)].entry)
            position = nodes[Int(position)].older
        }
        return all
    }

    /// The entries of one subfolder.
    func entries(inShard shard: Int) -> [EntryName: Entry] {
        var found: [EntryName: Entry] = [:]
        for position in shards[shard].values { found[nodes[Int(position)].entry.name] = nodes[Int(position)].entry }
        return found
    }

    /// The change count of a subfolder: if it differs after a file was read, the reader's knowledge is outdated.
    func changes(inShard shard: Int) -> UInt32 { changes[shard] }

    /// Counts the removal of a file that the index no longer knew.
    mutating func noteChange(inShard shard: Int) { changes[shard] &+= 1 }

    private mutating func insert(_ entry: Entry) -> Int32 {
        bytes += entry.size
        count += 1
        let node = Node(entry: entry, newer: -1, older: -1)
        let position: Int32
        if let hole = free.popLast() {
            position = hole
            nodes[Int(hole)] = node
        } else {
            position = Int32(nodes.count)
            nodes.append(node)
        }
        shards[entry.name.shard][entry.name.digest] = position
        return position
    }

    private mutating func link(_ position: Int32, newer: Int32, older: Int32) {
        nodes[Int(position)].newer = newer
        nodes[Int(position)].older = older
        if newer >= 0 { nodes[Int(newer)].older = position } else { newest = position }
        if older >= 0 { nodes[Int(older)].newer = position } else { oldest = position }
    }

    private mutating func unlink(_ position: Int32) {
        let (newer, older) = (nodes[Int(position)].newer, nodes[Int(position)].older)
        if newer >= 0 { nodes[Int(newer)].older = older } else { newest = older }
        if older >= 0 { nodes[Int(older)].newer = newer } else { oldest = newer }
    }
}
