import GannetTesting
import Glibc
import Synchronization
import Testing

@testable import GannetCore
@testable import GannetPlatform

/// Pipes, devices and odd times among files.
@Suite(.timeLimit(.minutes(10))) final class SpecialFilesTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/gannet-special-XXXXXX".utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
    }

    deinit {
        for name in ["/pipe", "/file"] { unlink(folder + name) }
        rmdir(folder)
    }

    private func pipe() throws -> String {
        try #require(mkfifo(folder + "/pipe", 0o600) == 0)
        return folder + "/pipe"
    }

    @Test func `A pipe that nobody writes to is an error, not a wait for ever`() throws {
        let path = try pipe()
        let files = POSIXFileSystem(pipePatience: .milliseconds(1))
        var error = #expect(throws: ImageError.self) { try files.read(path, maximumBytes: 100, nofollow: false) }
        #expect(error?.code == .timedOut)
        error = #expect(throws: ImageError.self) { try files.readHead(path, count: 10, nofollow: false) }
        #expect(error?.code == .timedOut)
        // Held open by a writer that writes nothing.
        let writer = open(path, O_RDWR)
        defer { close(writer) }
        error = #expect(throws: ImageError.self) { try files.read(path, maximumBytes: 100, nofollow: false) }
        #expect(error?.code == .timedOut)
    }

    @Test func `Who no longer waits for a pipe keeps no thread`() async throws {
        let path = try pipe()
        let writer = open(path, O_RDWR)
        defer { close(writer) }
        let reader = BlockingExecutor(name: "test-reader", threads: 1)
        let isReading = Atomic(false)
        let task = Task {
            try await reader.run { () throws(ImageError) in
                isReading.store(true, ordering: .relaxed)
                return try POSIXFileSystem(pipePatience: .seconds(60)).read(path, maximumBytes: 100, nofollow: false)
            }
        }
        #expect(await eventually { isReading.load(ordering: .relaxed) })
        task.cancel()
        let error = await #expect(throws: ImageError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `A pipe is read to the end of its last writer`() async throws {
        let path = try pipe()
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        async let written = Self.write(bytes, to: path)
        #expect(
            try await Self.files { files throws(ImageError) in try files.read(path, maximumBytes: bytes.count, nofollow: false) }
                == bytes)
        #expect(try await written == bytes.count)
    }

    /// As much as a pipe holds, so that the writer is done before the reader turns away.
    @Test func `Of a pipe no more is read than is wanted`() async throws {
        let path = try pipe()
        let bytes = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        async let first = Self.write(bytes, to: path)
        let error = await #expect(throws: ImageError.self) { () async throws in
            try await Self.files { files throws(ImageError) in
                try files.read(path, maximumBytes: bytes.count - 1, nofollow: false)
            }
        }
        #expect(error?.code == .limitExceeded)
        #expect(try await first == bytes.count)
        async let second = Self.write(bytes, to: path)
        #expect(
            try await Self.files { files throws(ImageError) in try files.readHead(path, count: 100, nofollow: false) }
                == Array(bytes[..<100]))
        #expect(try await second == bytes.count)
    }

    private static func files(_ body: @Sendable @escaping (POSIXFileSystem) throws(ImageError) -> [UInt8]) async throws -> [UInt8]
    {
        try await BlockingExecutor(name: "test-reader", threads: 1).run { () throws(ImageError) in
            // The writer may wait for a processor as long.
            try body(POSIXFileSystem(pipePatience: .seconds(600)))
        }
    }

    /// Opens the pipe when its reader does, on a thread that no other work needs. Returns how many bytes the kernel took.
    private static func write(_ bytes: [UInt8], to path: String) async throws -> Int {
        try await BlockingExecutor(name: "test-writer", threads: 1).run { () throws(ImageError) in
            let file = open(path, O_WRONLY)
            defer { close(file) }
            return Glibc.write(file, bytes, bytes.count)
        }
    }

    @Test func `A device without an end is too large`() throws {
        let error = #expect(throws: ImageError.self) {
            try POSIXFileSystem().read("/dev/zero", maximumBytes: 1 << 20, nofollow: false)
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: [Int.max, Int.min, Int.max / 1000, -1, 0]) func `Any time of modification`(seconds: Int) throws {
        let path = "/dev/shm/gannet-special-\(getpid())-\(seconds)"
        defer { unlink(path) }
        let file = open(path, O_CREAT | O_WRONLY, 0o600)
        try #require(file >= 0)
        close(file)
        // The kernel rounds times that the file system cannot represent.
        var times = [timespec(tv_sec: seconds, tv_nsec: 999_999_999), timespec(tv_sec: seconds, tv_nsec: 999_999_999)]
        #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
        let status = try POSIXFileSystem().status(path)
        #expect(status.kind == .file)
        #expect((status.modified.milliseconds < 0) == (seconds < 0))
    }
}
