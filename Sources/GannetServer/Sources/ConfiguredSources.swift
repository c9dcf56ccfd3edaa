#if Server
    public import GannetCore
    public import GannetSharedCaches

    /// The sources that the operator configures. They need no ``SourcePolicy/hosts``; addresses without a signature may ask for what is
    /// cheap to make.
    public struct ConfiguredSources: Sendable {
        /// Before sources that have no scheme.
        public var base: BaseURL?
        /// For `local:///a/b.jpg`.
        public var folder: FolderLoader?
        /// For `s3://bucket/a/b.jpg`.
        public var buckets: S3Loader?
        /// For sources after `enc/` in signed addresses; nil: there are none.
        package var encryption: SourceEncryption?

        /// None.
        public init() {}

        /// Serves signed addresses whose sources are encrypted with this key, of 16, 24 or 32 bytes. Throws `misuse` for another length.
        public mutating func decrypt(withKey key: [UInt8]) throws(ImageError) { encryption = try SourceEncryption(key: key) }

        var count: Int { (base == nil ? 0 : 1) + (folder == nil ? 0 : 1) + (buckets?.names.count ?? 0) }
    }

    /// The kind of an address' source.
    enum SourceKind: Hashable, Sendable {
        /// On any host.
        case web
        /// Below the base URL.
        case base
        /// `name`: that of the loader. Equal addresses of other folders and servers are other sources.
        case folder(name: String)
        case bucket(name: String)

        /// One of ``ConfiguredSources``, which need no signature.
        var isConfigured: Bool { self != .web }

        var name: String {
            switch self {
            case .web, .base: ""
            case .folder(let name), .bucket(let name): name
            }
        }
    }
#endif
