/// A request without optional choices: request over manager defaults over built-in values.
public struct ResolvedRequest: Sendable {
    /// The first source to load; the alternatives are in ``download``.
    public var source: ImageSource
    /// Which caches are read and filled.
    @inlinable public var cache: ResolvedCacheOptions {
        _read { yield cacheBox.wrappedValue }
        set { cacheBox.wrappedValue = newValue }
    }
    @usableFromInline var cacheBox: Boxed<ResolvedCacheOptions>
    /// How bytes are fetched.
    @inlinable public var download: ResolvedDownloadOptions {
        _read { yield downloadBox.wrappedValue }
        set { downloadBox.wrappedValue = newValue }
    }
    @usableFromInline package var downloadBox: Boxed<ResolvedDownloadOptions>
    /// How pixels are decoded.
    @inlinable public var decode: ResolvedDecodeOptions {
        _read { yield decodeBox.wrappedValue }
        set { decodeBox.wrappedValue = newValue }
    }
    @usableFromInline var decodeBox: Boxed<ResolvedDecodeOptions>
    /// How the decoded image is changed.
    @inlinable public var transform: ResolvedTransformOptions {
        _read { yield transformBox.wrappedValue }
        set { transformBox.wrappedValue = newValue }
    }
    @usableFromInline var transformBox: Boxed<ResolvedTransformOptions>
    /// When the work is done.
    public var schedule: ResolvedScheduleOptions
    /// The request's values over those of the defaults.
    public var context: LoadContext

    /// Resolves a request without a manager's defaults: over the built-in values alone.
    public init(_ request: ImageRequest) { self.init(request, defaults: .none) }

    /// If no scale is set, the source's name decides.
    package init(_ request: ImageRequest, defaults: RequestDefaults) {
        source = request.source
        let defaults = defaults.options
        // Most requests set no options: they share the resolved values.
        let isStandard = (
            cache: request.hasStandardCache && defaults.hasStandardCache,
            download: request.hasStandardDownload && defaults.hasStandardDownload,
            decode: request.hasStandardDecode && defaults.hasStandardDecode,
            transform: request.hasStandardTransform && defaults.hasStandardTransform
        )
        cacheBox = isStandard.cache ? Slices.standard.cache : Slices.resolve(request.cache, defaults.cache)
        downloadBox = isStandard.download ? Slices.standard.download : Slices.resolve(request.download, defaults.download)
        var decode = isStandard.decode ? Slices.standard.decode : Slices.resolve(request.decode, defaults.decode)
        transformBox = isStandard.transform ? Slices.standard.transform : Slices.resolve(request.transform, defaults.transform)
        if isStandard.decode || (request.decode.scale == nil && defaults.decode.scale == nil), let scale = source.scaleOfName {
            decode.wrappedValue.scale = scale
        }
        decodeBox = decode
        schedule = ResolvedScheduleOptions(request.schedule, defaults.schedule)
        context = defaults.context.isEmpty ? request.context : defaults.context.merging(request.context)
    }
}

extension ResolvedRequest {
    /// The slices of requests that set no options.
    struct Slices: Sendable {
        static let standard = Slices()

        let cache = resolve(CacheOptions(), CacheOptions())
        let download = resolve(DownloadOptions(), DownloadOptions())
        let decode = resolve(DecodeOptions(), DecodeOptions())
        let transform = resolve(TransformOptions(), TransformOptions())

        static func isStandard(_ download: Boxed<ResolvedDownloadOptions>) -> Bool { download.isSame(as: standard.download) }

        static func resolve(_ own: CacheOptions, _ base: CacheOptions) -> Boxed<ResolvedCacheOptions> {
            Boxed(wrappedValue: ResolvedCacheOptions(own, base))
        }
        static func resolve(_ own: DownloadOptions, _ base: DownloadOptions) -> Boxed<ResolvedDownloadOptions> {
            Boxed(wrappedValue: ResolvedDownloadOptions(own, base))
        }
        static func resolve(_ own: DecodeOptions, _ base: DecodeOptions) -> Boxed<ResolvedDecodeOptions> {
            Boxed(wrappedValue: ResolvedDecodeOptions(own, base))
        }
        static func resolve(_ own: TransformOptions, _ base: TransformOptions) -> Boxed<ResolvedTransformOptions> {
            Boxed(wrappedValue: ResolvedTransformOptions(own, base))
        }
    }

