#if Server
    import FoundationEssentials
    package import GannetCore
    package import GannetPlatform

    /// A signed request for a purge: `/purge?source=URL&prefix=URL&tag=TAG&expires=SECONDS&nonce=TEXT&sig=HEX`.
    ///
    /// It has no body, so that no part of it is outside of the signature. The signature is that of a query: the HMAC-SHA-256 of everything before
    /// `&sig=`, in hexadecimal digits.
    package struct PurgeRequest: Equatable, Sendable {
        static let path = "/purge"
        /// From its signature on: the nonces of that time are remembered.
        package static let longestLife = Duration.seconds(300)
        private static let longestTarget = 16 << 10

        var scopes: [PurgeScope]
        var nonce: String
        /// Seconds since 1970.
        var expires: Int64

        /// Whether the target is this path, with any query.
        static func isMeant(_ target: String) -> Bool { target == path || target.hasPrefix(path + "?") }

        /// Reads and checks a target as it was received. Throws `blocked` where the signature or the time is wrong, and `misuse`.
        init(_ target: String, keys: SigningKeys, now: Timestamp) throws(ImageError) {
            guard target.utf8.count <= Self.longestTarget else { throw Self.wrong("The request is longer than 16 KiB.") }
            let halves = target.components(separatedBy: "&sig=")
            guard halves.count == 2, keys.isRight(.hexadecimal(halves[1]), of: halves[0]) else {
                throw Self.refused("A purge is signed with the key for purges: sig must be right, and stand at the end.")
            }
            var (scopes, nonce, expires) = ([PurgeScope](), String?.none, Int64?.none)
            for item in halves[0].dropFirst(Self.path.count + 1).split(separator: "&", omittingEmptySubsequences: false) {
                let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { throw Self.wrong("Each parameter is written NAME=VALUE.") }
                let value = PercentEncoding.decodedText(parts[1])
                switch parts[0] {
                case "source": scopes.append(try .ofSource(value))
                case "prefix": scopes.append(try .ofPrefix(value))
                case "tag": scopes.append(try .ofTag(value))
                case "everything" where value == "1": scopes.append(.everything)
                case "nonce" where nonce == nil: nonce = value
                case "expires" where expires == nil: expires = Int64(value)
                default: throw Self.wrong("\(parts[0].prefix(64)) is unknown, stands twice or is wrong.")
                }
            }
            guard !scopes.isEmpty else { throw Self.wrong("Name a source, a prefix or a tag.") }
            guard let nonce, (16...64).contains(nonce.utf8.count), nonce.utf8.allSatisfy({ PercentEncoding.isLetterOrDigit($0) })
            else { throw Self.wrong("nonce is 16 to 64 letters and digits by chance.") }
            guard let expires, expires <= now.milliseconds / 1000 + Self.longestLife.components.seconds else {
                throw Self.wrong("expires is seconds since 1970, at most \(Self.longestLife.components.seconds) s from now.")
            }
            guard expires > now.milliseconds / 1000 else { throw Self.refused("This request has expired; sign another one.") }
            (self.scopes, self.nonce, self.expires) = (scopes, nonce, expires)
        }

        /// A signed target, which is right for a minute. `scopes`: names and values as they are written in it.
        package static func target(
            _ scopes: [(name: String, value: String)], keys: SigningKeys, now: Timestamp,
            random: any RandomSource = SystemRandomSource()
        ) throws(ImageError) -> String {
            let chance = String(random.next(), radix: 16) + String(random.next(), radix: 16) + String(random.next(), radix: 16)
            let nonce = chance.count < 16 ? chance + String(repeating: "0", count: 16 - chance.count) : chance
            let items =
                scopes.map { $0.name + "=" + PercentEncoding.encoded($0.value, keepsSlashes: false) }
                + ["expires=\(now.milliseconds / 1000 + 60)", "nonce=\(nonce)"]
            return try keys.signed(query: path + "?" + items.joined(separator: "&"))
        }

        private static func wrong(_ message: String) -> ImageError { ImageError(.misuse, stage: .resolve, message) }
        private static func refused(_ message: String) -> ImageError { ImageError(.blocked, stage: .resolve, message) }
    }

    extension SigningKeys {
        /// With `&sig=` and its signature by the first key.
        func signed(query: String) throws(ImageError) -> String {
            guard let key = keys.first else { throw ImageError(.misuse, stage: .resolve, "Signing needs a key.") }
            return query + "&sig=" + HMAC.sha256(query.utf8, key: key.secret)
        }
    }
#endif
