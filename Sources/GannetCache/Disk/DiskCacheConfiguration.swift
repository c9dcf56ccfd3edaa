public import GannetCore
import Glibc

/// Limits and location of a ``DiskCache``. - SDWebImage: SDImageCacheConfig
public struct DiskCacheConfiguration: Sendable {
    /// Created with its parent folders if missing. A relative path starts at the working directory when the cache is created.
    /// With an empty path, nothing is stored.
    public var directory: String
    /// Bytes of all files, default 512 MiB. Exceeded by at most one entry for each running write. `Int.max`: no limit.
    public var byteLimit: Int
    /// Number of entries, default: no limit. 0: nothing is stored.
    public var countLimit: Int
    /// Larger entries are not stored; default: the limit of the cache.
    public var maximumEntryBytes: Int
    /// Default 7 days; nil: for ever. Entries may have their own expiration.
    public var maximumAge: Duration?
    /// When ``maximumAge`` starts; default: at the last use. - SDWebImage: diskCacheExpireType
    public var ageRule: CacheAgeRule
    /// How a read extends an entry's life, unless the reader overrides it; default: its time restarts.
    public var accessExtension: AccessExtension
    /// Each file is synced to the medium before it is renamed: about ten times slower. By default a power failure may lose the
    /// newest entries; checksums detect files that it cut, so that they are misses.
    public var syncsFiles: Bool
    /// Payload bytes that may wait to be written; more stores wait. Default 32 MiB.
    public var stagingBytes: Int
    /// No other process writes here, so the index answers misses without reading the disk.
    public var isSoleOwner: Bool

    /// Defaults: 512 MiB in the user's cache folder, 7 days after the last use, no limit of count or entry size.
    public init(
        directory: String = Self.defaultDirectory(), byteLimit: Int = 512 << 20, countLimit: Int = .max,
        maximumEntryBytes: Int? = nil, maximumAge: Duration? = .seconds(7 * 86_400), ageRule: CacheAgeRule = .lastUse,
        accessExtension: AccessExtension = .cacheTime, syncsFiles: Bool = false, stagingBytes: Int = 32 << 20,
        isSoleOwner: Bool = false
    ) {
        self.directory = directory
        self.byteLimit = byteLimit
        self.countLimit = countLimit
        self.maximumEntryBytes = maximumEntryBytes ?? byteLimit
        self.maximumAge = maximumAge
        self.ageRule = ageRule
        self.accessExtension = accessExtension
        self.syncsFiles = syncsFiles
        self.stagingBytes = stagingBytes
        self.isSoleOwner = isSoleOwner
    }

    /// `$XDG_CACHE_HOME/‹application›`, or `~/.cache/‹application›`. The default application is the program's file name and
    /// `/gannet`: every program gets its own cache, and clears only that. A relative `XDG_CACHE_HOME` is ignored, as the XDG
    /// Base Directory specification requires.
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

    /// The last part of a path, without the kernel's note on a file replaced while it runs.
    package static func program(_ path: String) -> String {
        let name = path.split(separator: "/").last.map { String($0) } ?? ""
        let plain = name.hasSuffix(" (deleted)") ? String(name.dropLast(" (deleted)".count)) : name
        return plain.isEmpty || plain == "." || plain == ".." ? "program" : plain
    }

    static func directory(application: String, cacheHome: String?, home: String?) -> String {
        if let cacheHome, cacheHome.hasPrefix("/") { return cacheHome + "/" + application }
        if let home, home.hasPrefix("/") { return home + "/.cache/" + application }
        if let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir {
            return ByteText.text(ofPath: folder) + "/.cache/" + application
        }
        return "/tmp/\(application)-\(getuid())"
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { ByteText.text(ofPath: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
