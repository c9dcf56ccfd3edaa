public import GannetCore
import Glibc

/// What a ``DiskCache`` keeps, and where. - SDWebImage: SDImageCacheConfig
public struct DiskCacheConfiguration: Sendable {
    /// When a stored file counts as safe.
    public enum Durability: Hashable, Sendable {
        /// After the rename: survives the end of the process, not of the machine. A file that a power failure cut is found
        /// by its checksum and is a miss.
        case rename
        /// After fsync and rename: about ten times slower.
        case sync
    }

    /// Made when it is not there, with the folders above it. A relative path begins at the folder that the program works in when the
    /// cache is made. An empty one cannot be used: nothing is stored.
    public var directory: String
    /// Bytes of all files, default 512 MiB. Never exceeded by more than one entry for each running write. `Int.max`: no limit.
    public var byteLimit: Int
    /// Entries, default: no limit. 0: nothing is stored.
    public var countLimit: Int
    /// Larger entries are not stored; default: the limit of the cache.
    public var maximumEntryBytes: Int
    /// Default 7 days; nil: for ever. Entries may have an expiration of their own.
    public var maximumAge: Duration?
    /// From when ``maximumAge`` counts; default: the last use. - SDWebImage: diskCacheExpireType
    public var ageRule: CacheAgeRule
    /// What reading an entry does to its end, unless the reader says otherwise; default: its time starts again.
    public var accessExtension: AccessExtension
    /// What a store waits for; default `rename`: never a broken entry, but the newest may be lost when power fails.
    public var durability: Durability
    /// Payload bytes that may wait for being written; storing more waits. Default 32 MiB.
    public var stagingBytes: Int
    /// No other process writes here, so that the index answers misses without looking at the disk.
    public var isSoleOwner: Bool

    /// 512 MiB in the user's cache folder, entries kept for 7 days after their last use, any number of them, each as large as the
    /// whole.
    public init(
        directory: String = Self.defaultDirectory(), byteLimit: Int = 512 << 20, countLimit: Int = .max,
        maximumEntryBytes: Int? = nil, maximumAge: Duration? = .seconds(7 * 86_400), ageRule: CacheAgeRule = .lastUse,
        accessExtension: AccessExtension = .cacheTime, durability: Durability = .rename, stagingBytes: Int = 32 << 20,
        isSoleOwner: Bool = false
    ) {
        self.directory = directory
        self.byteLimit = byteLimit
        self.countLimit = countLimit
        self.maximumEntryBytes = maximumEntryBytes ?? byteLimit
        self.maximumAge = maximumAge
        self.ageRule = ageRule
        self.accessExtension = accessExtension
        self.durability = durability
        self.stagingBytes = stagingBytes
        self.isSoleOwner = isSoleOwner
    }

    /// `$XDG_CACHE_HOME/‹application›`, else `~/.cache/‹application›`; by default under the name of the program's file and `/gannet`, so that
    /// programs have caches of their own, and one that clears its cache leaves the others theirs. A relative `XDG_CACHE_HOME` is ignored, as the XDG Base
    /// Directory specification asks.
    public static func defaultDirectory(application: String? = nil) -> String {
        directory(
            application: application ?? ofThisProgram + "/gannet", cacheHome: environment("XDG_CACHE_HOME"),
            home: environment("HOME"))
    }

    private static let ofThisProgram: String = {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        guard count > 0 else { return program(CommandLine.arguments.first ?? "") }
        return program(String(decoding: path.prefix(count).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self))
    }()

    /// The last part of a path; that of a file which was replaced while it runs has a note of the kernel behind it.
    package static func program(_ path: String) -> String {
        let name = path.split(separator: "/").last.map { String($0) } ?? ""
        let plain = name.hasSuffix(" (deleted)") ? String(name.dropLast(" (deleted)".count)) : name
        return plain.isEmpty || plain == "." || plain == ".." ? "program" : plain
    }

    static func directory(application: String, cacheHome: String?, home: String?) -> String {
        if let cacheHome, cacheHome.hasPrefix("/") { return cacheHome + "/" + application }
        if let home, home.hasPrefix("/") { return home + "/.cache/" + application }
        if let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir {
            return String(cString: folder) + "/.cache/" + application
        }
        return "/tmp/\(application)-\(getuid())"
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
