package import GannetCore

/// Makes cache keys from URLs without the query parameters that say nothing about the image.
///
/// The rest of the key stays as it is (``ImageSource/keyText``), in its order; the fragment, which no server sees, is dropped.
/// The URL that is loaded does not change, and running transfers are still shared by the whole URL. Sources that are not URLs,
/// and `data:` URLs, which have no query, keep their key.
/// - SDWebImage: SDWebImageCacheKeyFilter - Kingfisher: ImageResource(downloadURL:cacheKey:)
package struct QueryKeyFilter: CacheKeyFilter, Hashable {
    /// Parameters that belong together: they are dropped only if `mark` is among the parameters, because their names alone are
    /// too common.
    package struct Group: Hashable, Sendable {
        /// The parameter that shows that the group is there, in lower case; it is dropped too.
        package var mark: String
        /// The parameters that go with ``mark``, in lower case.
        package var names: Set<String>

        /// Names without regard to ASCII case.
        package init(mark: String, names: Set<String>) {
            self.mark = mark.lowercased()
            self.names = Set(names.map { $0.lowercased() })
        }
    }

    private enum Rule: Hashable {
        case everything
        case some(names: Set<String>, prefixes: [String], groups: [Group])
        case only(Set<String>)
    }

    private let rule: Rule

    private init(_ rule: Rule) { self.rule = rule }

    /// Drops the parameters of these names, those that begin with one of the prefixes, and the groups whose mark is there.
    /// Without regard to ASCII case; percent signs are compared as written.
    package init(dropping names: Set<String>, prefixes: [String] = [], groups: [Group] = []) {
        self.init(
            .some(
                names: Set(names.map { $0.lowercased() }), prefixes: prefixes.map { $0.lowercased() },
                groups: groups))
    }

    /// Keeps only the parameters with these names.
    package init(keeping names: Set<String>) { self.init(.only(Set(names.map { $0.lowercased() }))) }

    /// Drops the whole query.
    package static let query = QueryKeyFilter(.everything)

    /// Parameters that track users: `utm_…`, the click identifiers of advertisers, of mailing and of analytics services.
    package static let tracking = QueryKeyFilter(
        dropping: [
            "_ga", "_gl", "_hsenc", "_hsmi", "_openstat", "dclid", "epik", "fbclid", "gad_source", "gbraid", "gclid", "gclsrc",
            "hsctatracking", "igsh", "igshid", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "msclkid", "oly_anon_id", "oly_enc_id",
            "s_cid", "srsltid", "ttclid", "twclid", "vero_id", "wbraid", "wickedid", "yclid",
        ], prefixes: ["utm_", "pk_", "mtm_"])

    /// Signatures that change from day to day while the image stays the same: Amazon S3 and CloudFront, Google Cloud Storage,
    /// Azure shared access, Alibaba OSS, Akamai tokens.
    ///
    /// Every user of the cache then sees images that were signed for other users: give requests of different users different
    /// `credentialScope`s.
    package static let signatures = QueryKeyFilter(
        dropping: ["hdnea", "hdnts", "hdntl", "__token__"], prefixes: ["x-amz-", "x-goog-", "x-oss-"],
        groups: [
            Group(mark: "AWSAccessKeyId", names: ["Expires", "Signature"]),
            Group(mark: "Key-Pair-Id", names: ["Expires", "Signature", "Policy"]),
            Group(mark: "GoogleAccessId", names: ["Expires", "Signature"]),
            Group(mark: "OSSAccessKeyId", names: ["Expires", "Signature", "security-token"]),
            Group(
                mark: "sig",
                names: [
                    "sv", "ss", "srt", "sp", "se", "st", "spr", "sip", "sr", "skoid", "sktid", "skt", "ske", "sks", "skv",
                    "saoid",
                    "suoid", "scid", "sdd", "ses",
                ]),
        ])

    package func key(for source: ImageSource) -> String? {
        let text = source.keyText
        guard case .url = source, text.prefix(5).lowercased() != "data:" else { return text }
        let withoutFragment = text.prefix { $0 != "#" }
        guard let mark = withoutFragment.firstIndex(of: "?") else { return String(withoutFragment) }
        let parameters = withoutFragment[withoutFragment.index(after: mark)...].split(separator: "&")
        let kept = keep(parameters)
        let base = withoutFragment[..<mark]
        return kept.isEmpty ? String(base) : base + "?" + kept.joined(separator: "&")
    }

    private func keep(_ parameters: [Substring]) -> [Substring] {
        func name(_ parameter: Substring) -> String { parameter.prefix { $0 != "=" }.lowercased() }
        switch rule {
        case .everything: return []
        case .only(let names): return parameters.filter { names.contains(name($0)) }
        case .some(var names, let prefixes, let groups):
            let present = Set(parameters.map(name))
            for group in groups where present.contains(group.mark) {
                names.insert(group.mark)
                names.formUnion(group.names)
            }
            return parameters.filter { parameter in
                let name = name(parameter)
                return !names.contains(name) && !prefixes.contains { name.hasPrefix($0) }
            }
        }
    }
}

/// Applies filters one after the other. If one returns nil, the result is nil.
package struct CacheKeyFilters: CacheKeyFilter {
    private let filters: [any CacheKeyFilter]

    /// Each filter receives the result of the one before, as long as that is a URL.
    package init(_ filters: [any CacheKeyFilter]) { self.filters = filters }

    package func key(for source: ImageSource) -> String? {
        var current = source
        var text = source.keyText
        for filter in filters {
            guard let next = filter.key(for: current) else { return nil }
            text = next
            guard case .url = current, case .url = ImageSource(next) else { continue }
            current = ImageSource(next)
        }
        return text
    }
}
