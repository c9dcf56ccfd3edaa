public import GannetCore
public import GannetPlatform
import Synchronization

/// Sources that failed and are not loaded again for a while. - SDWebImage: failedURLs
///
/// Lists failures that last (a missing image, bytes that are no image, a broken certificate) for ``age``. Does not list failures
/// that may pass (no connection, a time-out, a cancelled load, a busy server without `Retry-After`). A failure for one user or
/// one method does not block others.
public final class FailedSources: Sendable {
    private struct Failure {
        /// A time of the clock that never jumps: a correction of the calendar must not turn minutes into a year.
        var until: Duration
        /// The error without its details: the entry is kept for a long time.
        var code: ImageError.Code
        var httpStatus: Int?
        /// The source alone, for all users.
        var source: String
    }

    /// How long a source is blocked, default five minutes. Zero disables the list, except for `Retry-After`.
    public let age: Duration
    /// Above this number the oldest entries are dropped, default 1000.
    public let maximumCount: Int
    private let policy: (any LoadPolicy)?
    private let time: any TimeSource
    private let failures: Mutex<LRUMap<CacheKey, Failure>>

    /// Five minutes and 1000 sources by default. If `policy` is nil, the built-in rule decides for all sources.
    public init(
        age: Duration = .seconds(300), maximumCount: Int = 1000, policy: (any LoadPolicy)? = nil,
        time: any TimeSource = SystemTimeSource()
    ) {
        self.age = age
        self.maximumCount = max(maximumCount, 1)
        failures = Mutex(LRUMap(maximumCount: self.maximumCount))
        self.policy = policy
        self.time = time
    }

    /// The number of entries, including expired ones that were not looked up since.
    public var count: Int { failures.withLock { $0.count } }

    /// True if the source is listed for any user.
    public func contains(_ source: ImageSource) -> Bool {
        if isEmpty { return false }
        let now = time.uptime
        let text = source.keyText
        return failures.withLock { $0.contains { now < $0.until && $0.source == text } }
    }

    /// Removes the source for all users. - SDWebImage: removeFailedURL
    public func remove(_ source: ImageSource) {
        if isEmpty { return }
        remove(sourceText: source.keyText)
    }

    func remove(sourceText text: String) {
        if isEmpty { return }
        failures.withLock { $0.removeAll { $0.source == text } }
    }

    /// Removes the source for requests with the same storage key only.
    func remove(_ source: ImageSource, storedAt key: CacheKey) {
        if isEmpty { return }
        let key = Self.key(source, key)
        _ = failures.withLock { $0.remove(key) }
    }

    /// The storage key identifies the user and the options. The source is added, because a key filter may map several sources to
    /// one key.
    private static func key(_ source: ImageSource, _ storage: CacheKey) -> CacheKey {
        let text = source.keyText
        return storage.text == text ? storage : CacheKey(text + RequestKeys.separatorText + storage.text)
    }

    /// True most of the time: then neither the clock nor the source's text is needed.
    private var isEmpty: Bool { failures.withLock { $0.isEmpty } }

    /// - SDWebImage: removeAllFailedURLs
    public func removeAll() { failures.withLock { $0.removeAll { _ in true } } }

    /// Lists the source if the failure lasts. Also called for failures of decoding.
    public func note(_ source: ImageSource, _ error: ImageError) {
        note(source, storedAt: CacheKey(source.keyText), error)
    }

    package func note(_ source: ImageSource, storedAt key: CacheKey, _ error: ImageError) {
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
        let failure = Failure(until: until, code: error.code, httpStatus: error.httpStatus, source: text)
        _ = failures.withLock { $0.put(failure, for: key) }
    }

    /// True if the source is listed for requests with the same storage key.
    package func isListed(_ source: ImageSource, storedAt key: CacheKey) -> Bool {
        if isEmpty { return false }
        let now = time.uptime
        let key = Self.key(source, key)
        return failures.withLock { $0[key].map { now < $0.until } ?? false }
    }

    /// Throws `blocked` for a listed source, with the original failure as its cause.
    func check(_ source: ImageSource, storedAt key: CacheKey) throws(ImageError) {
        if isEmpty { return }
        let now = time.uptime
        let key = Self.key(source, key)
        let failure = failures.withLock { failures -> Failure? in
            guard let failure = failures[key] else { return nil }
            if now < failure.until { return failure }
            failures.remove(key)
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
        case .notAnImage, .corrupt, .decoderCrashed, .empty, .contentType, .tlsFailed, .protocolViolation, .tooManyRedirects: true
        case .httpStatus: [400, 404, 405, 406, 410, 414, 415, 451, 501].contains(error.httpStatus ?? 0)
        default: false
        }
    }
}
