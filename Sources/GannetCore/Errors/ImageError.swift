public import FoundationEssentials

/// The one error of Gannet: what went wrong, where, and what to do about it.
public struct ImageError: Error, Sendable {
    /// On the heap, because every function that throws keeps room for the error in its frame.
    private struct Parts: Sendable {
        var code: Code
        var stage: LoadStage?
        var message: String
        var source: String?
        var underlying: (any Error)?
        var httpStatus: Int?
        var retryAfter: Duration?
    }

    private var parts: Boxed<Parts>

    /// The code for programs to act on; the message is for people.
    public var code: Code {
        get { parts.wrappedValue.code }
        set { parts.wrappedValue.code = newValue }
    }
    /// Nil only for errors made outside a load.
    public var stage: LoadStage? {
        get { parts.wrappedValue.stage }
        set { parts.wrappedValue.stage = newValue }
    }
    /// Says what happened and what to do about it, in one or two sentences.
    public var message: String {
        get { parts.wrappedValue.message }
        set { parts.wrappedValue.message = newValue }
    }
    /// The image that failed, with secrets in the query removed.
    public var source: String? {
        get { parts.wrappedValue.source }
        set { parts.wrappedValue.source = newValue }
    }
    /// The underlying error of a library, the system or a hook; nil if there is none.
    public var underlying: (any Error)? {
        get { parts.wrappedValue.underlying }
        set { parts.wrappedValue.underlying = newValue }
    }
    /// The status of the HTTP response, if there was one.
    public var httpStatus: Int? {
        get { parts.wrappedValue.httpStatus }
        set { parts.wrappedValue.httpStatus = newValue }
    }
    /// The `Retry-After` of the response, if it had one.
    public var retryAfter: Duration? {
        get { parts.wrappedValue.retryAfter }
        set { parts.wrappedValue.retryAfter = newValue }
    }

    /// Only code and message are required; a stage and a source that are nil are filled in while the error propagates.
    public init(
        _ code: Code, stage: LoadStage? = nil, _ message: String, source: String? = nil, underlying: (any Error)? = nil,
        httpStatus: Int? = nil, retryAfter: Duration? = nil
    ) {
        parts = Boxed(
            wrappedValue: Parts(
                code: code, stage: stage, message: message, source: source, underlying: underlying, httpStatus: httpStatus,
                retryAfter: retryAfter))
    }

    /// The same error with missing fields filled in: never overwrites a known value.
    public func with(stage: LoadStage? = nil, source: @autoclosure () -> String? = nil) -> ImageError {
        var copy = self
        if copy.stage == nil, let stage { copy.stage = stage }
        if copy.source == nil, let source = source() { copy.source = source }
        return copy
    }

    /// Throws `cancelled` if the current task is cancelled.
    public static func checkCancellation(stage: LoadStage? = nil) throws(ImageError) {
        if Task.isCancelled || CancellationLook.current?.isCancelled() == true { throw .cancelled(stage: stage) }
    }

    /// A `cancelled` error with the usual message.
    public static func cancelled(stage: LoadStage? = nil) -> ImageError { anyCancelled.with(stage: stage) }

    private static let anyCancelled = ImageError(.cancelled, stage: nil, "The load was cancelled.")

    /// The one place where foreign errors are converted: `CancellationError` becomes `cancelled`, an ``ImageError`` stays as it
    /// is, all others get `code`.
    public init(_ error: any Error, code: Code, stage: LoadStage?, _ message: String) {
        switch error {
        case let error as ImageError: self = error.with(stage: stage)
        case is CancellationError: self = .cancelled(stage: stage)
        default: self.init(code, stage: stage, message, underlying: error)
        }
    }
}

extension ImageError: CustomStringConvertible {
    /// One line: code, stage, message.
    public var description: String {
        if let stage { return "\(code.name) (\(stage.rawValue)): \(message)" }
        return "\(code.name): \(message)"
    }

    /// Several lines: also the source and the cause below.
    public var detailedDescription: String {
        var lines = [description]
        if let source { lines.append("source: \(source)") }
        if let httpStatus { lines.append("status: \(httpStatus)") }
        if let underlying { lines.append("cause: \(underlying)") }
        return lines.joined(separator: "\n")
    }
}

extension ImageError: LocalizedError {
    /// ``message``, for Foundation's `localizedDescription`.
    public var errorDescription: String? { message }
}

/// The stages of a load, in order.
public enum LoadStage: String, Hashable, Sendable, CaseIterable {
    /// Raw values are the names that messages, logs and metrics show.
    case resolve, cache, load, decode, transform, encode, store
}
