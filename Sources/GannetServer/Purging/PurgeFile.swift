#if Server
    import GannetCore
    import GannetPlatform
    import Glibc
    import Synchronization

    /// The records of a machine, beside the entries of its cache: they outlive the process, and other processes with the same folder read them.
    ///
    /// Lines of text, appended under a lock of the file and written to the medium before anything counts as purged. A line that was cut off is
    /// ignored. Blocks.
    final class PurgeFile: Sendable {
        /// A purge's own name, so that a signed request counts once.
        struct Nonce: Hashable, Sendable {
            var digest: Digest128
            /// When it may be forgotten.
            var end: Timestamp
        }

        /// The contents of the file.
        struct Contents: Sendable {
            var floor = PurgeMoment(number: 0, learned: 0)
            var records: [(PurgeRecord, learned: Int64)] = []
            var nonces: [Nonce] = []
        }

        static let name = "purges"
        /// Larger files are not read. Twice the records that are remembered are smaller.
        private static let maximumBytes = 32 << 20

        let path: String
        /// The size at the last look: it grows with each purge.
        private let known = Mutex<(size: Int, inode: UInt64)>((-1, 0))

        /// `folder`: of the cache. Nothing is created yet.
        init(folder: String) { path = folder + "/" + Self.name }

        /// Nil: it is as it was at the last look.
        func readChanges() throws(ImageError) -> Contents? {
            var status = stat()
            guard path.withPath({ stat($0, &status) }) == 0 else { return nil }
            let now = (size: Int(status.st_size), inode: UInt64(status.st_ino))
            guard known.withLock({ $0 != now }) else { return nil }
            let contents = Self.contents(of: try POSIXFileSystem().read(path, maximumBytes: Self.maximumBytes, nofollow: true))
            known.withLock { $0 = now }
            return contents
        }

        /// Returns when the medium has it. A missing folder is created, as the cache does.
        func append(_ records: [PurgeRecord], floor: Int64, learned: Int64, nonce: Nonce?) throws(ImageError) {
            var folder = ""
            for part in path.split(separator: "/").dropLast() {
                folder += "/" + part
                if (try? POSIXFileSystem().status(folder)) == nil { try POSIXFileSystem().makeDirectory(folder) }
            }
            var contents = Contents()
            if floor > 0 { contents.floor = PurgeMoment(number: floor, learned: learned) }
            contents.records = records.map { ($0, learned) }
            contents.nonces = nonce.map { [$0] } ?? []
            try locked { descriptor throws(ImageError) in
                // The line before may have been cut off.
                try Self.write(Array("\n".utf8) + Self.text(of: contents), to: descriptor, path)
            }
        }

        /// Writes the file anew without what was replaced. `change` gets all that it has, also from other processes.
        func compact(_ change: (Contents) -> Contents) throws(ImageError) {
            var status = stat()
            guard path.withPath({ stat($0, &status) }) == 0 else { return }
            try locked { _ throws(ImageError) in
                let files = POSIXFileSystem()
                let old = Self.contents(of: try files.read(path, maximumBytes: Self.maximumBytes, nofollow: true))
                let made = path + ".new"
                try? files.remove(made)
                do throws(ImageError) {
                    try files.write([Self.text(of: change(old))], toNew: made, sync: true)
                    try files.rename(made, to: path)
                } catch {
                    try? files.remove(made)
                    throw error
                }
            }
        }

        // MARK: The lock

        /// Waits for a second at most: others hold it for one write.
        private func locked(_ body: (CInt) throws(ImageError) -> Void) throws(ImageError) {
            for _ in 0..<100 {
                let descriptor = path.withPath { open($0, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
                guard descriptor >= 0 else { throw WholeFile.failure("opened", path) }
                defer { close(descriptor) }
                if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                    var (own, current) = (stat(), stat())
                    // Another process may have written it anew meanwhile.
                    if fstat(descriptor, &own) == 0, path.withPath({ stat($0, &current) }) == 0, own.st_ino == current.st_ino {
                        return try body(descriptor)
                    }
                }
                usleep(10_000)
            }
            throw ImageError(.io, stage: .store, "\(path) is locked by another process; try again.")
        }

        private static func write(_ bytes: [UInt8], to descriptor: CInt, _ path: String) throws(ImageError) {
            var done = 0
            while done < bytes.count {
                let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, bytes.count - done) }
                if count >= 0 { done += count } else if errno != EINTR { throw WholeFile.failure("written", path) }
            }
            guard fdatasync(descriptor) == 0 else { throw WholeFile.failure("written", path) }
        }

        // MARK: Text

        /// `f NUMBER LEARNED`, `r NUMBER LEARNED SCOPE` and `n END NONCE`, each with its end.
        static func text(of contents: Contents) -> [UInt8] {
            var text = ""
            if contents.floor.number > 0 { text += "f \(contents.floor.number) \(contents.floor.learned)\n" }
            for (record, learned) in contents.records { text += "r \(record.number) \(learned) \(record.scope.hex)\n" }
            for nonce in contents.nonces { text += "n \(nonce.end.milliseconds) \(nonce.digest.hex)\n" }
            return Array(text.utf8)
        }

        /// Lines that cannot be read are left out.
        static func contents(of bytes: [UInt8]) -> Contents {
            var contents = Contents()
            guard let end = bytes.lastIndex(of: 10) else { return contents }
            for line in bytes[...end].split(separator: 10) {
                let words = line.split(separator: 32).map { String(decoding: $0, as: UTF8.self) }
                guard words.count > 2, let number = Int64(words[1]), number > 0 else { continue }
                switch (words[0], words.count) {
                case ("f", 3):
                    guard let learned = Int64(words[2]), number > contents.floor.number else { continue }
                    contents.floor = PurgeMoment(number: number, learned: learned)
                case ("r", 4):
                    guard let learned = Int64(words[2]), let scope = Digest128(hex: words[3]) else { continue }
                    contents.records.append((PurgeRecord(scope: scope, number: number), learned))
                case ("n", 3):
                    guard let digest = Digest128(hex: words[2]) else { continue }
                    contents.nonces.append(Nonce(digest: digest, end: Timestamp(milliseconds: number)))
                default: continue
                }
            }
            return contents
        }
    }

    extension Digest128 {
        /// 32 lower-case hexadecimal digits; nil for all else.
        init?(hex text: String) {
            guard text.utf8.count == 32, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
                let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
            else { return nil }
            self.init(high: high, low: low)
        }
    }
#endif
