import GannetCore
import GannetPipeline
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
