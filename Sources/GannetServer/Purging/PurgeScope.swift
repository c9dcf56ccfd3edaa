#if Server
    package import GannetCore
    import GannetFetch

    /// The entries that a purge makes void. Records, stores and logs have digests of it, so that they reveal no URLs.
    package enum PurgeScope: Hashable, Sendable {
        /// Everything made of one source.
        case source(String)
        /// Everything made of sources at this URL or below it: `https://example.org/a` covers `/a`, `/a?b` and `/a/b.jpg`, not `/ab`.
        case prefix(String)
        /// Everything whose source was sent with this tag.
        case tag(String)
        /// All that is stored.
        case everything

        /// The most path segments of a prefix: a purge of a deeper one is refused.
        static let deepest = 64
        /// In bytes, of a source or a prefix.
        static let longest = 4096

        /// The scope of a source in any spelling. Throws `misuse`.
        package static func ofSource(_ text: String) throws(ImageError) -> PurgeScope {
            guard !text.isEmpty, text.utf8.count <= longest else { throw wrong("A source is a URL of 1 to \(longest) bytes.") }
            return .source(ImageSource(text).keyText)
        }

        /// The scope of a prefix in any spelling; slashes at its end count for nothing. Throws `misuse`.
        package static func ofPrefix(_ text: String) throws(ImageError) -> PurgeScope {
            guard text.utf8.count <= longest, text.contains("://"), !text.contains("?"), !text.contains("#") else {
                throw wrong("A prefix is a URL without a query: https://example.org/pictures.")
            }
            let whole = PurgeScopes.boundaries(of: ImageSource(text).keyText)
            guard let last = whole.last, whole.count <= deepest else {
                throw wrong("A prefix has \(deepest - 1) names at most.")
            }
            return .prefix(last)
        }

        /// Throws `misuse` for what no source can send.
        package static func ofTag(_ text: String) throws(ImageError) -> PurgeScope {
            guard ResponseTags.isTag(text), text != ResponseTags.tooMany else {
                throw wrong("A tag has 1 to \(ResponseTags.longest) visible characters, and no comma.")
            }
            return .tag(text)
        }

        /// Nil: all.
        var digest: Digest128? {
            switch self {
            case .source(let text): Digest128("s" + text)
            case .prefix(let text): Digest128("p" + text)
            case .tag(let text): Self.digest(ofTag: text)
            case .everything: nil
            }
        }

        /// Those of the records. A response with more tags than are kept is void with each tag.
        var digests: [Digest128] {
            guard case .tag = self else { return digest.map { [$0] } ?? [] }
            return [digest, Self.digest(ofTag: ResponseTags.tooMany)].compactMap { $0 }
        }

        /// Whether a source and the tags of its response are a part of it.
        package func covers(_ source: String, tags: [String]) -> Bool {
            switch self {
            case .source(let text): text == source
            case .prefix(let text): PurgeScopes.boundaries(of: source).prefix(Self.deepest).contains(text)
            case .tag(let tag): tags.contains(tag) || tags.contains(ResponseTags.tooMany)
            case .everything: true
            }
        }

        static func digest(ofTag tag: String) -> Digest128 { Digest128("t" + tag) }

        private static func wrong(_ message: String) -> ImageError { ImageError(.misuse, stage: .resolve, message) }
    }

    /// The scopes of which one source is a part, except those of its tags.
    struct PurgeScopes: Hashable, Sendable {
        /// Of the source, and of all prefixes of it.
        let digests: [Digest128]

        /// `source`: as ``ImageSource/keyText`` has it. O(n) for each name of its path.
        init(ofSource source: String) {
            digests =
                [Digest128("s" + source)] + Self.boundaries(of: source).prefix(PurgeScope.deepest).map { Digest128("p" + $0) }
        }

        /// The name by which a CDN in front knows what is made of the source.
        var surrogateKey: String { "gannet-" + digests[0].hex }

        /// Scheme and authority, and with each further name of the path, without slashes at the end; the whole path is the last. None for what
        /// is no URL with an authority.
        static func boundaries(of source: String) -> [String] {
            let bytes = source.utf8
            let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
            guard let colon = bytes[..<end].firstIndex(of: UInt8(ascii: ":")), bytes[colon..<end].starts(with: "://".utf8) else {
                return []
            }
            var last = end
            let authority = bytes.index(colon, offsetBy: 3)
            let path = bytes[authority..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
            while last > path, bytes[bytes.index(before: last)] == UInt8(ascii: "/") { last = bytes.index(before: last) }
            var found: [String] = []
            var place = path
            while place < last {
                found.append(String(source[..<place]))
                if found.count > PurgeScope.deepest { return found }
                let next = bytes.index(after: place)
                place = bytes[next..<last].firstIndex(of: UInt8(ascii: "/")) ?? last
            }
            return found + [String(source[..<last])]
        }
    }
#endif
