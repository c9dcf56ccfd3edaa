public import GannetCore
import Synchronization

/// Sources that failed and are not asked again for a while. - SDWebImage: failedURLs
///
/// What may pass by itself (no connection, a time-out, a cancelled load, a busy server without `Retry-After`) is not listed;
/// what will not (a missing picture, bytes that are none, a broken certificate) is, for ``age``. What one asker or one method was
/// refused is not refused to others.
public final class FailedSources: Sendable {
    private struct Failure {
        /// Of the clock that never jumps: a calendar that is set right must not make it a year.
        var until: Duration
        /// Without what it carried: kept for long.
        var code: ImageError.Code
        var httpStatus: Int?
        /// Of the source, whoever asked for it.
        var source: String
        var order: UInt64
    }

    private struct State {
        var failures: [CacheKey: Failure] = [:]
        var next: UInt64 = 0
    }

    /// How long a source is not asked, default five minutes. Zero switches the list off, except for `Retry-After`.
    public let age: Duration
    /// The oldest go first when there are more, default 1000.
    public let maximumCount: Int
    private let policy: (any LoadPolicy)?
    private let time: any TimeSource
    private let state = Mutex(State())

    /// Five minutes and 1000 sources by default; `policy` nil uses the built-in rule for all of them.
    public init(
        age: Duration = .seconds(300), maximumCount: Int = 1000, policy: (any LoadPolicy)? = nil,
        time: any TimeSource = SystemTimeSource()
    ) {
        self.age = age
        self.maximumCount = max(maximumCount, 1)
        self.policy = policy
        self.time = time
    }

    /// Entries, also those whose time is over and that nobody has asked for since.
    public var count: Int { state.withLock { $0.failures.count } }

    /// For anybody.
    public func contains(_ source: ImageSource) -> Bool {
        if isEmpty { return false }
        let now = time.uptime
        let text = source.keyText
        return state.withLock { $0.failures.values.contains { now < $0.until && $0.source == text } }
    }

    /// For everybody. - SDWebImage: removeFailedURL
    public func remove(_ source: ImageSource) {
        if isEmpty { return }
        remove(sourceText: source.keyText)
    }

    func remove(sourceText text: String) {
        if isEmpty { return }
        state.withLock { state in state.failures = state.failures.filter { $0.value.source != text } }
    }

    /// For those who ask for it in the same way.
    func remove(_ source: ImageSource, storedAt key: CacheKey) {
        if isEmpty { return }
        let key = Self.key(source, key)
        state.withLock { $0.failures[key] = nil }
    }

    /// The place of its response in the cache tells who asks, and how; requests that share one through a key filter are kept apart.
    private static func key(_ source: ImageSource, _ storage: CacheKey) -> CacheKey {
        let text = source.keyText
        return storage.text == text ? storage : CacheKey(text + RequestKeys.separatorText + storage.text)
    }

    /// Mostly: then neither the clock nor the source's text is needed.
    private var isEmpty: Bool { state.withLock { $0.failures.isEmpty } }

    /// - SDWebImage: removeAllFailedURLs
    public func removeAll() { state.withLock { $0.failures = [:] } }

    /// Lists the source if its failure will not pass by itself. Also called with failures of decoding.
    public func note(_ source: ImageSource, _ error: ImageError) {
        note(source, storedAt: CacheKey(source.keyText), error)
    }

    func note(_ source: ImageSource, storedAt key: CacheKey, _ error: ImageError) {
        let duration: Duration
        if let wanted = error.retryAfter, wanted > .zero {
            duration = min(wanted, .seconds(86_400))
        } else if policy?.shouldBlock(source, after: error) ?? Self.isLasting(error) {
            duration = age
        } else {
            return
        }
        guard duration > .zero else { return }
        let until = time.uptime + duration
        let text = source.keyText
        let key = Self.key(source, key)
        state.withLock { state in
            state.next += 1
            state.failures[key] = Failure(
                until: until, code: error.code, httpStatus: error.httpStatus, source: text, order: state.next)
            if state.failures.count > maximumCount, let oldest = state.failures.min(by: { $0.value.order < $1.value.order }) {
                state.failures[oldest.key] = nil
            }
        }
    }

    /// For those who ask for it in the same way.
    func isListed(_ source: ImageSource, storedAt key: CacheKey) -> Bool {
        if isEmpty { return false }
        let now = time.uptime
        let key = Self.key(source, key)
        return state.withLock { $0.failures[key].map { now < $0.until } ?? false }
    }

    /// Throws `blocked` for a source that is listed, with the failure below it.
    func check(_ source: ImageSource, storedAt key: CacheKey) throws(ImageError) {
        if isEmpty { return }
        let now = time.uptime
        let key = Self.key(source, key)
        let failure = state.withLock { state -> Failure? in
            guard let failure = state.failures[key] else { return nil }
            if now < failure.until { return failure }
            state.failures[key] = nil
            return nil
        }
        guard let failure else { return }
        throw ImageError(
            .blocked, stage: .load,
            "The source failed before (\(failure.code.name)) and is not asked again yet. Set retryFailedSources to ask anyway.",
            underlying: ImageError(failure.code, stage: .load, "The source failed before.", httpStatus: failure.httpStatus),
            httpStatus: failure.httpStatus, retryAfter: failure.until - now)
    }

    /// The built-in rule.
    public static func isLasting(_ error: ImageError) -> Bool {
        switch error.code {
        case .notAnImage, .corrupt, .empty, .contentType, .tlsFailed, .protocolViolation, .tooManyRedirects: true
        case .httpStatus: [400, 404, 405, 406, 410, 414, 415, 451, 501].contains(error.httpStatus ?? 0)
        default: false
        }
    }
}
