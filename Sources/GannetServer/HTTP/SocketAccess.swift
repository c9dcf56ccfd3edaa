#if Server
    import GannetCore
    package import Glibc

    /// The clients that may connect to a socket in the file system. Its folder can exclude more.
    package struct SocketAccess: Sendable {
        /// A client needs write permission. By default every user of this machine has it, as for a port on the loopback: a proxy runs as another
        /// user.
        package var mode: mode_t = 0o666
        /// Nil: the group of this process.
        package var group: gid_t?

        package init() {}

        /// Throws `io`. The system creates the socket with fewer rights, so no client can connect too early.
        func apply(to path: String) throws(ImageError) {
            if let group, chown(path, uid_t.max, group) != 0 { throw Self.failed(path, "given to its group") }
            if chmod(path, mode) != 0 { throw Self.failed(path, "given its mode") }
        }

        private static func failed(_ path: String, _ what: String) -> ImageError {
            let reason = String(cString: strerror(errno))
            return ImageError(
                .io, stage: .load,
                "\(path) cannot be \(what): \(reason). Only a member of a group may give it a socket; see --unix-socket-group.")
        }
    }
#endif
