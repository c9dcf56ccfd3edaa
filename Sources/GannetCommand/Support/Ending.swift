#if CommandLine
    import GannetCore
    import Glibc

    /// The process's end while other threads are still working.
    enum Ending {
        /// Leaves no half-written files and no folders of its own, and the terminal as it was found. At once: other threads must not meet libraries that were
        /// taken down already.
        static func now(_ status: Int32) -> Never {
            TerminalKeys.restore()
            WholeFile.removeUnfinished()
            TemporaryFolder.removeAll()
            _exit(status)
        }
    }
#endif
