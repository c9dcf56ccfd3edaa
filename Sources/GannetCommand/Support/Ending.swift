#if CommandLine
    import GannetCore
    import GannetPlatform
    import GannetSupport
    import Glibc

    /// Ends the process while other threads are still working.
    enum Ending {
        /// Exits at once, after removing half-written files and this process's temporary folders, and after restoring the
        /// terminal. Skips the exit handlers, because other threads must not run into libraries that are already torn down.
        static func now(_ status: Int32) -> Never {
            TerminalKeys.restore()
            WholeFile.removeUnfinished()
            TemporaryFolder.removeAll()
            _exit(status)
        }
    }
#endif
