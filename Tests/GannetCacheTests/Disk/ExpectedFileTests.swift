import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import Glibc
import Testing

/// `FileSystem.readParts` with a belief about the file: right bytes whether it is true or not.
@Suite struct ExpectedFileTests {
    private let folder = CacheFolder()

    private func path(holding bytes: [UInt8]) throws -> String {
        try folder.files.makeDirectory(folder.path)
        let path = folder.path + "/file"
        try folder.files.write([bytes], toNew: path, sync: false)
        return path
    }

    private func expectation(_ size: Int, _ kind: FileStatus.Kind = .file) -> FileStatus {
        FileStatus(kind: kind, size: size, modified: Timestamp(milliseconds: 7), inode: 0)
    }

    private func read(_ path: String, _ expected: FileStatus?, border: Int = 3) throws(ImageError) -> FileParts {
        try folder.files.readParts(path, expected: expected, headCount: 4, maximumBytes: 1 << 20, wantsTail: true) { _, _ in
            border
        }
    }

    @Test("A true belief is handed on, the bytes are the file's", arguments: [4, 5, 9000])
    func trueBelief(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let parts = try read(path(holding: bytes), expectation(count))
        #expect(parts.status == expectation(count))
        #expect(parts.head == Array(bytes[..<3]))
        #expect(parts.tail == Array(bytes[3...]))
    }

    @Test("A false belief costs a look, and nothing else", arguments: [0, 1, 8999, 9001, 20000, 1 << 19])
    func falseBelief(size: Int) throws {
        let bytes = (0..<9000).map { UInt8(truncatingIfNeeded: $0) }
        let parts = try read(path(holding: bytes), expectation(size))
        #expect(parts.status.size == 9000)
        #expect(parts.status.modified != Timestamp(milliseconds: 7))
        #expect(parts.head + parts.tail == bytes)
    }

    @Test("A border behind the end of what was expected and found is an error")
    func borderBehindTheEnd() throws {
        let path = try path(holding: [1, 2])
        #expect { try read(path, expectation(2)) } throws: { ($0 as? ImageError)?.code == .truncated }
    }

    @Test("Folders, FIFOs and links are no files, whatever was expected")
    func strangers() throws {
        let target = try path(holding: [1, 2, 3, 4])
        let places = ["folder", "fifo", "link"].map { folder.path + "/" + $0 }
        try folder.files.makeDirectory(places[0])
        try #require(mkfifo(places[1], 0o600) == 0)
        // Four bytes wait in the FIFO.
        let both = open(places[1], O_RDWR | O_CLOEXEC)
        defer { close(both) }
        try #require(write(both, [1, 2, 3, 4], 4) == 4)
        try #require(symlink(target, places[2]) == 0)
        for place in places {
            #expect(throws: ImageError.self) { try read(place, expectation(4)) }
        }
    }

    private func inMemory(_ path: String, _ expected: FileStatus?, wantsTail: Bool = true, maximumBytes: Int = 1 << 20)
        -> FileParts?
    {
        try? folder.files.partsInMemory(
            path, expected: expected, headCount: 4, maximumBytes: maximumBytes, wantsTail: wantsTail
        ) { _, _ in 3 }
    }

    @Test func onlyMissingFilesAreMissing() throws {
        try folder.files.makeDirectory(folder.path)
        let path = folder.path + "/file"
        for _ in 0..<100 {
            do { #expect(try Kernel.parts(path) == nil) } catch { #expect(error.code == .notFound) }
            do { #expect(try Kernel.parts(path + "/below") == nil) } catch { #expect(error.code == .notFound) }
        }
        #expect(symlink("nowhere", path) == 0)
        #expect(try Kernel.parts(path) == nil)
        try folder.files.remove(path)
        try folder.files.write([[1]], toNew: path, sync: false)
        // A part of the way that is no folder is something else than a missing file.
        for _ in 0..<100 { #expect(try Kernel.parts(path + "/below") == nil) }
    }

    // U-24
    @Test(
        "What the kernel has in memory is read without waiting", .enabled(if: Kernel.tells, Comment(rawValue: Kernel.comment)),
        arguments: [4, 5, 99_000])
    func inTheKernelsMemory(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let path = try path(holding: bytes)
        for expected in [nil, expectation(count)] {
            // The kernel may say at any time that it would have to wait.
            let parts = try #require((0..<100).lazy.compactMap { _ in inMemory(path, expected) }.first)
            #expect(parts.status.size == count)
            #expect(parts.head == Array(bytes[..<3]))
            #expect(parts.tail == Array(bytes[3...]))
        }
        let head = try #require((0..<100).lazy.compactMap { _ in inMemory(path, nil, wantsTail: false) }.first)
        #expect(head.head == Array(bytes[..<3]) && head.tail.isEmpty && head.status.size == count)
    }

    /// Whether or not the kernel reports what it has in memory.
    @Test("Who does not wait gives up whatever is unusual")
    func unusual() throws {
        let path = try path(holding: (0..<9000).map { UInt8(truncatingIfNeeded: $0) })
        for size in [0, 3, 8999, 9001, 40_000] { #expect(inMemory(path, expectation(size)) == nil, "\(size)") }
        #expect(inMemory(path, nil, maximumBytes: 8999) == nil)
        #expect(inMemory(folder.path, nil) == nil)
        #expect(inMemory(folder.path + "/none", nil) == nil)
        try #require(mkfifo(folder.path + "/fifo", 0o600) == 0)
        try #require(symlink(path, folder.path + "/link") == 0)
        for name in ["/fifo", "/link"] {
            for wantsTail in [true, false] { #expect(inMemory(folder.path + name, nil, wantsTail: wantsTail) == nil, "\(name)") }
        }
        try folder.files.write([[1, 2]], toNew: folder.path + "/short", sync: false)
        for wantsTail in [true, false] { #expect(inMemory(folder.path + "/short", nil, wantsTail: wantsTail) == nil) }
    }

    @Test(
        "A new file's time is the one wanted, to a second",
        arguments: [0, 500, -500, 90_000, -90_000, 4_000_000_000_000] as [Int64])
    func timeOfANewFile(difference: Int64) throws {
        try folder.files.makeDirectory(folder.path)
        let wanted = SystemTimeSource().now + .milliseconds(difference)
        try folder.files.write([[1], [2, 3]], toNew: folder.path + "/new", modified: wanted, sync: false)
        let found = try folder.files.status(folder.path + "/new")
        #expect(found.size == 3)
        #expect(abs(found.modified.milliseconds - wanted.milliseconds) <= (abs(difference) > 1000 ? 0 : 1000))
    }

    @Test("The cache reads what a stranger replaced by a longer or shorter entry, and sees that it is another file")
    func replacedEntry() async throws {
        let cache = folder.cache()
        let other = CacheFolder()
        let key = CacheKey("https://example.org/a")
        for text in ["short", String(repeating: "long", count: 99)] {
            try await cache.store(folder.entry("in the middle"), for: key)
            try await cache.flush()
            #expect(try cache.blockingEntry(for: key, touch: true)?.bytes.contiguous() == Array("in the middle".utf8))
            let stranger = other.cache()
            try await stranger.store(other.entry(text), for: key)
            try await stranger.flush()
            let from = try #require(other.allFiles().first { $0.contains("/entries-1/") })
            let to = try #require(folder.allFiles().first { $0.contains("/entries-1/") })
            try folder.files.rename(from, to: to)
            #expect(try cache.blockingEntry(for: key, touch: true)?.bytes.contiguous() == Array(text.utf8))
        }
    }
}
