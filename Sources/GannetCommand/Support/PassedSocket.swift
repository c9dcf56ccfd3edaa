#if CommandLine && Server
    import GannetCore
    import Glibc

    /// A socket that listens already, from the service manager that started this process (systemd's `sd_listen_fds(3)`): it is
    /// number 3, and `LISTEN_PID` and `LISTEN_FDS` say so.
    enum PassedSocket {
        private static let first: CInt = 3

        /// The socket, which is now the caller's to close; nil if none was passed. Throws `misuse` for several, and for one that does
        /// not listen. Processes that this one starts get neither the socket nor the variables.
        static func take() throws(ImageError) -> CInt? {
            let variable = { (name: String) in getenv(name).map { String(cString: $0) } }
            guard let process = variable("LISTEN_PID").flatMap({ pid_t($0) }), process == getpid(),
                let count = variable("LISTEN_FDS").flatMap({ Int32($0) }), count > 0
            else { return nil }
            for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
            guard count == 1 else {
                throw wrong("\(count) sockets were passed, and serve listens on one. Use one ListenStream=.")
            }
            guard listens(first) else { throw wrong("The descriptor that was passed is no listening socket. Use ListenStream=.") }
            guard fcntl(first, F_SETFD, FD_CLOEXEC) == 0 else {
                throw wrong("The socket that was passed cannot be used: \(String(cString: strerror(errno))).")
            }
            return first
        }

        private static func listens(_ socket: CInt) -> Bool {
            func option(_ name: CInt) -> CInt? {
                var (value, length) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
                return getsockopt(socket, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
            }
            return option(SO_ACCEPTCONN) == 1 && option(SO_TYPE) == CInt(SOCK_STREAM.rawValue)
        }

        private static func wrong(_ message: String) -> ImageError { ImageError(.misuse, stage: .load, message) }
    }
#endif
