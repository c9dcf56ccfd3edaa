#if Redis
    import Glibc
    import Testing

    @testable import GannetSharedCaches

    /// A Redis that goes away ends no program.
    @Suite struct PipeSignalTests {
        private var isBlocked: Bool {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            return sigismember(&mask, SIGPIPE) == 1
        }

        private var isPending: Bool {
            var pending = sigset_t()
            sigpending(&pending)
            return sigismember(&pending, SIGPIPE) == 1
        }

        /// Writes to a socket whose other end is closed.
        private func write() throws -> Int32 {
            var ends: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            close(ends[1])
            defer { close(ends[0]) }
            return PipeSignal.withheld { send(ends[0], "a", 1, 0) < 0 ? errno : 0 }
        }

        @Test func aClosedConnectionIsAnErrorAndNoSignal() throws {
            let wasBlocked = isBlocked
            #expect(try write() == EPIPE)
            #expect(isBlocked == wasBlocked && !isPending)
        }

        @Test func aThreadThatBlocksItKeepsItBlocked() throws {
            var (pipe, before) = (sigset_t(), sigset_t())
            sigemptyset(&pipe)
            sigaddset(&pipe, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &pipe, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            #expect(try write() == EPIPE)
            #expect(isBlocked && !isPending)
        }

        @Test func insideItIsBlocked() {
            let inside = PipeSignal.withheld { isBlocked }
            #expect(inside)
        }
    }
#endif
