#if CommandLine && Server
    @testable import GannetServer
    @testable import gannet

    extension ThumbnailServer.Limits {
        /// No deadline comes in time, not on the slowest machine either.
        static let patient = ThumbnailServer.Limits(idle: .seconds(9999), request: .seconds(9999))
    }
#endif