    /// Which slices are the standard ones.
    package var hasStandardDownload: Bool { Slices.isStandard(downloadBox) }
    var hasStandardDecode: Bool { decodeBox.isSame(as: Slices.standard.decode) }
    package var hasStandardCache: Bool { cacheBox.isSame(as: Slices.standard.cache) }
}

/// ``CacheOptions`` in which every field has a value.
public struct ResolvedCacheOptions: Sendable {
    /// Built-in: automatic.
    public var lookup: LookupPolicy
    /// Tiers read for the final image. Built-in: both.
    public var read: CacheTier
    /// Tiers the final image is stored in. Built-in: both.
    public var write: CacheTier
    /// Tiers read for the untouched original. Built-in: disk. Once set, also counts where the image is its original.
    public var readOriginal: CacheTier { didSet { namesReadOriginal = true } }
    /// Tiers the untouched original is stored in. Built-in: disk. Once set, also counts where the image is its original.
    public var writeOriginal: CacheTier { didSet { namesWriteOriginal = true } }
    /// Nil: the manager's.
    public var store: (any ImageCaching)?
    /// Nil: the same as ``store``.
    public var originalStore: (any ImageCaching)?
    /// Nil: sources are identified by ``ImageSource/keyText``.
    public var keyFilter: (any CacheKeyFilter)?
    /// Nil: the coders.
    public var serializer: (any CacheSerializer)?
    /// How images are encoded for the disk. Built-in: the defaults of ``EncodeOptions``.
    public var encode: EncodeOptions
    /// Built-in: the memory cache's own rule.
    public var memoryExpiration: CacheExpiration
    /// Built-in: the disk cache's own rule.
    public var diskExpiration: CacheExpiration
    /// Reads on disk count as uses of the entry. Built-in: true.
    public var countsUses: Bool
    /// A larger size in memory may be made smaller instead of loaded. Built-in: true.
    public var sharesSizes: Bool
    /// Stored entries carry a ``ImageSummary``. Built-in: false.
    public var summarizes: Bool
    /// True if the tiers for originals were set explicitly.
    private var namesReadOriginal: Bool
    private var namesWriteOriginal: Bool

    init(_ own: CacheOptions, _ base: CacheOptions) {
        lookup = own.lookup ?? base.lookup ?? .automatic
        read = own.read.chosen ?? base.read.chosen ?? .all
        write = own.write.chosen ?? base.write.chosen ?? .all
        let chosenReadOriginal = own.readOriginal.chosen ?? base.readOriginal.chosen
        let chosenWriteOriginal = own.writeOriginal.chosen ?? base.writeOriginal.chosen
        readOriginal = chosenReadOriginal ?? .disk
        writeOriginal = chosenWriteOriginal ?? .disk
        store = own.store ?? base.store
        originalStore = own.originalStore ?? base.originalStore
        keyFilter = own.keyFilter ?? base.keyFilter
        serializer = own.serializer ?? base.serializer
        encode = own.encode ?? base.encode ?? EncodeOptions()
        memoryExpiration = own.memoryExpiration ?? base.memoryExpiration ?? .standard
        diskExpiration = own.diskExpiration ?? base.diskExpiration ?? .standard
        countsUses = own.countsUses ?? base.countsUses ?? true
        sharesSizes = own.sharesSizes ?? base.sharesSizes ?? true
        summarizes = own.summarizes ?? base.summarizes ?? false
        namesReadOriginal = chosenReadOriginal != nil
        namesWriteOriginal = chosenWriteOriginal != nil
    }

