import GannetCore
import Glibc
import Testing

@testable import GannetPlatform

/// Locks on files, as owners of a cache's folder hold them.
@Suite struct FileLockTests {
    private let files = POSIXFileSystem()

    private func inFolder(_ body: (_ folder: String) throws -> Void) throws {
        var template = Array("/tmp/gannet-test-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        let folder = String(cString: made)
        defer {
            unlink(folder + "/a.lock")
            rmdir(folder)
        }
        try body(folder)
    }

    /// The events of names in the folder since the watch began, as the kernel reports them.
    private func events(_ watch: Int32) throws -> [(name: String, mask: UInt32)] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(watch, &buffer, buffer.count)
        try #require(count >= 0 || errno == EAGAIN)
        var (events, position): ([(String, UInt32)], Int) = ([], 0)
        while position < count {
            buffer.withUnsafeBytes { bytes in
                let mask = bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
                let length = Int(bytes.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self))
                let name = bytes[(position + 16)..<(position + 16 + length)].prefix { $0 != 0 }
                events.append((String(decoding: name, as: UTF8.self), mask))
                position += 16 + length
            }
        }
        return events
    }

    /// A lock file that is created under its name is unlocked for a moment, in which a cleanup could lock it first. On file
    /// systems that support files without a name, it is locked when it appears.
    @Test(.enabled(if: canMakeUnnamedFiles)) func aLockIsHeldWhenItsNameAppears() throws {
        try inFolder { folder in
            let watch = inotify_init1(Int32(0o4000))  // IN_NONBLOCK
            try #require(watch >= 0)
            defer { close(watch) }
            let (created, opened): (UInt32, UInt32) = (0x100, 0x20)
            try #require(inotify_add_watch(watch, folder, created | opened) >= 0)
            let lock = try files.lock(folder + "/a.lock")
            #expect(lock != nil)
            #expect(try events(watch).filter { $0.name == "a.lock" }.map(\.mask) == [created])
            withExtendedLifetime(lock) {}
        }
    }

    private static var canMakeUnnamedFiles: Bool {
        let number = open("/tmp", O_RDWR | 0o20000000 | O_DIRECTORY, 0o600)
        if number >= 0 { close(number) }
        return number >= 0
    }

    @Test func oneHoldsItAtATime() throws {
        try inFolder { folder in
            let path = folder + "/a.lock"
            var first = try files.lock(path)
            #expect(first?.write([1, 2, 3], at: 1) == true)
            #expect(try files.lock(path) == nil)
            #expect(first?.read(at: 0, count: 9) == [0, 1, 2, 3])
            #expect(try files.status(path).size == 4)
            first = nil
            let second = try #require(try files.lock(path))
            #expect(second.read(at: 2, count: 1) == [2])
            // Removed by a cleanup: a new lock file is made.
            try files.remove(path)
            let third = try #require(try files.lock(path))
            #expect(third.read(at: 0, count: 9) == [])
            #expect(try files.lock(path) == nil)
        }
    }

    @Test func noFolderNoLock() throws {
        try inFolder { folder in
            let failure = #expect(throws: ImageError.self) { try files.lock(folder + "/none/a.lock") }
            #expect(failure?.code == .notFound)
        }
    }
}
