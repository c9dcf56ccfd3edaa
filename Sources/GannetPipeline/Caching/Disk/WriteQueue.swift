import GannetCore

/// What is to be done to one entry's file.
enum DiskOperation: Sendable {
    case store(CacheEntry)
    /// New metadata for the bytes that are there.
    case update(CacheEntryMetadata)
    /// It was read: the file's time tells when.
    case use(Timestamp)
    case remove(CleaningReason)
    /// A read found the file damaged: it is looked at again and removed if that is true.
    case removeDamaged
    /// A read found the entry over: as above.
    case removeExpired

    var byteCount: Int { if case .store(let entry) = self { entry.bytes.count } else { 0 } }
}

/// Operations that wait or run, at most one running for each key, the newest one waiting. Pure.
///
/// It is also the staging area: what waits or runs here is what readers see.
struct WriteQueue {
    private struct Item {
        var operation: DiskOperation
        /// Of the oldest operation that this one took the place of: whoever waits for that one waits for this one.
        var sequence: UInt64
    }

    private var waiting: [CacheKey: Item] = [:]
    private var running: [CacheKey: Item] = [:]
    /// Keys in the order of their sequence, from `start` on; a key appears at most once. Nil: taken out of turn.
    private var order: [CacheKey?] = []
    private var start = 0
    private var lastSequence: UInt64 = 0
    /// Payload bytes that wait or are being written.
    private(set) var bytes = 0

    /// Payload bytes that are being written.
    var runningBytes: Int { running.values.reduce(0) { $0 + $1.operation.byteCount } }

    var isEmpty: Bool { waiting.isEmpty && running.isEmpty }
    var count: Int { waiting.count + running.count }

    /// What a reader of the key must know: the waiting operation and the running one.
    func operations(for key: CacheKey) -> (waiting: DiskOperation?, running: DiskOperation?) {
        if waiting.isEmpty && running.isEmpty { return (nil, nil) }
        return (waiting[key]?.operation, running[key]?.operation)
    }

    /// The sequence to wait for if the caller wants to know when it is done.
    mutating func add(_ operation: DiskOperation, for key: CacheKey) -> UInt64 {
        bytes += operation.byteCount
        if var item = waiting[key] {
            bytes -= item.operation.byteCount
            item.operation = merge(item.operation, operation)
            waiting[key] = item
            return item.sequence
        }
        lastSequence += 1
        waiting[key] = Item(operation: operation, sequence: lastSequence)
        order.append(key)
        return lastSequence
    }

    /// Later ones replace earlier ones, except that new metadata joins bytes which are not written yet, and that what
    /// a read found in the file says nothing about what is to be written.
    private mutating func merge(_ earlier: DiskOperation, _ later: DiskOperation) -> DiskOperation {
        switch (earlier, later) {
        case (.store(var entry), .update(let metadata)):
            bytes += entry.bytes.count
            // Metadata that was read before these bytes were stored is not theirs.
            if metadata.storedAt >= entry.metadata.storedAt { entry.metadata = metadata }
            return .store(entry)
        case (.store(let entry), .removeDamaged), (.store(let entry), .removeExpired):
            bytes += entry.bytes.count
            return earlier
        case (.store, .use):
            bytes += earlier.byteCount
            return earlier
        case (.remove, .update), (.remove, .removeDamaged), (.update, .removeDamaged): return earlier
        case (.remove, .removeExpired), (.update, .removeExpired), (.removeDamaged, .removeExpired): return earlier
        case (.remove, .use), (.update, .use), (.removeDamaged, .use), (.removeExpired, .use): return earlier
        default: return later
        }
    }

    /// The oldest operation whose file is not busy; nil if there is none. `onlyRemovals`: while nothing may be written yet.
    mutating func take(busy: Set<Digest128>, onlyRemovals: Bool) -> (CacheKey, DiskOperation)? {
        for index in start..<order.count {
            guard let key = order[index], let item = waiting[key], running[key] == nil, !busy.contains(key.digest),
                !onlyRemovals || item.operation.isRemoval
            else { continue }
            order[index] = nil
            skipTaken()
            waiting[key] = nil
            running[key] = item
            return (key, item.operation)
        }
        return nil
    }

    private mutating func skipTaken() {
        while start < order.count, order[start] == nil { start += 1 }
        if start == order.count || start > 1024 {
            order.removeFirst(start)
            start = 0
        }
    }

    mutating func finish(_ key: CacheKey) {
        if let item = running.removeValue(forKey: key) { bytes -= item.operation.byteCount }
    }

    /// Before everything is removed: of what has not begun, only that the entries shall not be served as they are on disk stays, for
    /// removing everything may fail.
    mutating func keepRemovals() {
        for index in start..<order.count {
            guard let key = order[index], let item = waiting[key] else { continue }
            bytes -= item.operation.byteCount
            switch item.operation {
            case .store, .remove: waiting[key]?.operation = .remove(.removed)
            case .update, .use, .removeDamaged, .removeExpired:
                waiting[key] = nil
                order[index] = nil
            }
        }
        skipTaken()
    }

    /// Keys of everything that waits or runs.
    var keys: [CacheKey] { Array(waiting.keys) + running.keys.filter { waiting[$0] == nil } }

    /// The newest operation given out so far.
    var newestSequence: UInt64 { lastSequence }

    /// Everything up to this sequence is done.
    func isDone(_ sequence: UInt64) -> Bool {
        if start < order.count, let first = order[start], let item = waiting[first], item.sequence <= sequence { return false }
        return !running.values.contains { $0.sequence <= sequence }
    }
}

extension DiskOperation {
    var isRemoval: Bool {
        switch self {
        case .remove, .removeDamaged, .removeExpired: true
        case .store, .update, .use: false
        }
    }
}