    /// Whether the disk is read for the original's bytes. If the image is its original and no tiers were set for originals,
    /// ``read`` must include the disk too.
    package func readsOriginal(isStoredResponse: Bool) -> Bool {
        readOriginal.contains(.disk) && (!isStoredResponse || namesReadOriginal || read.contains(.disk))
    }

    /// The same for writing them.
    package func writesOriginal(isStoredResponse: Bool) -> Bool {
        writeOriginal.contains(.disk) && (!isStoredResponse || namesWriteOriginal || write.contains(.disk))
    }
}

/// ``DownloadOptions`` in which every field has a value.
public struct ResolvedDownloadOptions: Sendable {
    /// Nil: the manager's loaders.
    public var loader: (any ImageLoader)?
    /// The defaults' fields, then the request's own, which replace those of the same name.
    public var headers: HTTPHeaders
    /// Built-in: GET.
    public var method: String
    /// Built-in: false.
    public var cookies: Bool
    /// Empty: entries are shared by all users.
    public var credentialScope: String
    /// Nil: the downloader's, or that of the URL.
    public var credential: Credential?
    /// Nil: the request is sent unchanged.
    package var requestModifier: (any RequestModifier)?
    /// Nil: the response is used unchanged.
    package var responseModifier: (any ResponseModifier)?
    /// Nil: the bytes are used unchanged.
    package var decryptor: (any DataDecryptor)?
    /// Nil: redirects follow the downloader's rules.
    package var redirectHandler: (any RedirectHandler)?
    /// Nil: the manager's, if it has one.
    public var retry: (any RetryStrategy)?
    /// Tried in order when the source fails.
    public var alternatives: [ImageSource]
    /// Used instead of the source while data is to be saved; nil: the source.
    public var lowDataSource: ImageSource?
    /// Nil: the downloader's.
    public var deadlines: LoadDeadlines?
    /// Set by the pipeline: revalidate whatever freshness says.
    public var forcesRevalidation = false
    /// False: keys do not contain what identifies the user to the server. For a cache with a single user, whose entries are kept
    /// apart by the rules of HTTP alone.
    package var separatesUsers = true

    /// `own` over `base` over the built-in values. Header fields are merged, see ``headers``.
    public init(_ own: DownloadOptions = DownloadOptions(), _ base: DownloadOptions = DownloadOptions()) {
        loader = own.loader ?? base.loader
        headers = base.headers ?? HTTPHeaders()
        let ownFields = own.headers?.fields ?? []
        headers.remove(anyOf: ownFields.map { $0.name.lowercased() })
        for field in ownFields { headers.add(field.name, field.value) }
        method = own.method ?? base.method ?? "GET"
        cookies = own.cookies ?? base.cookies ?? false
        credentialScope = own.credentialScope ?? base.credentialScope ?? ""
        credential = own.credential ?? base.credential
        requestModifier = own.requestModifier ?? base.requestModifier
        responseModifier = own.responseModifier ?? base.responseModifier
        decryptor = own.decryptor ?? base.decryptor
        redirectHandler = own.redirectHandler ?? base.redirectHandler
        retry = own.retry ?? base.retry
        alternatives = own.alternatives ?? base.alternatives ?? []
        lowDataSource = own.lowDataSource ?? base.lowDataSource
        deadlines = own.deadlines ?? base.deadlines
    }

    /// The owner of stored entries: the request's scope, and a sealed text of what identifies the user to the server. No user
    /// gets another user's images, from memory or from disk.
    ///
    /// - Parameter userInfo: user and password of the source's URL and of those that may be loaded in its place.
    func storageScope(_ key: ScopeKey, userInfo: [String]) -> String {
        let scope = credentialScope.keyPart("+")
        if credential == nil, headers.isEmpty, !cookies, userInfo.isEmpty { return scope }
        guard separatesUsers else { return scope }
        // An empty scope has a place, too: a scope may be called `cookies`, or look like a seal.
        var parts = [scope]
        if cookies { parts.append("cookies") }
        var secrets: [String] = []
        for name in ["authorization", "cookie", "proxy-authorization"] {
            for value in headers.all(name) { secrets += [name, value] }
        }
        if let credential { secrets += ["credential"] + credential.secrets }
        for info in userInfo { secrets += ["user", info] }
        if !secrets.isEmpty { parts.append(key.seal(secrets)) }
        return parts.joined(separator: "+")
    }

