/// The four keys of a request (see Documentation/Architecture.md, "Keys and freshness"), computed once.
public struct RequestKeys: Sendable {
    /// Which running transfers may be shared. Made when asked for, because a memory hit does not need it.
    public var join: CacheKey { CacheKey(joinParts.joined(separator: Self.separator)) }
    private let joinParts: [String]
    /// The stored response.
    public let storage: CacheKey
    /// The decoded original.
    public let decode: CacheKey
    /// The picture.
    public let variant: CacheKey
    /// False: a key filter said nil, or a hook without an identifier changes the result: no cache is read or written.
    public let allowsStoring: Bool
    /// False: a hook has no identifier, so that the work is this request's alone.
    public let allowsJoining: Bool

    /// Separates parts; cannot occur in a URL.
    static let separator = "\u{1}"

    /// `identity` is what the loader knows of the source's present state (a file's size, time and inode); `nonce` makes the keys
    /// of requests that may share nothing unique.
    public init(_ request: ResolvedRequest, identity: String? = nil, nonce: @autoclosure () -> UInt64) {
        let filtered = request.cache.keyFilter.map { $0.key(for: request.source) }
        let text = filtered.map { $0 ?? request.source.keyText } ?? request.source.keyText
        let download = request.download.keyText
        let transformerNames = request.transform.transformers.map(\.identifier)
        let isStable = download != nil && !transformerNames.contains(nil)
        allowsJoining = isStable
        allowsStoring = isStable && filtered.map { $0 != nil } ?? true

        let sourceContext = request.context.sourceInfluence.joined(separator: Self.separator)
        let unique = isStable ? "" : Self.separator + "once=\(nonce())"
        let changesBytes = [
            request.download.requestModifier?.identifier, request.download.responseModifier?.identifier,
            request.download.decryptor?.identifier, request.download.loader?.identifier,
        ].compactMap { $0 }.joined(separator: ",")
        var storageText = request.download.method == "GET" ? text : request.download.method + " " + text
        let scope = request.download.storageScope
        if !scope.isEmpty { storageText += Self.separator + "scope=" + scope }
        if let identity { storageText += Self.separator + "is=" + identity }
        if !sourceContext.isEmpty { storageText += Self.separator + sourceContext }
        if !changesBytes.isEmpty { storageText += Self.separator + "hooks=" + changesBytes }
        storage = CacheKey(storageText)
        joinParts = [
            request.source.keyText, download ?? "", sourceContext, request.cache.lookup.rawValue, storageText + unique,
        ]
        // What the request itself asks of the server may change the picture (`Vary`). Stored responses know their variants by the
        // HTTP rules; decoded pictures are kept apart by the fields.
        let fields = request.download.headers.fields.map { "\($0.name.lowercased()):\($0.value)" }
        var decodeText = request.decode.keyText
        if !fields.isEmpty { decodeText += ";v=" + Digest128(fields.joined(separator: Self.separator)).hex }
        decode = CacheKey(storageText + (decodeText.isEmpty ? "" : Self.separator + "decode=" + decodeText) + unique)
        var variantText = decode.text
        if !request.transform.transformers.isEmpty {
            variantText += Self.separator + "transform=" + transformerNames.map { $0 ?? "?" }.joined(separator: "|")
            if !request.transform.appliesTo.isEmpty {
                variantText += Self.separator + "to=\(request.transform.appliesTo.rawValue)"
            }
        }
        let variantContext = request.context.variantInfluence
        if !variantContext.isEmpty { variantText += Self.separator + variantContext.joined(separator: Self.separator) }
        variant = CacheKey(variantText)
    }
}
