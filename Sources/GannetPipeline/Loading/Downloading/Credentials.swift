import FoundationEssentials
import GannetCore
import Synchronization

extension Credential {
    /// The value of `Authorization` that needs no challenge; nil for digests.
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

/// What servers were told and said about who asks: credentials that a provider brought and challenges of digest
/// authentication, per origin and scope; one question for many that wait.
final class CredentialStore: Sendable {
    private struct Place: Hashable {
        var origin: HTTPOrigin
        var scope: String
    }

    /// What was brought holds for requests that name the same credential, or none like that one: others come from others.
    private struct Asker: Hashable {
        var place: Place
        var named: Credential?
    }

    private struct State {
        var known: [Asker: Credential] = [:]
        /// For whom a provider is being asked, with the question's key.
        var asking: [Asker: CacheKey] = [:]
        /// For whom they were brought, the oldest first.
        var askers: [Asker] = []
        /// The newest challenge, and how many answers were given to it.
        var challenges: [Place: (challenge: DigestChallenge, answers: Int)] = [:]
        /// Whose they are, the oldest first.
        var places: [Place] = []
        /// Who asked for the configuration's credential and has not refused it, the oldest first.
        var welcoming: [Place] = []
        var isWelcoming: Set<Place> = []

        mutating func keep(_ fresh: Credential?, for asker: Asker) {
            guard let fresh else {
                if known.removeValue(forKey: asker) != nil { askers.removeAll { $0 == asker } }
                return
            }
            if known.updateValue(fresh, forKey: asker) == nil { askers.append(asker) }
            if askers.count > maximumPlaces { known[askers.removeFirst()] = nil }
        }
    }

    private static let maximumPlaces = 1000

    /// What a provider loads to find his answer, as the picture of a puzzle, does not wait for it.
    @TaskLocal private static var answering: Set<ObjectIdentifier> = []
    private var isAnswering: Bool { Self.answering.contains(ObjectIdentifier(self)) }

    private let state = Mutex(State())
    private let questions = SharedWork<Never, Credential?>()
    private let random: any RandomSource

    init(random: any RandomSource = SystemRandomSource()) { self.random = random }

    /// What a provider brought for a request that names `named`.
    func credential(for url: URL, scope: String, insteadOf named: Credential?) -> Credential? {
        state.withLock { state in
            if state.known.isEmpty { return nil }
            return state.known[Asker(place: Place(origin: HTTPOrigin(url), scope: scope), named: named)]
        }
    }

    func remember(_ challenge: DigestChallenge, for url: URL, scope: String) {
        let place = Place(origin: HTTPOrigin(url), scope: scope)
        // The same nonce again, asked by a load beside this one: counting goes on.
        state.withLock { state in
            guard state.challenges[place]?.challenge.nonce != challenge.nonce else { return }
            if state.challenges.updateValue((challenge, 0), forKey: place) == nil { state.places.append(place) }
            guard state.places.count > Self.maximumPlaces else { return }
            state.challenges[state.places.removeFirst()] = nil
        }
    }

    func forgetChallenge(for url: URL, scope: String) {
        let place = Place(origin: HTTPOrigin(url), scope: scope)
        state.withLock { state in
            if state.challenges.removeValue(forKey: place) != nil { state.places.removeAll { $0 == place } }
        }
    }

    /// Whether the configuration's credential is sent without being asked for: this origin has asked before.
    func isWelcome(at url: URL, scope: String) -> Bool {
        state.withLock { state in
            if state.isWelcoming.isEmpty { return false }
            return state.isWelcoming.contains(Place(origin: HTTPOrigin(url), scope: scope))
        }
    }

    func noteWelcome(_ isWelcome: Bool, at url: URL, scope: String) {
        let place = Place(origin: HTTPOrigin(url), scope: scope)
        state.withLock { state in
            if !isWelcome {
                if state.isWelcoming.remove(place) != nil { state.welcoming.removeAll { $0 == place } }
            } else if state.isWelcoming.insert(place).inserted {
                state.welcoming.append(place)
                if state.welcoming.count > Self.maximumPlaces { state.isWelcoming.remove(state.welcoming.removeFirst()) }
            }
        }
    }

