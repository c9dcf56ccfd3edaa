import Foundation
import GRDB
import GannetCache
public import GannetCore
import GannetPlatform

/// Entries in one SQLite database. One row an entry: the key's text, the whole entry as `CacheEntry.encoded` writes it, its size
/// and its last use. The least recently used rows leave in the transaction that would exceed the limit, so the limit holds
/// always.
public final class SQLiteCache: ImageCaching {
    public let identifier: String
    private let pool: DatabasePool
    private let byteLimit: Int
    private let time: any TimeSource

    /// `byteLimit`: of the entries; the database's own pages come on top. Throws `io` if the database cannot be opened.
    public init(path: String, byteLimit: Int, time: any TimeSource = SystemTimeSource()) throws(ImageError) {
        identifier = "sqlite:" + path
        self.byteLimit = byteLimit
        self.time = time
        pool = try Self.translate {
            var configuration = Configuration()
            configuration.busyMode = .timeout(10)
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE IF NOT EXISTS entry
                            (key TEXT PRIMARY KEY, entry BLOB NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL);
                        CREATE INDEX IF NOT EXISTS entryByUse ON entry (used, size);
                        """)
            }
            return pool
        }
    }

    public func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
        try await onFileThread { () throws(ImageError) in try self.blockingEntry(for: key, touch: touch) }
    }

    public func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? {
        let row = try Self.translate {
            try pool.read { try Row.fetchOne($0, sql: "SELECT entry, used FROM entry WHERE key = ?", arguments: [key.text]) }
        }
        guard let row, let bytes: DatabaseValue = row["entry"], case .blob(let data) = bytes.storage else { return nil }
        guard var entry = try? CacheEntry(encoded: Array(data), for: key) else {
            try write { try $0.execute(sql: "DELETE FROM entry WHERE key = ?", arguments: [key.text]) }
            return nil
        }
        entry.metadata.lastUsed = Timestamp(milliseconds: row["used"])
        if hasEnded(entry.metadata) {
            try write { try $0.execute(sql: "DELETE FROM entry WHERE key = ?", arguments: [key.text]) }
            return nil
        }
        if touch {
            let now = time.now
            try write {
                try $0.execute(sql: "UPDATE entry SET used = ? WHERE key = ?", arguments: [now.milliseconds, key.text])
            }
            entry.metadata.lastUsed = now
        }
        return entry
    }

    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        try await entry(for: key, touch: false)?.metadata
    }

    public func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
        if entry.metadata.expiration == .expired || entry.metadata.freshness.forbidsStoring { return try await remove(key) }
        try await onFileThread { () throws(ImageError) in try self.put(entry, for: key) }
    }

    public func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        try await onFileThread { () throws(ImageError) in
            guard var entry = try self.blockingEntry(for: key, touch: false) else { return }
            entry.metadata = metadata
            try self.put(entry, for: key)
        }
    }

    public func remove(_ key: CacheKey) async throws(ImageError) {
        try await change("DELETE FROM entry WHERE key = ?", [key.text])
    }

    public func removeAll(prefix: String) async throws(ImageError) {
        try await change("DELETE FROM entry WHERE substr(key, 1, length(?1)) = ?1", [prefix])
    }

    public func removeAll() async throws(ImageError) { try await change("DELETE FROM entry", []) }

    public func contains(_ key: CacheKey) async -> Bool { ((try? await metadata(for: key)) ?? nil) != nil }

    public func usage() async throws(ImageError) -> CacheUsage {
        try await onFileThread { () throws(ImageError) in
            try Self.translate {
                try self.pool.read { database in
                    let row = try Row.fetchOne(database, sql: "SELECT count(*), coalesce(sum(size), 0) FROM entry")
                    return CacheUsage(count: row?[0] ?? 0, bytes: row?[1] ?? 0)
                }
            }
        }
    }

    /// Every transaction is in the database when its call returns.
    public func flush() async throws(ImageError) {}

    private func put(_ entry: CacheEntry, for key: CacheKey) throws(ImageError) {
        let bytes = try entry.encoded(for: key, writtenAt: time.now)
        let limit = byteLimit
        try write { database in
            try database.execute(sql: "DELETE FROM entry WHERE key = ?", arguments: [key.text])
            guard bytes.count <= limit else { return }
            try database.execute(
                sql: """
                    DELETE FROM entry WHERE key IN (
                        SELECT key FROM (SELECT key, sum(size) OVER (ORDER BY used DESC, key) AS kept FROM entry) WHERE kept > ?)
                    """, arguments: [limit - bytes.count])
            try database.execute(
                sql: "INSERT INTO entry VALUES (?, ?, ?, ?)",
                arguments: [key.text, Data(bytes), bytes.count, entry.metadata.lastUsed.milliseconds])
        }
    }

    private func hasEnded(_ metadata: CacheEntryMetadata) -> Bool {
        switch metadata.expiration {
        case .standard, .never: false
        case .after(let duration): metadata.lastUsed + duration <= time.now
        case .at(let date): date <= time.now
        case .expired: true
        }
    }

    private func change(_ sql: String, _ arguments: StatementArguments) async throws(ImageError) {
        try await onFileThread { () throws(ImageError) in
            try self.write { try $0.execute(sql: sql, arguments: arguments) }
        }
    }

    private func write(_ body: (Database) throws -> Void) throws(ImageError) {
        try Self.translate { try pool.write(body) }
    }

    /// Blocking work runs on the threads for files, never on the cooperative pool.
    private func onFileThread<Value: Sendable>(_ body: @Sendable @escaping () throws(ImageError) -> Value)
        async
        throws(ImageError) -> Value
    {
        try await BlockingExecutor.files.run(body)
    }

    private static func translate<Value>(_ body: () throws -> Value) throws(ImageError) -> Value {
        do { return try body() } catch {
            throw ImageError(.io, stage: .cache, "The database failed: \(error)", underlying: error)
        }
    }
}
