import GannetCore

/// Changes that wait to be written to S3, the oldest first, and those that are being written. There is one change for a key at
/// a time, so that they arrive in order.
struct UploadQueue {
    enum Change: Sendable {
        case entry(CacheEntry)
        /// Of the bytes that are there.
        case metadata(CacheEntryMetadata)

        var bytes: Int {
            if case .entry(let entry) = self { return entry.bytes.count }
            return 0
        }
    }

    struct Upload: Sendable {
        let key: CacheKey
        fileprivate(set) var change: Change
        fileprivate let number: Int
    }

    enum Outcome: Equatable {
        case waits
        /// It waits, and a writer has to be started for it.
        case needsWriter
        /// The queue is full.
        case dropped
    }

    private struct Watcher {
        let id: UInt64
        /// Of the uploads that it waits for.
        var numbers: Set<Int>
        let continuation: CheckedContinuation<Bool, Never>
    }

    private var waiting: [Upload] = []
    private var running: [CacheKey: Upload] = [:]
    private var bytes = 0
    private var writers = 0
    private var lastNumber = 0
    private var lastWatcher: UInt64 = 0
    private var watchers: [Watcher] = []

    mutating func add(_ change: Change, for key: CacheKey, limits: S3Limits) -> Outcome {
        if let same = waiting.firstIndex(where: { $0.key == key }) {
            var new = change
            if case .metadata(let metadata) = change, case .entry(var entry) = waiting[same].change {
                entry.metadata = metadata
                new = .entry(entry)
            }
            bytes += new.bytes - waiting[same].change.bytes
            waiting[same].change = new
            return .waits
        }
        guard waiting.count < limits.waiting, bytes + change.bytes <= limits.waitingBytes else { return .dropped }
        lastNumber += 1
        waiting.append(Upload(key: key, change: change, number: lastNumber))
        bytes += change.bytes
        guard writers < limits.writers else { return .waits }
        writers += 1
        return .needsWriter
    }

    /// For a writer, which calls ``done(_:)`` after it. Nil: nothing is left for it, and it is one no more.
    mutating func next() -> Upload? {
        guard let first = waiting.firstIndex(where: { running[$0.key] == nil }) else {
            writers -= 1
            return nil
        }
        let upload = waiting.remove(at: first)
        bytes -= upload.change.bytes
        running[upload.key] = upload
        return upload
    }

    /// The waiters whose last upload this was.
    mutating func done(_ upload: Upload) -> [CheckedContinuation<Bool, Never>] {
        running[upload.key] = nil
        return end([upload.number])
    }

    /// The newest change of a key that S3 may not have yet.
    func change(of key: CacheKey) -> Change? {
        let last = waiting.first { $0.key == key }?.change
        guard case .metadata(let metadata)? = last, case .entry(var entry)? = running[key]?.change else {
            return last ?? running[key]?.change
        }
        entry.metadata = metadata
        return .entry(entry)
    }

    /// Removes waiting uploads. Returns their number, and the waiters for them.
    mutating func forget(
        where isMeant: (CacheKey) -> Bool = { _ in true }
    ) -> (count: Int, watchers: [CheckedContinuation<Bool, Never>]) {
        let gone = waiting.filter { isMeant($0.key) }
        waiting.removeAll { isMeant($0.key) }
        bytes -= gone.reduce(0) { $0 + $1.change.bytes }
        return (gone.count, end(Set(gone.map(\.number))))
    }

    private mutating func end(_ numbers: Set<Int>) -> [CheckedContinuation<Bool, Never>] {
        for index in watchers.indices { watchers[index].numbers.subtract(numbers) }
        defer { watchers.removeAll { $0.numbers.isEmpty } }
        return watchers.filter { $0.numbers.isEmpty }.map(\.continuation)
    }

    mutating func nextWatcher() -> UInt64 {
        lastWatcher += 1
        return lastWatcher
    }

    /// Resumes with true when all that is here now has been written, of one key or of all. False: there is nothing to wait for.
    mutating func watch(_ id: UInt64, _ key: CacheKey? = nil, _ continuation: CheckedContinuation<Bool, Never>) -> Bool {
        let all = (waiting + running.values).filter { key == nil || $0.key == key }
        guard !all.isEmpty else { return false }
        watchers.append(Watcher(id: id, numbers: Set(all.map(\.number)), continuation: continuation))
        return true
    }

    /// The continuation of a cancelled waiter; nil: it was resumed already.
    mutating func takeWatcher(_ id: UInt64) -> CheckedContinuation<Bool, Never>? {
        watchers.firstIndex { $0.id == id }.map { watchers.remove(at: $0).continuation }
    }
}
