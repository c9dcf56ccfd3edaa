extension ImageError {
    /// What kind of failure it is, sorted by whose fault it is. New codes may come: keep a default case.
    public struct Code: Hashable, Sendable {
        private enum Kind: String {
            case corrupt, truncated, notAnImage, empty
            case unsupported
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

        // The data's fault.
        /// The bytes break the rules of their format.
        public static let corrupt = Code(.corrupt)
        /// The bytes end too early.
        public static let truncated = Code(.truncated)
        /// No registered coder knows these bytes.
        public static let notAnImage = Code(.notAnImage)
        /// There are no bytes at all.
        public static let empty = Code(.empty)

        // Ours.
        /// Valid, but this build or its library cannot do it.
        public static let unsupported = Code(.unsupported)

        // The policy's.
        /// Larger, longer or more than a limit allows.
        public static let limitExceeded = Code(.limitExceeded)

        // The caller's.
        /// The request or call makes no sense; the message says what to change.
        public static let misuse = Code(.misuse)

        // The world's.
        public static let network = Code(.network)
        public static let hostNotFound = Code(.hostNotFound)
        public static let connectionFailed = Code(.connectionFailed)
        public static let timedOut = Code(.timedOut)
        public static let tlsFailed = Code(.tlsFailed)
        /// The server answered with a status that is not accepted; see ``ImageError/httpStatus``.
        public static let httpStatus = Code(.httpStatus)
        /// The server broke HTTP's rules.
        public static let protocolViolation = Code(.protocolViolation)
        public static let tooManyRedirects = Code(.tooManyRedirects)
        /// The server sent a type that is not accepted.
        public static let contentType = Code(.contentType)
        /// There is no such file.
        public static let notFound = Code(.notFound)
        /// A system call on a file failed.
        public static let io = Code(.io)

        // Decisions.
        /// Only the cache was allowed, and it has nothing.
        public static let cacheMiss = Code(.cacheMiss)
        /// This source failed before and is not tried again yet.
        public static let blocked = Code(.blocked)
        /// A modifier, decryptor or policy of the user's said no.
        public static let hookRefused = Code(.hookRefused)
        public static let transformFailed = Code(.transformFailed)
        public static let encodeFailed = Code(.encodeFailed)
        public static let cancelled = Code(.cancelled)
    }
}

extension ImageError.Code: CustomStringConvertible {
    public var description: String { name }
}
