import FoundationEssentials
public import GannetCore
public import GannetPlatform
import Synchronization

/// Loads `http` and `https` URLs over a transport. Handles redirects, authentication, cookies, content decoding, hooks and
/// limits. Each request of a ``ByteFetcher``'s loads goes through its cache. - SDWebImage: SDWebImageDownloader
public final class HTTPLoader: ImageLoader, RoutedLoader {
    private let transport: any HTTPTransport
    let time: any TimeSource
    private let current: Mutex<DownloaderSettings>
    let credentials: CredentialStore
    /// Slots for transfers; a ``ByteFetcher`` holds one while it downloads.
    package let slots: DownloadSlots
    private let observers: [any LoadObserver]
    private let isOver = Atomic(false)

    /// `observers` are notified of redirects; `time` drives the request rate.
    public convenience init(
        transport: any HTTPTransport, configuration: DownloaderConfiguration = DownloaderConfiguration(),
        time: any TimeSource = SystemTimeSource(), observers: [any LoadObserver] = []
    ) {
        self.init(
            transport: transport, configuration: configuration, time: time, random: SystemRandomSource(), observers: observers)
    }

    /// `random` makes client nonces for digest authentication.
    package init(
        transport: any HTTPTransport, configuration: DownloaderConfiguration = DownloaderConfiguration(),
        time: any TimeSource = SystemTimeSource(), random: any RandomSource,
        observers: [any LoadObserver] = []
    ) {
        credentials = CredentialStore(random: random)
        self.transport = transport
        self.time = time
        self.observers = observers
        current = Mutex(DownloaderSettings(configuration))
        slots = DownloadSlots(configuration, time: time)
    }

    public var identifier: String { "http" }

    /// Applies to transfers that begin later; the number of slots changes at once.
    public var configuration: DownloaderConfiguration {
        get { settings.value }
        set {
            let settings = DownloaderSettings(newValue)
            current.withLock { $0 = settings }
            slots.update(newValue)
        }
    }

    private var settings: DownloaderSettings { current.withLock { $0 } }

    /// Stored challenges of digest authentication.
    package var challengeCount: Int { credentials.challengeCount }
    /// Loads that wait for a credential provider.
    package var loginWaiterCount: Int { credentials.waiterCount }
    /// Stored credentials from the provider.
    package var knownCredentialCount: Int { credentials.knownCount }

    /// While true no transfer begins; running ones continue. - SDWebImage: suspended
    public var isSuspended: Bool {
        get { slots.isSuspended }
        set { slots.isSuspended = newValue }
    }

    /// Ends the loader for good: later loads, and those that wait for a slot, fail with `misuse`. Running ones continue to
    /// their end; to stop them call ``ImageManager/cancelAll()`` next. - SDWebImage: invalidateSessionAndCancel
    public func invalidate() { isOver.store(true, ordering: .releasing) }

    /// True after ``invalidate()``.
    public var isInvalidated: Bool { isOver.load(ordering: .acquiring) }

    public func canLoad(_ source: ImageSource) -> Bool {
        guard case .url(let url) = source else { return false }
        guard let scheme = url.scheme else { return false }
        if scheme == "https" || scheme == "http" { return true }
        let lowercased = scheme.lowercased()
        return lowercased == "https" || lowercased == "http"
    }

    /// The fields sent at once, with cookies of the jar, and with `Authorization` unless it must answer a challenge.
    public func requestHeaders(for request: LoadRequest) -> HTTPHeaders {
        let settings = settings
        var headers = settings.headers(for: request)
        guard case .url(let url) = request.source else { return headers }
        if !headers.contains("Authorization"), let value = login(for: url, request, settings).credential?.headerValue {
            headers.add("Authorization", value)
        }
        if !request.isPlain, request.download.cookies, let jar = settings.value.cookies, !headers.contains("Cookie"),
            let cookies = jar.cookies(for: url, now: time.now)
        {
            headers.add("Cookie", cookies)
        }
        return headers
    }

