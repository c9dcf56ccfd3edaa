import FoundationEssentials
import GannetCore
import Synchronization

extension Credential {
    /// The value of `Authorization`.
    package var headerValue: String {
        switch self {
        case .basic(let user, let password): "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        case .bearer(let token): "Bearer " + token
        }
    }
}

/// Credentials that a provider brought, per origin and scope; one question for many that wait.
final class CredentialStore: Sendable {
    private struct Place: Hashable {
        var origin: HTTPOrigin
        var scope: String
    }

    private let known = Mutex<[Place: Credential]>([:])
    private let questions = SharedWork<Never, Credential?>()

    func credential(for origin: HTTPOrigin, scope: String) -> Credential? {
        known.withLock { $0[Place(origin: origin, scope: scope)] }
    }

    /// Asks the provider, once for all that wait. If another load renewed it in the meantime, that one is the answer.
    func renew(
        _ origin: HTTPOrigin, scope: String, rejected: String?, realm: AuthenticationRealm, provider: any CredentialProvider
    ) async throws(ImageError) -> Credential? {
        let place = Place(origin: origin, scope: scope)
        let current = known.withLock { $0[place] }
        if let current, current.headerValue != rejected { return current }
        let key = CacheKey("\(realm.origin)\u{1}\(scope)")
        let answer = try await questions.join(key, priority: LivePriority(.high)) { _ async throws(ImageError) in
            do {
                let fresh = try await provider.credential(for: realm, rejected: current)
                self.known.withLock { $0[place] = fresh }
                return fresh
            } catch {
                throw ImageError(error, code: .hookRefused, stage: .load, "The credential provider failed.")
            }
        }
        return answer.value
    }
}
