#if GTK
    import CGannetShims
    package import GannetCore
    import Glibc

    /// Bytes under a path that only this process can open, for libraries that read files. Nothing is on disk, and all is gone with this
    /// object.
    package final class MemoryFile: Sendable {
        private let descriptor: Int32

        var path: String { "/proc/self/fd/\(descriptor)" }

        /// Nil: there is no memory.
        package init?(_ bytes: ByteRope) {
            descriptor = gannet_gtk_memory_file()
            guard descriptor >= 0 else { return nil }
            for chunk in bytes.chunks where !write(chunk) { return nil }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        private func write(_ chunk: [UInt8]) -> Bool {
            // The pointer is used during this call only.
            chunk.withUnsafeBytes { bytes in
                var written = 0
                while written < bytes.count {
                    let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return false }
                    written += count
                }
                return true
            }
        }
    }
#endif
