#if Server
    public import GannetCore
    import GannetFetch

    extension ThumbnailService {
        /// Sources, sizes and formats of a service, and how much it does at once.
        public struct Configuration: Sendable {
            /// The addresses that are served.
            public var policy: SourcePolicy
            /// Sources beside those of `http` and `https` URLs.
            public var sources = ConfiguredSources()
            /// Options with names.
            public var presets = Presets()
            /// Sent to clients that name them in `Accept`, the first before the others.
            public var preferredFormats: [ImageFormat] = [.webp]
            /// The maximum for a thumbnail's longer side, in pixels.
            public var maximumSide = 2048
            /// The only permitted boxes; empty: any up to ``maximumSide``.
            public var sizes: [PixelSize] = []
            /// Running and waiting requests for new responses; further ones are refused with 503. One client gets at most half, and less while
            /// others are busy; so does one source host, if there may be several. As many requests may look for responses that are stored outside
            /// of memory.
            public var maximumRequests = 512
            /// Of each decode.
            public var limits = DecodeLimits(maximumDecodeTime: .seconds(5))
            /// Of each download. Shorter than those of programs for one user, because many clients share the download slots.
            public var deadlines = LoadDeadlines(
                total: .seconds(20), lowestRate: LowestRate(bytesPerSecond: 4 << 10, over: .seconds(5)))
            /// Memory for responses, in addition to that for images.
            public var responseBytes = 64 << 20
            /// Drawn if an address requests it.
            public var watermark: Bitmap? {
                didSet { watermarkName = watermark.map { String(Checksum.xxh3($0.packedBytes()), radix: 16) } ?? "" }
            }
            /// Of its pixels: responses with another watermark are other responses.
            private(set) var watermarkName = ""
            /// A file of any format that the service reads, shown in place of a source that fails. O(n) to set, for its name.
            public var fallback: [UInt8]? { didSet { fallbackImage = fallback.map { FallbackImage($0) } } }
            private(set) var fallbackImage: FallbackImage?
            /// Stores that other services have too.
            package var shared = SharedStores()
            /// Purges, also those by other replicas. They cover the manager's caches.
            package var purges: Purges?
            /// Of requests for purges; nil: there are none.
            package var purgeKeys: SigningKeys?
            /// New responses wait for its word; nil: there is no limit of memory.
            package var memory: MemoryGuard?
            /// Its counts are in `/metrics`.
            package var traces: TraceExporter?
            /// Client hints choose the size where addresses leave it open: `Sec-CH-Width` and `Sec-CH-DPR`.
            public var readsClientHints = false
            /// The quality for clients with `Save-Data: on`, where an address has none; nil: they get what others get.
            package var saveDataQuality: Int?
            /// Reductions average light instead of stored numbers: finer, and slower.
            package var usesLinearLight = false
            /// How light brighter than white becomes standard range.
            package var toneMapping = ToneMapping.bt2390
            /// Where clients find `/iiif` of this service, as `https://images.example.org/iiif`: serves the IIIF Image API 3.0 there, in any size up
            /// to ``maximumSide``, for every source that an address without a signature may have. Nil: it does not.
            public var iiifBaseURL: String?
            /// Of the program, for `/metrics`; nil: it says none.
            public var version: String?
            /// Serves `/metrics`: only for networks that strangers cannot reach.
            public var showsMetrics = false

            /// The standard service for these addresses.
            public init(policy: SourcePolicy) { self.policy = policy }

            /// There is one host, or one configured source, and no other.
            var namesOneSource: Bool {
                sources.count == 0
                    ? policy.namesOneHost : sources.count == 1 && policy.hosts.isEmpty && policy.keys == nil
            }

            /// The maximum for a side of a result: boxes that are named may be longer than others.
            var longestSide: Int { sizes.reduce(maximumSide) { max($0, $1.width, $1.height) } }

            /// The parties of a request, which share the limit of requests.
            func parties(_ address: ThumbnailAddress, _ request: Request) -> [AdmissionControl.Party] {
                let client = ClientShare.name(ofAddress: request.client).map { AdmissionControl.Party.client($0) }
                return (namesOneSource ? [] : [.host(address.host)]) + (client.map { [$0] } ?? [])
            }
        }
    }
#endif
