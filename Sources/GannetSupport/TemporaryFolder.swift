#if CommandLine
    package import GannetCore
    import GannetPlatform
    import Glibc
    import Synchronization

    /// A private folder under `$TMPDIR` (else `/tmp`), removed with all its contents.
    package struct TemporaryFolder: Sendable {
        package let path: String

        /// Folders in use. Nothing is called while the lock is held.
        private static let live = Mutex<Set<String>>([])

        /// For a process that ends now, even if something still writes into the folders.
        package static func removeAll() {
            for path in live.withLock({ $0 }) { remove(path) }
        }

        package init() throws(ImageError) {
            let base = getenv("TMPDIR").map { ByteText.text(ofPath: $0) } ?? "/tmp"
            var template = ByteText.bytes(of: base + "/gannet-XXXXXX").map { CChar(bitPattern: $0) } + [0]
            guard mkdtemp(&template) != nil else {
                throw ImageError(
                    .io, stage: .store,
                    "No temporary folder can be made in \(base): \(String(cString: strerror(errno))). Set TMPDIR.")
            }
            let path = ByteText.text(ofPath: template)
            self.path = path
            Self.live.withLock { _ = $0.insert(path) }
        }

        /// Removes the folder; files that cannot be removed stay.
        package func remove() {
            Self.remove(path)
            Self.live.withLock { _ = $0.remove(path) }
        }

        private static func remove(_ path: String) {
            let files = POSIXFileSystem()
            for name in (try? files.list(path)) ?? [] {
                let child = path + "/" + name
                if (try? files.status(child))?.kind == .directory { remove(child) } else { _ = child.withPath { unlink($0) } }
            }
            _ = path.withPath { rmdir($0) }
        }
    }
#endif
