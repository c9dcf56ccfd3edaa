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

        /// `standard` is the command's choice for users who make none. Blocking: tries the sandbox. Throws `sandboxUnavailable`
        /// where one is required.
        func places(_ standard: SandboxChoice = .no) throws(ImageError) -> DecodePlaces {
            let choice = sandbox ?? standard
            guard choice != .no else { return DecodePlaces() }
            let pool = SandboxPool.shared
            if let error = pool.unavailability() {
                if choice == .require { throw error }
                _ = Self.note
                return DecodePlaces()
            }
            return DecodePlaces(sandbox: pool, isolation: choice == .require ? .sandboxed : .automatic)
        }
    }
#endif
