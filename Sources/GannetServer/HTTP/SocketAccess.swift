#if Server
    import GannetCore
    package import Glibc

    /// Who may connect to a socket in the file system. Its folder can exclude more.
    package struct SocketAccess: Sendable {
        /// Write permission is what a client needs. By default every user of this machine has it, as with a port of the loopback: a proxy runs
        /// as a user of its own.
        package var mode: mode_t = 0o666
        /// Nil: the group of this process.
        package var group: gid_t?

        package init() {}

        /// Throws `io`. The system creates a socket with fewer rights, so that nobody is let in meanwhile.
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
