#if PNG
    import FoundationEssentials
    import Gannet
    import GannetCore
    import GannetTesting
    import Glibc
    import Testing

    /// `write(to:)` with everything that may exist at its path.
    @Suite final class WritingTests {
        private let folder: String
        private let picture: DecodedImage

        init() throws {
            folder = "/tmp/gannet-writing-\(getpid())-\(UInt64.random(in: 0 ... .max))"
            try #require(mkdir(folder, 0o700) == 0)
            picture = TestImages.still(try TestImages.gradient())
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        private func status(_ name: String) -> (kind: mode_t, mode: mode_t, size: Int) {
            var status = stat()
            guard lstat(folder + "/" + name, &status) == 0 else { return (0, 0, -1) }
            return (status.st_mode & S_IFMT, status.st_mode & 0o777, Int(status.st_size))
        }

        @Test func aReplacedFileKeepsItsMode() throws {
            try picture.blockingWrite(to: folder + "/a.png")
            let size = status("a.png").size
            #expect(size > 0 && truncate(folder + "/a.png", 1) == 0 && chmod(folder + "/a.png", 0o600) == 0)
            try picture.blockingWrite(to: folder + "/a.png")
            #expect(status("a.png") == (S_IFREG, 0o600, size))
        }

        @Test func anAsyncCallWritesTheSame() async throws {
            try picture.blockingWrite(to: folder + "/a.png")
            try await picture.write(to: folder + "/b.png")
            #expect(try Data(contentsOf: URL(filePath: folder + "/a.png")) == Data(contentsOf: URL(filePath: folder + "/b.png")))
        }

        @Test func linksAreFollowed() throws {
            #expect(symlink("target.png", folder + "/link.png") == 0)
            for _ in 0..<2 {
                try picture.blockingWrite(to: folder + "/link.png")
                #expect(status("link.png").kind == S_IFLNK && status("target.png").kind == S_IFREG)
            }
        }

        @Test func pipesAreWrittenToAndStay() throws {
            let path = folder + "/pipe.png"
            #expect(mkfifo(path, 0o600) == 0)
            let reader = open(path, O_RDWR | O_NONBLOCK)
            defer { close(reader) }
            try picture.blockingWrite(to: path)
            var head = [UInt8](repeating: 0, count: 4)
            #expect(read(reader, &head, 4) == 4 && head == [0x89, 0x50, 0x4E, 0x47])
            #expect(status("pipe.png").kind == S_IFIFO)
        }

        @Test func whatCannotBeWrittenLeavesNothing() throws {
            #expect(mkdir(folder + "/inner.png", 0o700) == 0)
            for path in ["/inner.png", "/none/a.png", "/" + String(repeating: "x", count: 252) + ".png"] {
                #expect(throws: ImageError.self) { try picture.blockingWrite(to: folder + path) }
            }
            try picture.blockingWrite(to: folder + "/" + String(repeating: "x", count: 251) + ".png")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
        }
    }
#endif
