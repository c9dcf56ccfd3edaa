import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// A file system that hangs holds up its own files alone.
@Suite(.timeLimit(.minutes(2))) struct FileLanesTests {
    @Test func `Mount points are read from the kernel's table`() {
        let text = """
            22 28 0:20 / /proc rw,nosuid shared:12 - proc proc rw
            28 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
            91 28 0:41 / /mnt/two\\040words\\134x rw shared:44 - nfs4 server:/a rw
            short line
            """
        #expect(FileLanes.mounts(in: text) == ["/proc", "/", "/mnt/two words\\x"])
        #expect(FileLanes.systemMounts().contains("/proc"))
    }

    @Test func `Each file system has its lane, and the longest mount point counts`() {
        let time = ManualTimeSource()
        let mounts = Mutex(["/", "/mnt/a", "/mnt/a/b"])
        let lanes = FileLanes(time: time) { mounts.withLock { $0 } }
        let root = lanes.executor(for: "/x")
        let a = lanes.executor(for: "/mnt/a/x")
        #expect(a !== root)
        #expect(lanes.executor(for: "/mnt/a") === a && lanes.executor(for: "/mnt/a/bc") === a)
        #expect(lanes.executor(for: "/mnt/ab") === root && lanes.executor(for: "/mnt") === root)
        #expect(lanes.executor(for: "/mnt/a/b/c") !== a)
        mounts.withLock { $0.append("/late") }
        #expect(lanes.executor(for: "/late/x") === root)
        time.advance(by: .seconds(2))
        #expect(lanes.executor(for: "/late/x") !== root)
        // A bounded number of threads, however many file systems there are.
        mounts.withLock { $0 = (0..<100).map { "/m\($0)" } }
        time.advance(by: .seconds(2))
        let all = Set((0..<100).map { ObjectIdentifier(lanes.executor(for: "/m\($0)/x")) })
        #expect(all.count < 32)
    }

    @Test func `Files elsewhere are read while one file system hangs`() async throws {
        let folder = CacheFolder()
        try folder.files.makeDirectory(folder.path)
        let path = folder.path + "/good"
        try folder.files.write([[1, 2, 3]], toNew: path, sync: false)
        let (goesOn, arrived) = (Flag(), AsyncGate())
        defer { goesOn.set() }
        let files = FaultyFileSystem(folder.files) { _, path, _, _ in
            guard path.contains("/hung/") else { return nil }
            arrived.open()
            goesOn.wait()
            return 5
        }
        let hung = folder.path + "/hung"
        let loader = FileLoader(files: files, lanes: FileLanes(time: ManualTimeSource()) { ["/", hung] })
        let request: @Sendable (String) -> LoadRequest = { LoadRequest(source: .file($0), download: ResolvedDownloadOptions()) }
        let stuck = (0..<16).map { index in Task { try? await loader.load(request("\(hung)/\(index)")) } }
        await arrived.wait()
        let count = Mutex(0)
        let read = Task { @Sendable in
            guard case .bytes(let bytes) = try await loader.load(request(path)).body else { return }
            count.withLock { $0 = bytes.count }
        }
        #expect(await eventually { count.withLock { $0 } == 3 })
        goesOn.set()
        try await read.value
        for task in stuck { _ = await task.value }
    }
}
