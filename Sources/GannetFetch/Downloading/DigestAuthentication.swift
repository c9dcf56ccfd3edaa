package import FoundationEssentials
package import GannetCore

/// A challenge of digest authentication, RFC 7616, and its answer: with `qop=auth` or, for old servers, without.
package struct DigestChallenge: Hashable, Sendable {
    enum Algorithm: String, Hashable, Sendable {
        case md5 = "MD5"
        case md5Session = "MD5-sess"
        case sha256 = "SHA-256"
        case sha256Session = "SHA-256-sess"

        var isSession: Bool { self == .md5Session || self == .sha256Session }
        var isStrong: Bool { self == .sha256 || self == .sha256Session }

        init?(_ text: String) {
            let known = [Algorithm.md5, .md5Session, .sha256, .sha256Session]
            guard let match = known.first(where: { $0.rawValue.lowercased() == text.lowercased() }) else { return nil }
            self = match
        }

        func hash(_ text: String) -> String {
            isStrong ? SHA256.hex(text.utf8) : MD5.hex(Array(text.utf8))
        }
    }

    package var realm: String
    package var nonce: String
    var opaque: String?
    var algorithm: Algorithm
    /// False: the server named no algorithm, and the answer names none either.
    var namesAlgorithm: Bool
    /// False: the scheme of RFC 2069, without counting.
    var hasProtection: Bool
    var hashesUser: Bool
    /// The previous answer was right, but its nonce had expired.
    var isStale: Bool

    /// Nil: another scheme, or an unsupported algorithm or protection.
    package init?(_ challenge: AuthenticationChallenge) {
        guard challenge.scheme == "digest", let nonce = challenge.parameters["nonce"],
            let algorithm = Algorithm(challenge.parameters["algorithm"] ?? "MD5")
        else { return nil }
        let protections = challenge.parameters["qop"]?.split(separator: ",").map { $0.trimmedOWS().lowercased() }
        if let protections, !protections.contains("auth") { return nil }
        // These are stored and sent with each request; no server needs longer ones.
        guard ["nonce", "realm", "opaque"].allSatisfy({ (challenge.parameters[$0]?.utf8.count ?? 0) <= 4096 }) else { return nil }
        realm = challenge.parameters["realm"] ?? ""
        self.nonce = nonce
        opaque = challenge.parameters["opaque"]
        self.algorithm = algorithm
        namesAlgorithm = challenge.parameters["algorithm"] != nil
        hasProtection = protections != nil
        hashesUser = challenge.parameters["userhash"]?.lowercased() == "true"
        isStale = challenge.parameters["stale"]?.lowercased() == "true"
    }

    /// The strongest supported challenge.
    package static func best(of head: HTTPResponseHead) -> DigestChallenge? {
        let all = AuthenticationChallenge.parse(head.headers.all("WWW-Authenticate")).compactMap { DigestChallenge($0) }
        return all.first { $0.algorithm.isStrong } ?? all.first
    }

    /// The `Authorization` value. `count`: answers to this nonce, including this one; `random` is the client's nonce.
    package func answer(
        user: String, password: String, method: String, target: String, count: Int, random: String
    ) -> String {
        var secret = algorithm.hash("\(user):\(realm):\(password)")
        if algorithm.isSession { secret = algorithm.hash("\(secret):\(nonce):\(random)") }
        let what = algorithm.hash("\(method):\(target)")
        let number = String(count, radix: 16)
        let counted = String(repeating: "0", count: max(0, 8 - number.count)) + number
        let response = algorithm.hash(
            hasProtection ? "\(secret):\(nonce):\(counted):\(random):auth:\(what)" : "\(secret):\(nonce):\(what)")
        var parts = [userField(user), "realm=\(Self.quoted(realm))", "nonce=\(Self.quoted(nonce))", "uri=\(Self.quoted(target))"]
        if namesAlgorithm { parts.append("algorithm=\(algorithm.rawValue)") }
        parts.append("response=\"\(response)\"")
        if let opaque { parts.append("opaque=\(Self.quoted(opaque))") }
        if hasProtection { parts += ["qop=auth", "nc=\(counted)"] }
        if hasProtection || algorithm.isSession { parts.append("cnonce=\(Self.quoted(random))") }
        if hashesUser { parts.append("userhash=true") }
        return "Digest " + parts.joined(separator: ", ")
    }

    private func userField(_ user: String) -> String {
        if hashesUser { return "username=\"\(algorithm.hash("\(user):\(realm)"))\"" }
        guard user.utf8.allSatisfy({ (32..<127).contains($0) }) else {
            // RFC 5987 for non-ASCII names.
            return "username*=UTF-8''" + PercentEncoding.encoded(user, keepsSlashes: false)
        }
        return "username=\(Self.quoted(user))"
    }

    /// Quotes a server's text, so that it cannot leave the quotes.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars where scalar.value >= 32 && scalar.value != 127 {
            if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }

    /// The path and query of a URL as in the request line.
    package static func target(of url: URL) -> String { url.parts.target }
}
