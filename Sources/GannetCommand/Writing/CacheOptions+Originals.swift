#if CommandLine
    import GannetCore

    extension CacheOptions {
        /// For files that users keep: made of the source's own bytes. A variant on disk has gone through an encoder that loses something,
        /// so a second run would write another file than the first.
        mutating func usesOriginalsOnly() {
            read = .memory
            readOriginal = .disk
        }
    }
#endif
