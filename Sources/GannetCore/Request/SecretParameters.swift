import Glibc
import Synchronization

/// Query parameters whose values are secrets: the signatures and tokens of URLs.
///
/// Whoever knows such a URL can fetch its image. The value is therefore never printed, and keys of entries on a disk or a server
/// contain a seal of it (``ScopeKey``). Names count without regard to case, escapes, and the characters `-`, `_`, `.`.
package enum SecretParameters {
    package static func add(_ names: [String]) {
        added.withLock { $0.formUnion(names.map { normalized(Array($0.utf8)) }) }
    }

    private static let added = Mutex<Set<String>>([])

    /// Names that are secret in every URL.
    private static let names: Set<String> = [
        "auth", "authorization", "awsaccesskeyid", "googleaccessid", "hdnea", "hdntl", "hdnts", "hmac", "iks", "jwt",
        "keypairid", "ossaccesskeyid", "passwd", "pwd", "policy", "sas", "sig", "sign",
    ]
    /// Parts of names: `X-Amz-Signature`, `access_token`, `X-Amz-Credential`, `wsSecret`.
    private static let parts = [
        "signature", "token", "secret", "password", "credential", "apikey", "accesskey", "authkey", "session",
    ]
    private static let prefixes = ["xgoog", "xoss"]
    /// Parameters of Azure's shared access signatures beside `sig`: too common to be secret elsewhere.
    private static let besideSig: Set<String> = [
        "se", "ses", "si", "sip", "ske", "skoid", "sks", "skt", "sktid", "skv", "sp", "spr", "sr", "srt", "ss", "st", "sv",
    ]

    private static func isSecret(_ name: String, _ added: Set<String>) -> Bool {
        names.contains(name) || added.contains(name) || prefixes.contains { name.hasPrefix($0) }
            || parts.contains { name.contains($0) }
    }

    private static func normalized(_ name: [UInt8]) -> String {
        // `token[]` and `token[0]` are lists of tokens.
        let name = name.prefix { $0 != UInt8(ascii: "[") }.filter { !"-_.+ ".utf8.contains($0) }
        return String(decoding: name, as: UTF8.self).lowercased()
    }

    /// The text with `replacement` of each secret value in place of the value. Finds the queries of URLs anywhere in the text, also of
    /// URLs that are percent-encoded within another one. O(n); most texts have no query, and are returned at once.
    package static func replacingValues(in text: String, with replacement: (String) -> String) -> String {
        guard mayHaveQuery(text) else { return text }
        let query = QueryText(text)
        let parameters = query.parameters.map { ($0, name: normalized($0.name)) }
        if parameters.isEmpty { return text }
        let added = added.withLock { $0 }
        let isAzure = parameters.contains { $0.name == "sig" }
        var result: [UInt8] = []
        var copied = 0
        for (parameter, name) in parameters where isSecret(name, added) || isAzure && besideSig.contains(name) {
            // Parameters within a secret value are part of it. Looking for the end only here keeps this O(n).
            guard parameter.valueStart >= copied else { continue }
            let end = query.valueEnd(of: parameter)
            if end == parameter.valueStart { continue }
            result += query.bytes[copied..<parameter.valueStart]
            result += replacement(String(decoding: query.bytes[parameter.valueStart..<end], as: UTF8.self)).utf8
            copied = end
        }
        return copied == 0 ? text : String(decoding: result + query.bytes[copied...], as: UTF8.self)
    }

    /// For people: `…` in place of each secret value.
    package static func redacted(_ text: String) -> String { replacingValues(in: text) { _ in "…" } }

    /// For keys that leave the process: a seal in place of each secret value, in angle brackets, which no URL has. A sealed text
    /// stays as it is. `key` is evaluated only where there is a secret.
    package static func sealed(_ text: String, _ key: () -> ScopeKey) -> String {
        replacingValues(in: text) { "<" + key().seal(["query", $0]) + ">" }
    }

    private static func mayHaveQuery(_ text: String) -> Bool {
        var text = text
        // The pointer is the string's own, and ends with the closure that has it.
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return false }
            return "?&#%".utf8.contains { memchr(base, Int32($0), bytes.count) != nil }
        }
    }
}

extension CacheKey {
    /// The key under which an entry is kept outside of the process: see ``SecretParameters``. `scopeKey` is evaluated only where there
    /// is a secret.
    package func sealed(_ scopeKey: @autoclosure () -> ScopeKey) -> CacheKey {
        let sealed = SecretParameters.sealed(text, scopeKey)
        return sealed == text ? self : CacheKey(sealed)
    }
}

extension ImageSource {
    /// Names of query parameters whose values are secrets, in addition to those that are known (signatures and tokens), for the whole
    /// process: the values are left out of texts, and sealed in keys that leave the process. Names count without regard to case and
    /// the characters `-`, `_`, `.`.
    ///
    /// Call it before the first load: entries that were stored without a name are misses with it.
    public static func addSecretParameters(_ names: String...) { SecretParameters.add(names) }
}
