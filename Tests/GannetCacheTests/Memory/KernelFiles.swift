import GannetTestSupport

@testable import GannetPlatform

/// Files of the kernel as a test writes them: `proc/…`, and control groups as `group/…`.
struct KernelFiles {
    let folder = CacheFolder()
    private let files = POSIXFileSystem()

    init(_ contents: [String: String]) throws {
        try files.makeDirectory(folder.path)
        for (name, text) in contents.sorted(by: { $0.key < $1.key }) {
            var made = folder.path
            for part in name.split(separator: "/").dropLast() {
                made += "/" + part
                try? files.makeDirectory(made)
            }
            try files.write([Array(text.utf8)], toNew: folder.path + "/" + name, sync: false)
        }
    }

    var memory: SystemMemory { SystemMemory(proc: folder.path + "/proc", controlGroups: folder.path + "/group") }
    var processors: Processors {
        Processors(groups: ControlGroups(proc: folder.path + "/proc", root: folder.path + "/group"))
    }
}
