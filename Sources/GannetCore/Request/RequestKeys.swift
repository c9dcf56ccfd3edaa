import FoundationEssentials

/// The four keys of a request (see Documentation/Architecture.md, "Keys and freshness"), computed once.
package struct RequestKeys: Sendable {
    /// Identifies running transfers that may be shared. Computed on demand, because a memory hit does not need it.
    package var join: CacheKey {
        // Most transfers have a short key: nothing but the source is in it, and an empty part as that of standard download options has
        // none (see ``isJob(_:of:)``).
        if fetchingText.isEmpty, sourceContext.isEmpty, lookup == .automatic, joinEnd == sourceText,
            downloadText == ResolvedDownloadOptions.standardKeyText
        {
            return CacheKey(sourceText + Self.separator)
        }
        var text = sourceText
        let parts = [downloadText, sourceContext, lookup.rawValue, joinEnd]
        text.reserveCapacity(parts.reduce(text.utf8.count + fetchingText.utf8.count + parts.count) { $0 + $1.utf8.count })
        for part in parts {
            text += Self.separator
            text += part
        }
        return CacheKey(text + fetchingText)
    }
    private let sourceText: String
    private let downloadText: String
    private let sourceContext: String
    private let lookup: LookupPolicy
    private let joinEnd: String
    private let fetchingText: String
    /// The scope of the credentials; empty without any, and if responses may be shared between users.
    package let scope: String
    /// The stored response.
    package let storage: CacheKey
    /// The decoded original.
    package let decode: CacheKey
    /// The image.
    package let variant: CacheKey
    /// The image, however it is encoded for the disk.
    package let made: CacheKey
    /// How results are encoded for the disk, as at the end of the variant key; empty for the standard encoding.
    package let encodeText: String
    /// The image is the decoded original: no transformer and nothing in the context changes it further.
    package let isDecodedOnly: Bool
    /// The request has its own header fields, which may contain directives for caches.
    package let hasOwnFields: Bool
    /// The image is the stored response, decoded as a whole.
    package let isStoredResponse: Bool
    /// The file is stored under a key that no image is read from.
    package let isStoredApart: Bool
    /// False: no cache is read or written, because a key filter returned nil, a hook without an identifier changes the result, or
    /// the loader does not know the source's state.
    package let allowsStoring: Bool
    /// False: a hook has no identifier, so that the work is this request's alone.
    package let allowsJoining: Bool

    /// The kind of result of a load.
    package enum Product: Hashable, Sendable {
        case image
        /// A file: as `cache.encode` has it, or by an encoder with a name.
        case file(by: String?)
    }

    /// Separates parts; cannot occur in a URL.
    static let separator = "\u{1}"

    /// `identity` is the source's present state as the loader knows it (a file's size, time and inode). `nonce` makes keys unique
    /// for requests that may share nothing.
    package init(_ request: ResolvedRequest, identity: String? = nil, nonce: @autoclosure () -> UInt64) {
        self.init(request, identity: identity, isStateKnown: true, scopeKey: .process, nonce: nonce())
    }

    /// `isStateKnown`: the loader knows the source's present state, or does not need to. `scopeKey` seals the request's secrets;
    /// it is evaluated only if there is a secret.
    package init(
        _ request: ResolvedRequest, identity: String?, isStateKnown: Bool, product: Product = .image,
        scopeKey: @autoclosure () -> ScopeKey, nonce: @autoclosure () -> UInt64
    ) {
        // Most requests have neither hooks nor headers nor context, and a memory hit costs little more than its keys: options
        // that are not set are not evaluated.
        let (sourceText, userInfo) = request.source.keyParts
        self.sourceText = sourceText
        let filtered = request.cache.keyFilter.map { $0.key(for: request.source.withoutUserInfo) }
        let text = filtered.map { $0 ?? sourceText } ?? sourceText
        let isPlain = request.hasStandardDownload
        let (hasPlainDecode, hasPlainCache) = (request.hasStandardDecode, request.hasStandardCache)
        let userInfos = isPlain ? userInfo.map { [$0] } ?? [] : request.download.userInfo(of: request.source)
        let hasSecrets = !userInfos.isEmpty || (!isPlain && request.download.hasSecrets)
        let scopeKey = hasSecrets ? scopeKey() : .process
        let download = isPlain ? ResolvedDownloadOptions.standardKeyText : request.download.keyText(scopeKey)
        let transformers = request.transform.transformers
        // Transformers with an empty identifier change nothing.
        let transformerNames =
            transformers.isEmpty ? [] : transformers.map { $0.identifier?.keyPart("|") }.filter { $0?.isEmpty != true }
        let isStable = download != nil && !transformerNames.contains(nil)
        allowsJoining = isStable
        allowsStoring = isStable && isStateKnown && filtered.map { $0 != nil } ?? true
        downloadText = download ?? ""
        lookup = request.cache.lookup

        let hasContext = !request.context.isEmpty
        sourceContext = hasContext ? request.context.sourceInfluence.joined(separator: Self.separator) : ""
        let unique = isStable ? "" : Self.separator + "once=\(nonce())"
        var storageText = isPlain || request.download.method == "GET" ? text : request.download.method + " " + text
        scope = isPlain && userInfos.isEmpty ? "" : request.download.storageScope(scopeKey, userInfo: userInfos)
        if !scope.isEmpty { storageText += Self.separator + "scope=" + scope }
        // Shares no work with requests that may use stored entries.
        if let filtered, filtered == nil { storageText += Self.separator + "uncached" }
        if let identity { storageText += Self.separator + "is=" + identity.keyPart() }
        if !sourceContext.isEmpty { storageText += Self.separator + sourceContext }
        let changesBytes = isPlain ? "" : request.download.hookIdentifiers
        if !changesBytes.isEmpty { storageText += Self.separator + "hooks=" + changesBytes }
        storage = CacheKey(storageText)
        joinEnd = isStable ? storageText : storageText + unique
        // The request's own header fields may change the image (`Vary`). The HTTP rules keep variants of stored responses apart;
        // decoded images are kept apart by the fields in their key.
        var decodeText = hasPlainDecode ? "" : request.decode.keyText
        hasOwnFields = !isPlain && !request.download.headers.isEmpty
        if hasOwnFields { decodeText += ";v=" + request.download.headers.sealed(scopeKey) }
        let pixelsContext = hasContext ? request.context.pixelsInfluence : []
        if !pixelsContext.isEmpty { decodeText += ";c=" + pixelsContext.joined(separator: Self.separator) }
        var decodeEnd = Self.decodeEnd(decodeText)
        if !isStable { decodeEnd += unique }
        decode = decodeEnd.isEmpty ? storage : CacheKey(storageText + decodeEnd)
        var variantEnd = ""
        if !transformerNames.isEmpty {
            variantEnd += Self.separator + "transform=" + transformerNames.map { $0 ?? "?" }.joined(separator: "|")
            if !request.transform.appliesTo.isEmpty {
                variantEnd += Self.separator + "to=\(request.transform.appliesTo.rawValue)"
            }
        }
        let variantContext = hasContext ? request.context.variantInfluence : []
        if !variantContext.isEmpty { variantEnd += Self.separator + variantContext.joined(separator: Self.separator) }
        made = variantEnd.isEmpty ? decode : CacheKey(decode.text + variantEnd)
        isDecodedOnly = variantEnd.isEmpty
        // A result that is not the stored response itself is encoded for the disk, and a later read returns it with the losses of
        // that encoding.
        encodeText = hasPlainCache ? "" : Self.encodeText(request.cache.encode)
        isStoredResponse =
            product == .image && variantEnd.isEmpty && (hasPlainDecode || request.decode.isOfWhole) && pixelsContext.isEmpty
            && (hasPlainCache || request.cache.serializer == nil || made == storage)
        let isFetchedPlainly = isPlain && hasPlainCache && hasPlainDecode && !request.schedule.retryFailedSources
        fetchingText =
            isFetchedPlainly ? "" : request.fetchingText(isStoredResponse: isStoredResponse) ?? Self.separator + "once=\(nonce())"
        var encoder: String?
        if case .file(let name) = product { encoder = name }
        // Images are not stored there, or as a serializer writes them, or may not be read from what a caller's encoder writes.
        isStoredApart =
            product != .image
            && (encoder != nil || made == storage || (!hasPlainCache && request.cache.serializer != nil))
        if isStoredApart {
            let text = encoder.map { "by=" + $0.keyPart() } ?? request.cache.encode.keyText
            variant = CacheKey(made.text + Self.separator + Self.encodedPart + text)
        } else if made != storage {
            variant = encodeText.isEmpty ? made : CacheKey(made.text + encodeText)
        } else {
            // The serializer's output is stored under another key than the response, because the HTTP rules apply to the
            // response.
            let isSerialized = !hasPlainCache && request.cache.serializer != nil
            variant = isSerialized ? CacheKey(made.text + Self.separator + Self.serializedPart) : made
        }
    }

    /// The same key as ``variant``, for most requests without making the others: a request with no options but those of decoding, for a
    /// URL of the web in its usual spelling, over defaults that are plain (``ImageRequest/isPlain``). Nil for all others. Without
    /// options it allocates nothing, with them one text; what they add to it is made once for all copies of the request.
    package static func variant(ofSimple request: ImageRequest) -> CacheKey? {
        guard request.isOnlyDecoded, case .url(let url) = request.source, let text = HTTPAddress.usual(url.absoluteString),
            request.source.scaleOfName == nil
        else { return nil }
        if request.hasStandardDecode { return CacheKey(text) }
        return CacheKey(text + request.decodeBox.text { decodeEnd(ResolvedDecodeOptions($0).keyText) })
    }

    /// The text that follows the storage key.
    private static func decodeEnd(_ text: String) -> String { text.isEmpty ? "" : separator + "decode=" + text }

    /// Whether the key of a running job belongs to a load of this source (``ImageSource/keyText``). The join key is part of all
    /// jobs' keys and has the download options right after its source. Excludes sources that are loaded in place of another, and
    /// sources that a key filter maps to the same text.
    package static func isJob(_ key: CacheKey, of sourceText: String) -> Bool {
        let source = sourceText.utf8
        let parts = key.text.utf8.split(separator: 1, omittingEmptySubsequences: false)
        return zip(parts, parts.dropFirst()).contains { part, next in
            part.count == source.count && part.elementsEqual(source) && (next.isEmpty || next.starts(with: "m=".utf8))
        }
    }

    /// The parts that follow the storage key in keys of images that were made from the stored response.
    package static let madeOfStored = ["decode=", "transform=", encodedPart, serializedPart].map { separator + $0 }
    /// A file of the image, beside the stored response or the serializer's copy.
    private static let encodedPart = "encoded="
    /// The whole image, as a serializer wrote it.
    private static let serializedPart = "serialized"

    /// The parts that follow the storage key in the fetcher's own entries: answers to other header fields (`Vary`), broken
    /// transfers.
    /// transfers.
    package static let variantsOfStored = [varyPart, partialPart].map { separator + $0 }
    package static let varyPart = "vary="
    package static let partialPart = "partial"

    private static let standardEncoding = EncodeOptions()

    private static func encodeText(_ options: EncodeOptions) -> String {
        options == standardEncoding ? "" : separator + "encode=" + options.keyText
    }
}

extension RequestKeys: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The keys' own descriptions.
    package var description: String { "image \(variant), original \(storage)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Redaction.mirror(of: self) }
}
