package import GannetCore
package import GannetPlatform

/// Whether this kernel and the file system below `/tmp` report what is in memory.
package enum Kernel {
    package static let comment = "this kernel or the file system of /tmp does not tell what is in memory"
    package static let tells: Bool = {
        let folder = CacheFolder()
        try? folder.files.makeDirectory(folder.path)
        try? folder.files.write([[1]], toNew: folder.path + "/file", sync: false)
        return (0..<100).contains { _ in (try? parts(folder.path + "/file")) != nil }
    }()
    /// tmpfs does not cache failed lookups.
    package static let tellsOfMisses: Bool = {
        let folder = CacheFolder()
        try? folder.files.makeDirectory(folder.path)
        return (0..<100).contains { _ in
            _ = try? folder.files.status(folder.path + "/file")
            do { return try parts(folder.path + "/file") != nil } catch { return true }
        }
    }()

    package static func parts(_ path: String) throws(ImageError) -> FileParts? {
        try POSIXFileSystem().partsInMemory(
            path, expected: nil, headCount: 1, maximumBytes: 1, wantsTail: true, split: { _, _ in 1 })
    }
}
