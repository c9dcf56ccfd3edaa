extension ImageError {
    /// The kind of failure, grouped by responsibility. New codes may be added: keep a default case.
    public struct Code: Hashable, Sendable {
        private enum Kind: String {
            case corrupt, truncated, notAnImage, empty
            case unsupported, decoderCrashed, sandboxUnavailable
            case limitExceeded
            case misuse
            case network, hostNotFound, connectionFailed, timedOut, tlsFailed, httpStatus, protocolViolation, tooManyRedirects
            case contentType
            case notFound, io
            case cacheMiss, blocked, hookRefused
            case transformFailed, encodeFailed
            case cancelled
        }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// Stable, lower camel case; what `--json` prints.
        public var name: String { kind.rawValue }

        // Caused by the data.
        /// The bytes break the rules of their format.
        public static let corrupt = Code(.corrupt)
        /// The bytes end too early.
        public static let truncated = Code(.truncated)
        /// No registered coder knows these bytes.
        public static let notAnImage = Code(.notAnImage)
        /// There are no bytes at all.
        public static let empty = Code(.empty)

        // Caused by Gannet or its libraries.
        /// Valid, but not supported by this build or its library.
        public static let unsupported = Code(.unsupported)

        /// The library that decoded the image ended its process, or broke the rules of the sandbox. The message names the format,
        /// the coder and the signal. Gannet does not try the file again.
        public static let decoderCrashed = Code(.decoderCrashed)
        /// The image must be decoded in a sandbox, and this system does not allow one; the message says what is missing.
        public static let sandboxUnavailable = Code(.sandboxUnavailable)

        // Caused by a policy.
        /// Larger, longer or more than a limit allows.
        public static let limitExceeded = Code(.limitExceeded)

        // Caused by the caller.
        /// The request or call makes no sense; the message says what to change.
        public static let misuse = Code(.misuse)

        // Caused by the environment.
        /// An established connection broke, or the response ended too early.
        public static let network = Code(.network)
        /// The host's name cannot be resolved.
        public static let hostNotFound = Code(.hostNotFound)
        /// No server answers at the address, or it refuses the connection. Also for proxies.
        public static let connectionFailed = Code(.connectionFailed)
        /// One of the ``LoadDeadlines`` has passed.
        public static let timedOut = Code(.timedOut)
        /// No secure connection could be made: the certificate is not trusted, or there is no common protocol.
        public static let tlsFailed = Code(.tlsFailed)
        /// The server answered with a status that is not accepted; see ``ImageError/httpStatus``.
        public static let httpStatus = Code(.httpStatus)
        /// The server broke HTTP's rules.
        public static let protocolViolation = Code(.protocolViolation)
        /// More redirects than the downloader follows.
        public static let tooManyRedirects = Code(.tooManyRedirects)
        /// The server sent a type that is not accepted.
        public static let contentType = Code(.contentType)
        /// There is no such file.
        public static let notFound = Code(.notFound)
        /// A system call on a file failed.
        public static let io = Code(.io)

        // Decisions.
        /// Only the cache was allowed, and it has no entry.
        public static let cacheMiss = Code(.cacheMiss)
        /// This source failed before and is not tried again yet.
        public static let blocked = Code(.blocked)
        /// A modifier, a decryptor or a policy of the program refused.
        public static let hookRefused = Code(.hookRefused)
        /// A transformer could not make its image.
        public static let transformFailed = Code(.transformFailed)
        /// The image cannot be written as requested.
        public static let encodeFailed = Code(.encodeFailed)
        /// The caller's task was cancelled, or no caller was waiting any more.
        public static let cancelled = Code(.cancelled)
    }
}

extension ImageError.Code: CustomStringConvertible {
    public var description: String { name }
}
