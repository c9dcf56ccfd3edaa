#if CommandLine && Server
    @testable import GannetServer

    extension ThumbnailService.Configuration {
        /// Allows nothing, and leaves everything as it is.
        static var plain: Self { Self(policy: SourcePolicy(hosts: [])) }
    }
#endif
