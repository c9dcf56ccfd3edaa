import FoundationEssentials
import GannetCore
import GannetPlatform
import Synchronization

extension Credential {
    /// The `Authorization` value that needs no challenge; nil for digests.
    package var headerValue: String? {
        switch self {
        case .basic(let user, let password): "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        case .digest: nil
        case .bearer(let token): "Bearer " + token
        }
    }

    var userAndPassword: (user: String, password: String)? {
        switch self {
        case .basic(let user, let password), .digest(let user, let password): (user, password)
        case .bearer: nil
        }
    }
}

/// Authentication state for each origin and scope: credentials from the provider, and digest challenges. Concurrent loads share
/// one call of the provider.
final class CredentialStore: Sendable {
    private struct Place: Hashable {
        var origin: HTTPOrigin
        var scope: String
    }

    /// A provider's credential applies to requests that name the same credential, or likewise name none.
    private struct Caller: Hashable {
        var place: Place
        var named: Credential?
    }

    /// The newest challenge, and the number of answers to it.
    private struct Challenge {
        var challenge: DigestChallenge
        var answers = 0
    }

    private struct State {
        /// Credentials from the provider.
        var known = LRUMap<Caller, Credential>(maximumCount: maximumPlaces)
        /// Requests whose provider call is running, with the key of that call.
        var asking: [Caller: CacheKey] = [:]
        var challenges = LRUMap<Place, Challenge>(maximumCount: maximumPlaces)
        /// Origins that asked for the configuration's credential and have not refused it.
        var welcoming = LRUMap<Place, Void>(maximumCount: maximumPlaces)
    }

    private static let maximumPlaces = 1000

    /// Loads that a provider makes for its answer, such as an image of a puzzle, do not wait for that answer.
    @TaskLocal private static var answering: Set<ObjectIdentifier> = []
    private var isAnswering: Bool { Self.answering.contains(ObjectIdentifier(self)) }

    private let state = Mutex(State())
    private let questions = SharedQuestions<Credential?>()
    private let random: any RandomSource

    init(random: any RandomSource = SystemRandomSource()) { self.random = random }

    /// The provider's credential for a request that names `named`.
    func credential(for url: URL, scope: String, insteadOf named: Credential?) -> Credential? {
        state.withLock { state in
            if state.known.isEmpty { return nil }
            return state.known.find(Caller(place: Place(origin: HTTPOrigin(url), scope: scope), named: named))
        }
    }

    func remember(_ challenge: DigestChallenge, for url: URL, scope: String) {
        let place = Place(origin: HTTPOrigin(url), scope: scope)
        // The same nonce again, from a concurrent load: keep counting.
        state.withLock { state in
            guard state.challenges[place]?.challenge.nonce != challenge.nonce else { return }
            state.challenges.put(Challenge(challenge: challenge), for: place)
        }
    }

    func forgetChallenge(for url: URL, scope: String) {
        let place = Place(origin: HTTPOrigin(url), scope: scope)
        _ = state.withLock { $0.challenges.remove(place) }
    }

    /// Whether to send the configuration's credential without a challenge: this origin has asked before.
    func isWelcome(at url: URL, scope: String) -> Bool {
        state.withLock { state in
            if state.welcoming.isEmpty { return false }
            return state.welcoming.find(Place(origin: HTTPOrigin(url), scope: scope)) != nil
        }
    }

    func noteWelcome(_ isWelcome: Bool, at url: URL, scope: String) {
        let place = Place(origin: HTTPOrigin(url), scope: scope)
        state.withLock { state in
            if isWelcome { state.welcoming.put((), for: place) } else { state.welcoming.remove(place) }
        }
    }

    var knownCount: Int { state.withLock { $0.known.count } }
    var challengeCount: Int { state.withLock { $0.challenges.count } }

    /// The `Authorization` value for one request: the answer to the origin's challenge, or the value that needs none.
    func authorization(_ credential: Credential, method: String, url: URL, scope: String) -> String? {
        guard let (user, password) = credential.userAndPassword else { return credential.headerValue }
        let known = state.withLock { state -> Challenge? in
            guard !state.challenges.isEmpty else { return nil }
            let place = Place(origin: HTTPOrigin(url), scope: scope)
            guard var known = state.challenges[place] else { return nil }
            known.answers += 1
            state.challenges.put(known, for: place)
            return known
        }
        guard let known else { return credential.headerValue }
        let nonce = Digest128(high: random.next(), low: random.next()).hex
        return known.challenge.answer(
            user: user, password: password, method: method, target: DigestChallenge.target(of: url), count: known.answers,
            random: nonce)
    }

    /// Loads that wait for a provider.
    var waiterCount: Int { questions.waiterCount }

    /// Waits for a running provider call for such a request; `slot` serves other loads meanwhile. False: no call is running. A
    /// request sent now would only be refused.
    func waitForAnswer(
        _ url: URL, scope: String, named: Credential?, slot: (any LoadSlot)?
    ) async throws(ImageError) -> Bool {
        if isAnswering || state.withLock({ $0.asking.isEmpty }) { return false }
        let caller = Caller(place: Place(origin: HTTPOrigin(url), scope: scope), named: named)
        guard let key = state.withLock({ $0.asking[caller] }) else { return false }
        // False: the caller of that question has given up. This load then asks itself.
        let wait = { () async throws(ImageError) -> Bool in
            let isAnswered = await self.questions.wait(for: key)
            try ImageError.checkCancellation(stage: .load)
            return isAnswered
        }
        if let slot { return try await slot.putDown(during: wait) }
        return try await wait()
    }

    /// Calls the provider, once for all waiting loads. If another load has renewed the credential meanwhile, returns that one.
    /// A user may take long to answer: `slot` serves other loads meanwhile.
    func renew(
        _ url: URL, scope: String, named: Credential?, rejected: Credential?, realm: AuthenticationRealm,
        provider: any CredentialProvider, slot: (any LoadSlot)?
    ) async throws(ImageError) -> Credential? {
        let caller = Caller(place: Place(origin: HTTPOrigin(url), scope: scope), named: named)
        let current = state.withLock { $0.known[caller] }
        if let current, current != rejected { return current }
        // It would wait for itself.
        if isAnswering { return nil }
        let key = CacheKey("\(realm.origin)\u{1}\(scope)\u{1}" + ScopeKey.process.seal(named?.secrets ?? []))
        guard let slot else { return try await ask(key, caller, rejected, realm, provider) }
        return try await slot.putDown { () async throws(ImageError) in
            try await ask(key, caller, rejected, realm, provider)
        }
    }

    private func ask(
        _ key: CacheKey, _ caller: Caller, _ rejected: Credential?, _ realm: AuthenticationRealm,
        _ provider: any CredentialProvider
    ) async throws(ImageError) -> Credential? {
        try await questions.ask(key) { () async throws(ImageError) in
            self.state.withLock { $0.asking[caller] = key }
            defer { self.state.withLock { $0.asking[caller] = nil } }
            // Another answer may have arrived between the check and this call.
            if let current = self.state.withLock({ $0.known[caller] }), current != rejected { return current }
            do {
                let fresh = try await Self.$answering.withValue(Self.answering.union([ObjectIdentifier(self)])) {
                    try await provider.credential(for: realm, rejected: rejected)
                }
                _ = self.state.withLock { state in
                    if let fresh { state.known.put(fresh, for: caller) } else { state.known.remove(caller) }
                }
                return fresh
            } catch {
                throw ImageError(error, code: .hookRefused, stage: .load, "The credential provider failed.")
            }
        }
    }
}
