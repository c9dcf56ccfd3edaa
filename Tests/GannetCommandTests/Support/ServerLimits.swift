#if CommandLine && HTTP
    @testable import gannet

    extension ThumbnailServer.Limits {
        /// Nothing ends by itself, on the slowest machine.
        static let patient = ThumbnailServer.Limits(idle: .seconds(9999), request: .seconds(9999))
    }
#endif
