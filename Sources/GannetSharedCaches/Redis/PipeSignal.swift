#if Redis
    import Glibc

    /// A write to a connection that the other side has closed raises SIGPIPE, which ends programs that do not ignore it. hiredis sends
    /// without MSG_NOSIGNAL, and Linux has no such option for a socket.
    enum PipeSignal {
        /// Runs `body` with the signal blocked for this thread alone, and takes back one that it raised. The program's own settings
        /// stay as they are.
        static func withheld<R>(_ body: () -> R) -> R {
            var pipe = sigset_t()
            var before = sigset_t()
            sigemptyset(&pipe)
            sigaddset(&pipe, SIGPIPE)
            // A pending signal belongs to other code of the process.
            let wasPending = isPending
            pthread_sigmask(SIG_BLOCK, &pipe, &before)
            let result = body()
            if !wasPending, isPending {
                var noTime = timespec()
                while sigtimedwait(&pipe, nil, &noTime) == -1, errno == EINTR {}
            }
            pthread_sigmask(SIG_SETMASK, &before, nil)
            return result
        }

        private static var isPending: Bool {
            var pending = sigset_t()
            sigemptyset(&pending)
            sigpending(&pending)
            return sigismember(&pending, SIGPIPE) == 1
        }
    }
#endif