    /// True if some of the options must not be readable in a key.
    var hasSecrets: Bool { credential != nil || !headers.isEmpty }

    /// User and password of every URL that this request may load.
    func userInfo(of source: ImageSource) -> [String] {
        ([source] + alternatives + (lowDataSource.map { [$0] } ?? [])).compactMap(\.userInfo)
    }

    /// Identifiers of the hooks that change the stored bytes, each with its role, because hooks of the same name in two roles
    /// differ.
    var hookIdentifiers: String {
        guard hasHooks else { return "" }
        let names = [
            ("q=", requestModifier?.identifier), ("r=", responseModifier?.identifier), ("d=", decryptor?.identifier),
            ("f=", redirectHandler?.identifier), ("l=", loader?.identifier),
        ]
        return names.compactMap { part, name in name.map { part + $0.keyPart() } }.joined(separator: "\u{1}")
    }

    private var hasHooks: Bool {
        requestModifier != nil || responseModifier != nil || decryptor != nil || redirectHandler != nil || loader != nil
    }

    static let standardKeyText = "m=GET\u{1}c=\u{1}k=false"

    /// Stable text of everything that may change the bytes, with header values and credentials sealed. Nil if a hook has no
    /// identifier: then nothing may be shared.
    func keyText(_ key: ScopeKey) -> String? {
        if method == "GET", credentialScope.isEmpty, !cookies, headers.isEmpty, credential == nil, !hasHooks {
            return Self.standardKeyText
        }
        var parts = ["m=\(method.keyPart())", "c=\(credentialScope.keyPart())", "k=\(cookies)"]
        if !headers.isEmpty { parts.append("h=" + headers.sealed(key)) }
        if let credential { parts.append("u=" + key.seal(credential.secrets)) }
        if let requestModifier {
            guard let identifier = requestModifier.identifier else { return nil }
            parts.append("q=" + identifier.keyPart())
        }
        if let responseModifier {
            guard let identifier = responseModifier.identifier else { return nil }
            parts.append("r=" + identifier.keyPart())
        }
        if let decryptor {
            guard let identifier = decryptor.identifier else { return nil }
            parts.append("d=" + identifier.keyPart())
        }
        if let redirectHandler {
            guard let identifier = redirectHandler.identifier else { return nil }
            parts.append("f=" + identifier.keyPart())
        }
        if let loader { parts.append("l=" + loader.identifier.keyPart()) }
        return parts.joined(separator: "\u{1}")
    }
}

/// ``TransformOptions`` in which every field has a value.
public struct ResolvedTransformOptions: Sendable {
    /// The transformers in order, appended ones at the end; empty: none.
    public var transformers: [any ImageTransformer]
    /// Built-in: still images of pixels only.
    public var appliesTo: TransformScope
    /// Applied after all caches; nil: none.
    package var modifier: (any ImageModifier)?

    init(_ own: TransformOptions, _ base: TransformOptions) {
        transformers = (own.transformers ?? base.transformers.map { $0 + base.appended } ?? base.appended) + own.appended
        appliesTo = own.appliesTo ?? base.appliesTo ?? []
        modifier = own.modifier ?? base.modifier
    }
}

/// ``ScheduleOptions`` in which every field has a value.
public struct ResolvedScheduleOptions: Hashable, Sendable {
    /// Built-in: normal.
    public var priority: LoadPriority
    /// Built-in: false.
    public var retryFailedSources: Bool
    /// Built-in: false, the result does not wait for the store.
    public var waitsForStore: Bool

    init(_ own: ScheduleOptions, _ base: ScheduleOptions) {
        priority = own.priority ?? base.priority ?? .normal
        retryFailedSources = own.retryFailedSources ?? base.retryFailedSources ?? false
        waitsForStore = own.waitsForStore ?? base.waitsForStore ?? false
    }
}