    /// Throws errors of the transport, and `httpStatus`, `contentType`, `tooManyRedirects`, `hookRefused`, `limitExceeded` and
    /// `protocolViolation`.
    public func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
        guard case .url(let url) = request.source, url.host(percentEncoded: true)?.isEmpty == false else {
            throw ImageError(
                .misuse, stage: .resolve, "The URL has no host. Write it like https://example.org/picture.jpg.",
                source: request.source.redactedDescription)
        }
        if let fault = url.authorityFault {
            throw ImageError(
                .misuse, stage: .resolve, "The request cannot be sent: \(fault).", source: request.source.redactedDescription)
        }
        do throws(ImageError) {
            let settings = settings
            let order = Order(request, settings, LoadWire(self, transport, request, settings))
            let didAsk = order.settings.value.credentials == nil ? false : try await waitForLogin(url, order)
            var (first, login) = firstRequest(url, order)
            // The provider is called once for each load: without an answer, there is none.
            if didAsk, login.credential == nil || login.credential == login.named { login.didAskProvider = true }
            if order.modifiesRequests { first = try await modified(first, order) }
            return try await answered(exchange(first, login, order), order)
        } catch {
            throw error.with(stage: .load, source: request.source.redactedDescription)
        }
    }

    /// One load in the following steps, which do not copy it.
    final class Order: Sendable {
        let request: LoadRequest
        let settings: DownloaderSettings
        let wire: LoadWire
        /// No hooks, no cookies, no fields.
        let isPlain: Bool

        init(_ request: LoadRequest, _ settings: DownloaderSettings, _ wire: LoadWire) {
            self.request = request
            self.settings = settings
            self.wire = wire
            isPlain = request.isPlain
        }

        var options: ResolvedDownloadOptions { _read { yield request.download } }

        var modifiesRequests: Bool { !isPlain && request.modifiesRequests }
    }

    // MARK: The request

    @inline(never) private func firstRequest(_ url: URL, _ order: Order) -> (HTTPRequest, Login) {
        var result = HTTPRequest(
            method: order.options.method, url: url.user == nil ? url : url.withoutUserInfo,
            headers: order.settings.headers(for: order.request),
            deadlines: order.options.deadlines ?? order.settings.value.deadlines)
        guard !result.headers.contains("Authorization") else { return (result, Login()) }
        let login = login(for: url, order.request, order.settings)
        authorize(&result, login.credential, order)
        return (result, login)
    }

    @inline(never) private func modified(
        _ message: HTTPRequest, _ order: Order
    ) async throws(ImageError) -> HTTPRequest {
        guard let modifier = order.options.requestModifier else { return message }
        let modified: HTTPRequest?
        do { modified = try await modifier.modify(message) } catch {
            throw ImageError(error, code: .hookRefused, stage: .load, "The request modifier failed.")
        }
        guard let modified else {
            throw ImageError(.hookRefused, stage: .load, "The request modifier gave no request to send.")
        }
        return modified
    }

    // MARK: Sending

    struct Exchange {
        var response: HTTPResponse
        var redirects = 0
    }

    @inline(never) private func exchange(
        _ message: HTTPRequest, _ login: Login, _ order: Order
    ) async throws(ImageError) -> Exchange {
        let response = try await send(message, order)
        guard order.wire.leadsOn(response.head) else { return Exchange(response: response) }
        return try await followed(response, message, login, order)
    }

    /// Sends the request of one hop, through the route of the load if it has one.
    private func send(_ message: HTTPRequest, _ order: Order) async throws(ImageError) -> HTTPResponse {
        let message = prepared(message, order)
        guard let route = order.request.route else { return try await order.wire.send(message) }
        return try await route.send(message, over: order.wire)
    }

    /// Follows the response: to another URL, or to the same with a credential.
    @inline(never) private func followed(
        _ first: HTTPResponse, _ sent: HTTPRequest, _ firstLogin: Login, _ order: Order
    ) async throws(ImageError) -> Exchange {
        var (result, message, login) = (Exchange(response: first), sent, firstLogin)
        while true {
            let (head, arrived) = (result.response.head, time.uptime)
            if head.status == 401, try await mayTryAgain(&login, after: head, message, order) {
                // A user's time for a password does not count.
                order.wire.exclude(time.uptime - arrived)
                authorize(&message, login.credential, order)
                result.response = try await send(message, order)
                continue
            }
            guard let next = try order.settings.value.redirects.next(after: head, to: message),
                let allowed = try await approved(next, head, order)
            else { return result }
            result.redirects += 1
            guard result.redirects <= order.settings.value.redirects.maximumCount else {
                throw ImageError(
                    .tooManyRedirects, stage: .load,
                    "The server redirected more than \(order.settings.value.redirects.maximumCount) times.")
            }
            for observer in observers {
                observer.note(
                    nil,
                    .redirected(
                        from: ImageSource.url(message.url).redactedDescription,
                        to: ImageSource.url(allowed.url).redactedDescription))
            }
            if HTTPOrigin(allowed.url) != HTTPOrigin(message.url) {
                // A redirect may lead to any server: the configuration's credential is only for origins that have asked for it
                // directly.
                let isKnown = credentials.isWelcome(at: allowed.url, scope: order.options.credentialScope)
                login = Login(configured: isKnown ? login.configured : nil)
            }
            message = allowed
            // The answer to a challenge applies to one URL.
            if message.headers["Authorization"]?.hasPrefix("Digest ") == true { authorize(&message, login.credential, order) }
            result.response = try await send(message, order)
        }
    }

    /// Sets the fields that differ at each hop: cookies and trust belong to one host.
    private func prepared(_ message: HTTPRequest, _ order: Order) -> HTTPRequest {
        var message = message
        if !order.isPlain, order.options.cookies, let jar = order.settings.value.cookies, !message.headers.contains("Cookie"),
            let cookies = jar.cookies(for: message.url, now: time.now)
        {
            message.headers.add("Cookie", cookies)
        }
        if !order.settings.value.hostsTrustedBlindly.isEmpty, let host = message.url.host?.lowercased(),
            order.settings.value.hostsTrustedBlindly.contains(host)
        {
            message.trustsAnyCertificate = true
        }
        return message
    }

    private func approved(
        _ next: HTTPRequest, _ head: HTTPResponseHead, _ order: Order
    ) async throws(ImageError) -> HTTPRequest? {
        guard let handler = order.options.redirectHandler else { return next }
        return await handler.redirect(from: head, to: next)
    }
}
