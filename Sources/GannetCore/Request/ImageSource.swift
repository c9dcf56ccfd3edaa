public import FoundationEssentials

/// Where a picture comes from.
public enum ImageSource: Sendable, Hashable {
    /// `http`, `https`, `file`, `data` or any scheme that a loader knows.
    case url(URL)
    /// Absolute path.
    case file(String)
    /// Bytes in memory; `identifier` is the cache key and must change when the bytes do.
    case data(ByteRope, identifier: String)
    /// The user's own bytes.
    case provider(any ImageDataProvider)

    /// A URL if it has a scheme, else a path (made absolute against the working folder by the file loader).
    public init(_ text: String) {
        if Self.hasScheme(text), let url = URL(asWritten: text) {
            // Asking the URL costs more than it takes to see that it is none.
            let mayBeFile = text.utf8.first == UInt8(ascii: "f") || text.utf8.first == UInt8(ascii: "F")
            self = mayBeFile ? Self(url) : .url(url)
        } else {
            self = .file(text)
        }
    }

    /// A `file:` URL of this machine becomes its path. One that names another host stays a URL, which the file loader refuses
    /// (RFC 8089 §2): the same path here is another file.
    public init(_ url: URL) {
        let isLocal = url.isFileURL && ["", "localhost"].contains((url.host() ?? "").lowercased())
        self = isLocal ? .file(url.path) : .url(url)
    }

    /// Bytes in memory; the identifier must change when they do.
    public static func data(_ bytes: [UInt8], identifier: String) -> ImageSource {
        .data(ByteRope(bytes), identifier: identifier)
    }

    /// The same for Foundation's `Data`, which is copied.
    public static func data(_ data: Data, identifier: String) -> ImageSource { .data(ByteRope(data), identifier: identifier) }

    /// A letter, then letters, digits, `+`, `-` and `.`, up to a colon (RFC 3986 §3.1).
    private static func hasScheme(_ text: String) -> Bool {
        var isFirst = true
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: ":"): return !isFirst
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): isFirst = false
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if isFirst { return false }
            default: return false
            }
        }
        return false
    }

    /// Stable text: what the storage key is made of unless a key filter says otherwise. Equivalent `http` and `https` URLs have one: upper and
    /// lower case of scheme and host, the scheme's own port and a missing `/` behind the host tell no addresses apart (RFC 9110 §4.2.3), nor
    /// does the fragment, which servers never see (§7.1). Of a long `data:` URL, which is the picture
    /// itself, it has a digest.
    public var keyText: String {
        switch self {
        case .url(let url): Self.keyText(ofURL: url.absoluteString)
        case .file(let path): "file://" + path
        case .data(_, let identifier): "memory:" + identifier
        case .provider(let provider): "provider:" + provider.cacheKey
        }
    }

    private static let longestDataText = 256

    private static func keyText(ofURL text: String) -> String {
        // Signed addresses are as long; one look tells most of them.
        guard text.utf8.count > longestDataText, let first = text.utf8.first, first | 0x20 == UInt8(ascii: "d"),
            text.prefix(5).lowercased() == "data:"
        else { return HTTPAddress.normalized(text) }
        // Pictures of other people's making must not get one key, as they can with quicker digests.
        var digest = SHA256()
        digest.update(text.utf8)
        // Without a comma it is no `data:` URL of its own.
        return "data:sha256-" + digest.finish()
    }

    /// For messages: no user, password or query values.
    public var redactedDescription: String {
        switch self {
        case .url(let url): Self.redact(url.absoluteString)
        case .file(let path): path
        case .data(let rope, let identifier): "\(rope.count) bytes in memory (\(identifier.prefix(64)))"
        case .provider(let provider): "provider \(provider.cacheKey.prefix(64))"
        }
    }

    private static func redact(_ text: String) -> String {
        if text.hasPrefix("data:") { return String(text.prefix(40)) + (text.count > 40 ? "…" : "") }
        var result = text
        if let query = result.firstIndex(of: "?") { result = String(result[..<query]) + "?…" }
        let parts = result.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        if parts.count >= 3, parts[1].isEmpty, let at = parts[2].lastIndex(of: "@") {
            let host = parts[2][parts[2].index(after: at)...]
            result = ([parts[0], "", host] + parts.dropFirst(3)).joined(separator: "/")
        }
        return result
    }

    public static func == (left: ImageSource, right: ImageSource) -> Bool { left.keyText == right.keyText }
    public func hash(into hasher: inout Hasher) { hasher.combine(keyText) }
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
