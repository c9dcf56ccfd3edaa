#if CommandLine
    import ArgumentParser
    import GannetCore
    import GannetSandbox

    /// Where images are decoded.
    enum SandboxChoice: String, ExpressibleByArgument, CaseIterable {
        /// Libraries in C in worker processes that can do nothing else; in this process where the system allows none.
        case auto
        /// Everything in worker processes, or not at all.
        case require
        /// In this process, but for coders that work in the sandbox alone.
        case no
    }

    extension LimitOptions {
        /// Written once, however many images follow.
        private static let note: Void = {
            guard let error = SandboxPool.shared.unavailability() else { return }
            Console.warn(
                "\(error.message) Images are decoded in this process, where a hole in a decoder is one in the program. --sandbox no keeps this note away, --sandbox require refuses to work instead."
            )
        }()

        /// For files of `source`; nil: each file is another's. Blocking: tries the sandbox. Throws `sandboxUnavailable` where one is
        /// required.
        func places(for source: ImageSource? = nil) throws(ImageError) -> DecodePlaces {
            let pool = SandboxPool.shared
            if sandbox != .no, let error = pool.unavailability() {
                if sandbox == .require { throw error }
                _ = Self.note
            }
            let isolation: DecodeIsolation =
                switch sandbox {
                case .auto, nil: .automatic
                case .require: .sandboxed
                case .no: .inProcess
                }
            var places = DecodePlaces(sandbox: pool, isolation: isolation)
            places.origin = source.flatMap { ImageOrigin(of: $0) }
            return places
        }
    }
#endif
