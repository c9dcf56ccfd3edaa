#if Server
    public import GannetCore
    import Synchronization

    /// Counts the requests of a service and the loads of its manager, for `/metrics`.
    public final class ServiceMetrics: LoadObserver {
        /// One kind of response.
        struct Kind: Hashable {
            var origin: ThumbnailService.Response.Origin
            var status: Int
        }

        struct Counts {
            var responses: [Kind: Int] = [:]
            var seconds: [ThumbnailService.Response.Origin: Histogram] = [:]
            /// Of bodies.
            var sentBytes = 0
            var running = 0
            var downloads = 0
            var downloadedBytes = 0
            var failedDownloads = 0
            var decodes = 0
            /// The folder of the cache cannot be used.
            var isCacheDegraded = false
        }

        private let state = Mutex(Counts())

        /// All counts are 0.
        public init() {}

        var counts: Counts { state.withLock { $0 } }

        /// Called before a response is produced; ``ended(_:after:)`` after it.
        func begin() { state.withLock { $0.running += 1 } }

        func ended(_ response: ThumbnailService.Response, after duration: Duration) {
            state.withLock { counts in
                counts.running -= 1
                counts.responses[Kind(origin: response.origin, status: response.status), default: 0] += 1
                counts.seconds[response.origin, default: Histogram()].add(duration)
                counts.sentBytes += response.body.count
            }
        }

        /// Counts downloads and decodes, and notes the state of the cache.
        public func note(_ id: LoadID?, _ event: LoadEvent) {
            state.withLock { counts in
                switch event {
                case .transferEnded(_, let bytes):
                    counts.downloads += 1
                    counts.downloadedBytes += bytes
                case .transferFailed: counts.failedDownloads += 1
                case .decoded: counts.decodes += 1
                case .cacheDegraded: counts.isCacheDegraded = true
                case .cacheRecovered: counts.isCacheDegraded = false
                default: break
                }
            }
        }
    }

    /// The number of responses within each bound of time.
    struct Histogram {
        /// In seconds, ascending.
        static let bounds = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

        /// One more than ``bounds``: the last one counts what took longer.
        private(set) var buckets = [Int](repeating: 0, count: bounds.count + 1)
        private(set) var sum = 0.0

        var count: Int { buckets.reduce(0, +) }

        mutating func add(_ duration: Duration) {
            let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
            buckets[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
            sum += seconds
        }
    }
#endif