    var knownCount: Int { state.withLock { $0.known.count } }
    var challengeCount: Int { state.withLock { $0.challenges.count } }

    /// The value of `Authorization` for one request: the answer to the origin's challenge if it made one, else what needs none.
    func authorization(_ credential: Credential, method: String, url: URL, scope: String) -> String? {
        guard let (user, password) = credential.userAndPassword else { return credential.headerValue }
        let known = state.withLock { state -> (challenge: DigestChallenge, answers: Int)? in
            guard !state.challenges.isEmpty else { return nil }
            let place = Place(origin: HTTPOrigin(url), scope: scope)
            state.challenges[place]?.answers += 1
            return state.challenges[place]
        }
        guard let known else { return credential.headerValue }
        let nonce = Digest128(high: random.next(), low: random.next()).hex
        return known.challenge.answer(
            user: user, password: password, method: method, target: DigestChallenge.target(of: url), count: known.answers,
            random: nonce)
    }

    /// If a provider is being asked for such a request, until he has answered; `slot` is for others meanwhile. False: nobody was asked.
    /// Whoever begins now would only be refused, as often as there are pictures.
    func waitForAnswer(
        _ url: URL, scope: String, named: Credential?, slot: (any LoadSlot)?
    ) async throws(ImageError) -> Bool {
        if isAnswering || state.withLock({ $0.asking.isEmpty }) { return false }
        let asker = Asker(place: Place(origin: HTTPOrigin(url), scope: scope), named: named)
        guard let key = state.withLock({ $0.asking[asker] }) else { return false }
        // False: whoever had begun that question has given up. Then this load asks for itself.
        let wait = { () async throws(ImageError) -> Bool in
            let isAnswered = await self.questions.wait(for: key)
            try ImageError.checkCancellation(stage: .load)
            return isAnswered
        }
        if let slot { return try await slot.putDown(during: wait) }
        return try await wait()
    }

    /// Asks the provider, once for all that wait. If another load renewed it in the meantime, that one is the answer. A person who is
    /// asked may take his time: `slot` is for others until he has answered.
    func renew(
        _ url: URL, scope: String, named: Credential?, rejected: Credential?, realm: AuthenticationRealm,
        provider: any CredentialProvider, slot: (any LoadSlot)?
    ) async throws(ImageError) -> Credential? {
        let asker = Asker(place: Place(origin: HTTPOrigin(url), scope: scope), named: named)
        let current = state.withLock { $0.known[asker] }
        if let current, current != rejected { return current }
        // It would wait for itself.
        if isAnswering { return nil }
        let key = CacheKey("\(realm.origin)\u{1}\(scope)\u{1}" + ScopeKey.process.seal(named?.secrets ?? []))
        guard let slot else { return try await ask(key, asker, rejected, realm, provider) }
        return try await slot.putDown { () async throws(ImageError) in
            try await ask(key, asker, rejected, realm, provider)
        }
    }

    private func ask(
        _ key: CacheKey, _ asker: Asker, _ rejected: Credential?, _ realm: AuthenticationRealm, _ provider: any CredentialProvider
    ) async throws(ImageError) -> Credential? {
        let answer = try await questions.join(key, priority: LivePriority(.high)) { _ async throws(ImageError) in
            self.state.withLock { $0.asking[asker] = key }
            defer { self.state.withLock { $0.asking[asker] = nil } }
            // Another answer may have come between that look and this question.
            if let current = self.state.withLock({ $0.known[asker] }), current != rejected { return current }
            do {
                let fresh = try await Self.$answering.withValue(Self.answering.union([ObjectIdentifier(self)])) {
                    try await provider.credential(for: realm, rejected: rejected)
                }
                self.state.withLock { $0.keep(fresh, for: asker) }
                return fresh
            } catch {
                throw ImageError(error, code: .hookRefused, stage: .load, "The credential provider failed.")
            }
        }
        return answer.value
    }
}
