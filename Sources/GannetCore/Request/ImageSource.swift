public import FoundationEssentials

/// Where an image comes from.
public enum ImageSource: Sendable, Hashable {
    /// `http`, `https`, `file`, `data` or any scheme that a loader knows.
    case url(URL)
    /// Absolute path. One with bytes that are no UTF-8 is given as a `file:` URL, percent-encoded.
    case file(String)
    /// Bytes in memory; `identifier` is the cache key and must change when the bytes do.
    case data(ByteRope, identifier: String)
    /// The user's own bytes.
    case provider(any ImageDataProvider)

    /// A URL if it has a scheme, else a path (made absolute against the working folder by the file loader).
    public init(_ text: String) {
        if Self.hasScheme(text), let url = URL(asWritten: text) {
            // Asking the URL costs more than it takes to see that it is none.
            let first = url.absoluteString.utf8.first
            self = first == UInt8(ascii: "f") || first == UInt8(ascii: "F") ? Self(url) : .url(url)
        } else {
            self = .file(text)
        }
    }

    /// A `file:` URL of this machine becomes its path. One that names another host stays a URL, which the file loader refuses
    /// (RFC 8089 §2): the same path here is another file.
    public init(_ url: URL) {
        let isLocal = url.isFileURL && ["", "localhost"].contains((url.host() ?? "").lowercased())
        guard isLocal else {
            self = .url(url)
            return
        }
        var path = url.parts.path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        self = .file(PercentEncoding.decodedText(path))
    }

    /// Bytes in memory; the identifier must change when they do.
    public static func data(_ bytes: [UInt8], identifier: String) -> ImageSource {
        .data(ByteRope(bytes), identifier: identifier)
    }

    /// The same for Foundation's `Data`, which is copied.
    public static func data(_ data: Data, identifier: String) -> ImageSource { .data(ByteRope(data), identifier: identifier) }

    /// Whether a text begins with a scheme: a letter, then letters, digits, `+`, `-` and `.`, up to a colon (RFC 3986 §3.1).
    /// Characters that ``URLEscapes/trimmed(_:)`` removes are skipped.
    private static func hasScheme(_ text: String) -> Bool {
        var isFirst = true
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: ":"): return !isFirst
            case 9, 10, 13: continue
            case 0...32 where isFirst: continue
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): isFirst = false
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if isFirst { return false }
            default: return false
            }
        }
        return false
    }

    /// The stable text of which the storage key is made, unless a key filter makes another. Equivalent `http` and `https` URLs
    /// have the same text: it ignores the case of scheme and host, the scheme's default port, a missing `/` behind the host (RFC
    /// 9110 §4.2.3), and the fragment, which servers never see (§7.1). It has neither user nor password: they become part of keys
    /// through ``ScopeKey``. A long `data:` URL, which is the image itself, is represented by a digest.
    public var keyText: String {
        switch self {
        case .url(let url): Self.keyText(ofURL: url.absoluteString)
        case .file(let path): "file://" + path.keyPart()
        case .data(_, let identifier): "memory:" + identifier.keyPart()
        case .provider(let provider): "provider:" + provider.cacheKey.keyPart()
        }
    }

    private static let longestDataText = 256

    private static func keyText(ofURL text: String) -> String {
        guard isLongData(text) else { return HTTPAddress.normalized(text) }
        // Two images must never get the same key, not even crafted ones, as they could with faster digests.
        // The text has no comma, so that it cannot be mistaken for a real `data:` URL.
        return "data:sha256-" + SHA256.hex(text.utf8)
    }

    /// Signed addresses are as long; the first letter excludes most of them.
    private static func isLongData(_ text: String) -> Bool {
        guard text.utf8.count > longestDataText, let first = text.utf8.first, first | 0x20 == UInt8(ascii: "d") else {
            return false
        }
        return text.prefix(5).lowercased() == "data:"
    }

    /// For messages: no user, password or query values.
    public var redactedDescription: String {
        switch self {
        case .url(let url): Redaction.url(url.absoluteString)
        case .file(let path): ByteText.shown(path)
        case .data(let rope, let identifier): "\(rope.count) bytes in memory (\(identifier.prefix(64)))"
        case .provider(let provider): "provider \(provider.cacheKey.prefix(64))"
        }
    }

    /// The user and password of the URL as they are written there; nil if there is no user. Secrets: they are no part of ``keyText``, and
    /// become part of keys through ``ScopeKey``.
    package var userInfo: String? { keyParts.userInfo }

    /// ``keyText`` and ``userInfo``, found in one go.
    package var keyParts: (text: String, userInfo: String?) {
        guard case .url(let url) = self else { return (keyText, nil) }
        let text = url.absoluteString
        return Self.isLongData(text) ? (keyText, nil) : HTTPAddress.parts(of: text)
    }

    /// The same source without user and password.
    package var withoutUserInfo: ImageSource {
        guard userInfo != nil, let url = URL(string: keyText) else { return self }
        return .url(url)
    }

    /// URLs with different users or passwords differ.
    public static func == (left: ImageSource, right: ImageSource) -> Bool {
        left.keyText == right.keyText && left.userInfo == right.userInfo
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(keyText) }
}

extension ImageSource: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same as ``redactedDescription``.
    public var description: String { redactedDescription }
    public var debugDescription: String { redactedDescription }
    public var customMirror: Mirror { Redaction.mirror(of: self) }
}

extension ImageSource: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(value) }
}

/// Bytes made by the user's own code: a database, an archive, a camera.
public protocol ImageDataProvider: Sendable {
    /// Identifies the bytes; changes when they do.
    var cacheKey: String { get }
    /// All bytes. Called once per load, off the caller's actor; cancelled with the load.
    func data() async throws -> [UInt8]
}

extension ImageSource {
    /// A URL that is neither `data:` nor `file:`: loading it again may contact a server.
    package var isOfTheNetwork: Bool {
        guard case .url(let url) = self, let scheme = url.scheme?.lowercased() else { return false }
        return scheme != "data" && scheme != "file"
    }

    /// The end of its path, for titles and screen readers; without secrets.
    package var shortName: String {
        let path = redactedDescription
        return String(path.split(separator: "/").last ?? Substring(path))
    }
}
