import GannetCore

/// An operation on one entry's file.
enum DiskOperation: Sendable {
    case store(CacheEntry)
    /// New metadata for the bytes on disk.
    case update(CacheEntryMetadata)
    /// A read, recorded in the file's time.
    case use(Timestamp)
    case remove(CleaningReason)
    /// A read found the file damaged: check again, and remove it if so.
    case removeDamaged
    /// A read found the entry expired: as above.
    case removeExpired

    var byteCount: Int { if case .store(let entry) = self { entry.bytes.count } else { 0 } }
}

/// Waiting and running operations: for each key, at most one running and the newest waiting. Pure.
///
/// It is also the staging area: readers see what waits or runs here.
struct WriteQueue {
    private struct Item {
        var operation: DiskOperation
        /// The number of the oldest operation it replaces: waiters for that one wait for this one.
        var sequence: UInt64
    }

    private var waiting: [CacheKey: Item] = [:]
    private var running: [CacheKey: Item] = [:]
    /// Keys in sequence order, from `start` on; each at most once. Nil: taken out of order.
    private var order: [CacheKey?] = []
    private var start = 0
    private var lastSequence: UInt64 = 0
    /// Payload bytes that wait or are being written.
    private(set) var bytes = 0

    /// Payload bytes that are being written.
    var runningBytes: Int { running.values.reduce(0) { $0 + $1.operation.byteCount } }

    var isEmpty: Bool { waiting.isEmpty && running.isEmpty }
    var count: Int { waiting.count + running.count }

    /// The waiting and the running operation of a key, for its readers.
    func operations(for key: CacheKey) -> (waiting: DiskOperation?, running: DiskOperation?) {
        if waiting.isEmpty && running.isEmpty { return (nil, nil) }
        return (waiting[key]?.operation, running[key]?.operation)
    }

    /// Adds an operation, and returns the sequence number to wait for.
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

    /// Later operations replace earlier ones. Exceptions: new metadata joins unwritten bytes, and a read's finding about the
    /// file does not affect pending bytes.
    private mutating func merge(_ earlier: DiskOperation, _ later: DiskOperation) -> DiskOperation {
        switch (earlier, later) {
        case (.store(var entry), .update(let metadata)):
            bytes += entry.bytes.count
            // Metadata read before these bytes were stored belongs to older bytes.
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

    /// The oldest operation whose file is not busy; nil if there is none. `onlyRemovals`: while writing is not allowed yet.
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

    /// Drops waiting operations before everything is removed, but keeps that the entries on disk must not be served: the
    /// removal may fail.
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

    /// Keys of all waiting and running operations.
    var keys: [CacheKey] { Array(waiting.keys) + running.keys.filter { waiting[$0] == nil } }

    /// The newest operation's sequence number.
    var newestSequence: UInt64 { lastSequence }

    /// Whether everything up to this sequence number is done.
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
