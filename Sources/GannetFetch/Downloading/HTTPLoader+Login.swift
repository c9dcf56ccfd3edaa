import FoundationEssentials
import GannetCore

// Credentials: those sent at once, and answers to a 401.
extension HTTPLoader {
    /// The credentials for one origin and those already tried. Each is tried once, so that no server or provider is asked for
    /// ever.
    struct Login {
        /// The credential of the request, its URL or the configuration.
        var named: Credential?
        /// The configuration's credential, if request and URL have none: for a server that asks.
        var configured: Credential?
        /// The credential to try now.
        var credential: Credential?
        var digests = 0
        var didAskProvider = false

        init(named: Credential? = nil, configured: Credential? = nil, credential: Credential? = nil) {
            self.named = named ?? configured
            self.configured = configured
            self.credential = credential
        }
    }

    /// The credential of the request or its URL; otherwise the configuration's, if this origin has asked for it before. A
    /// provider's credential replaces one that the server refused.
    func login(for url: URL, _ request: LoadRequest, _ settings: DownloaderSettings) -> Login {
        let own =
            request.download.credential
            ?? url.user(percentEncoded: false).map { .basic(user: $0, password: url.password(percentEncoded: false) ?? "") }
        let configured = own == nil ? settings.value.credential : nil
        let named = own ?? configured
        let scope = request.download.credentialScope
        if let known = credentials.credential(for: url, scope: scope, insteadOf: named) {
            return Login(named: named, configured: configured, credential: known)
        }
        let sent = configured != nil && !credentials.isWelcome(at: url, scope: scope) ? nil : named
        return Login(named: named, configured: configured, credential: sent)
    }

    /// Waits while a provider is called for another load with the same credential. False: no call is running.
    @inline(never) func waitForLogin(_ url: URL, _ order: Order) async throws(ImageError) -> Bool {
        guard !order.settings.headers(for: order.request).contains("Authorization") else { return false }
        let login = login(for: url, order.request, order.settings)
        return try await credentials.waitForAnswer(
            url, scope: order.options.credentialScope, named: login.named, slot: order.request.route)
    }

    func authorize(_ message: inout HTTPRequest, _ credential: Credential?, _ order: Order) {
        guard let credential else { return }
        let value = credentials.authorization(
            credential, method: message.method, url: message.url, scope: order.options.credentialScope)
        if let value { message.headers.set("Authorization", value) }
    }

    /// After a 401: answers its challenge with the current name and password, or calls the provider.
    @inline(never) func mayTryAgain(
        _ login: inout Login, after head: HTTPResponseHead, _ message: HTTPRequest, _ order: Order
    ) async throws(ImageError) -> Bool {
        let scope = order.options.credentialScope
        let digest = DigestChallenge.best(of: head)
        if login.credential == nil, let configured = login.configured, !message.headers.contains("Authorization"),
            AuthenticationChallenge.ask(for: configured, in: head)
        {
            login.credential = configured
            credentials.noteWelcome(true, at: message.url, scope: scope)
            if digest == nil || configured.userAndPassword == nil { return true }
        }
        // Without a credential or provider, do not collect challenges.
        if let digest, login.credential?.userAndPassword != nil || order.settings.value.credentials != nil {
            credentials.remember(digest, for: message.url, scope: scope)
        }
        if let digest, login.credential?.userAndPassword != nil {
            // The request already had an answer: perhaps only the nonce has expired.
            let wasAnswered = message.headers["Authorization"]?.hasPrefix("Digest ") == true
            login.digests += 1
            if login.digests == 1, !wasAnswered || digest.isStale { return true }
            if login.digests == 2, digest.isStale { return true }
        } else if digest == nil, login.digests == 0, login.credential?.headerValue != nil,
            message.headers["Authorization"]?.hasPrefix("Digest ") == true
        {
            // Another part of this origin required digests; this one does not.
            login.digests += 1
            credentials.forgetChallenge(for: message.url, scope: scope)
            return true
        }
        if login.credential != nil, login.credential == login.configured {
            credentials.noteWelcome(false, at: message.url, scope: scope)
        }
        guard !login.didAskProvider, let provider = order.settings.value.credentials else { return false }
        login.didAskProvider = true
        let origin = HTTPOrigin(message.url)
        let realm = AuthenticationRealm(
            origin: "\(origin.scheme)://\(origin.host):\(origin.port)", challenge: head.headers.combined("WWW-Authenticate") ?? ""
        )
        let fresh = try await credentials.renew(
            message.url, scope: scope, named: login.named, rejected: login.credential, realm: realm, provider: provider,
            slot: order.request.route)
        guard let fresh else { return false }
        login.credential = fresh
        // A digest credential without a supported challenge cannot be sent.
        return digest != nil || fresh.headerValue != nil
    }
}
