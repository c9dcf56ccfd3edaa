package import GannetCache
package import GannetCore
package import GannetPlatform
package import GannetTesting
import Glibc
import Synchronization

/// A separate folder for one test; removed at its end.
package final class CacheFolder: Sendable {
    package let path: String
    package let time = ManualTimeSource()
    package let observer = EventRecorder()
    package let files = POSIXFileSystem()

    package init() {
        path = "/tmp/gannet-test-" + Digest128(high: SystemRandomSource().next(), low: SystemRandomSource().next()).hex
    }

    deinit { try? Self.removeTree(path) }

    package func cache(
        byteLimit: Int = 1 << 20, maximumAge: Duration? = .seconds(7 * 86_400), files: (any FileSystem)? = nil,
        onClean: (@Sendable (CacheCleaning) -> Void)? = nil, change: (inout DiskCacheConfiguration) -> Void = { _ in }
    ) -> DiskCache {
        var configuration = DiskCacheConfiguration(directory: path, byteLimit: byteLimit, maximumAge: maximumAge)
        change(&configuration)
        // Calls that a test holds must not hold the threads that other tests wait for.
        let executor = files == nil ? BlockingExecutor.files : BlockingExecutor(name: "gannet-files", threads: 4)
        return DiskCache(
            configuration, files: files ?? self.files, time: time, executor: executor, observer: observer, onClean: onClean)
    }

    package func entry(_ text: String, expiration: CacheExpiration = .standard) -> CacheEntry {
        entry(Array(text.utf8), expiration: expiration)
    }

    package func entry(_ bytes: [UInt8], expiration: CacheExpiration = .standard) -> CacheEntry {
        CacheEntry(bytes: ByteRope(bytes), metadata: CacheEntryMetadata(storedAt: time.now, expiration: expiration))
    }

    /// Paths of all files below the folder, by walking it.
    package func allFiles() throws -> [String] { try Self.walk(path) }

    /// The size that `du --apparent-size` would report.
    package func sizeOnDisk() throws -> Int {
        try allFiles().reduce(0) { sum, path in sum + ((try? files.status(path).size) ?? 0) }
    }

    package func entryFiles() throws -> [String] { try allFiles().filter { $0.contains("/entries-1/") } }

    package func temporaryFiles() throws -> [String] { try allFiles().filter { $0.hasSuffix(".tmp") } }

    private static func walk(_ path: String) throws -> [String] {
        let files = POSIXFileSystem()
        guard let names = try? files.list(path) else { return [] }
        return try names.flatMap { name -> [String] in
            let inside = path + "/" + name
            guard let status = try? files.status(inside) else { return [] }
            return status.kind == .directory ? try walk(inside) : [inside]
        }
    }

    package static func removeTree(_ path: String) throws {
        let files = POSIXFileSystem()
        chmod(path, 0o700)
        guard let status = try? files.status(path) else { return }
        guard status.kind == .directory else { return try files.remove(path) }
        for name in try files.list(path) { try removeTree(path + "/" + name) }
        try files.removeDirectory(path)
    }
}

/// The observer's events, as short texts.
package final class EventRecorder: LoadObserver {
    private let recorded = Mutex<[String]>([])

    package init() {}

    package var events: [String] { recorded.withLock { $0 } }
    package func count(_ prefix: String) -> Int { events.filter { $0.hasPrefix(prefix) }.count }

    package func note(_ id: LoadID?, _ event: LoadEvent) {
        let text =
            switch event {
            case .corruptEntry(let key, _): "corrupt \(key.text)"
            case .cleaned(let reason, let count, _): "cleaned \(reason) \(count)"
            case .cacheDegraded: "degraded"
            case .cacheRecovered: "recovered"
            default: "other"
            }
        recorded.withLock { $0.append(text) }
    }
}
