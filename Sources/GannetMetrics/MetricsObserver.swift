#if Metrics
    public import CoreMetrics
    public import GannetCore
    public import GannetPlatform
    import Metrics
    import Synchronization

    /// Counts and times for a metrics system:
    ///
    /// | name | kind | dimensions |
    /// |---|---|---|
    /// | `gannet.loads` | counter | `result` (ok, failed, cancelled), `origin` (of those that are ok), `code` (of the others) |
    /// | `gannet.load.duration` | timer | `origin` |
    /// | `gannet.stage.duration` | timer | `stage` |
    /// | `gannet.cache` | counter | `event` (memory-hit, memory-miss, disk-hit, disk-miss, stale, revalidated, resized, joined, corrupt) |
    /// | `gannet.transfer.bytes` | counter | |
    ///
    /// A name always has the same dimensions, as Prometheus wants it; those that do not apply are empty.
    public final class MetricsObserver: LoadObserver {
        private struct Open: Hashable {
            var id: LoadID
            var stage: LoadStage
        }

        private let factory: any MetricsFactory
        private let time: any TimeSource
        private let starts = Mutex<[Open: Duration]>([:])

        /// By default the metrics system that the program has installed, which must be there before. `time` measures stages.
        public init(factory: any MetricsFactory = MetricsSystem.factory, time: any TimeSource = SystemTimeSource()) {
            self.factory = factory
            self.time = time
        }

        public func loadDidEnd(_ id: LoadID, _ result: Result<LoadedImage, ImageError>) {
            switch result {
            case .success(let image):
                let origin = ("origin", image.origin.rawValue)
                counter("gannet.loads", [("result", "ok"), origin, ("code", "")])
                Timer(label: "gannet.load.duration", dimensions: [origin], factory: factory)
                    .recordNanoseconds(image.timings.total.wholeNanoseconds)
            case .failure(let error):
                let outcome = error.code == .cancelled ? "cancelled" : "failed"
                counter("gannet.loads", [("result", outcome), ("origin", ""), ("code", error.code.name)])
            }
        }

        public func stageDidStart(_ id: LoadID, _ stage: LoadStage) {
            let now = time.uptime
            starts.withLock { $0[Open(id: id, stage: stage)] = now }
        }

        public func stageDidEnd(_ id: LoadID, _ stage: LoadStage, error: ImageError?) {
            guard let start = starts.withLock({ $0.removeValue(forKey: Open(id: id, stage: stage)) }) else { return }
            Timer(label: "gannet.stage.duration", dimensions: [("stage", stage.rawValue)], factory: factory)
                .recordNanoseconds((time.uptime - start).wholeNanoseconds)
        }

        public func note(_ id: LoadID?, _ event: LoadEvent) {
            switch event {
            case .memoryHit: counter("gannet.cache", [("event", "memory-hit")])
            case .memoryMiss: counter("gannet.cache", [("event", "memory-miss")])
            case .diskHit: counter("gannet.cache", [("event", "disk-hit")])
            case .diskMiss: counter("gannet.cache", [("event", "disk-miss")])
            case .stale: counter("gannet.cache", [("event", "stale")])
            case .revalidated: counter("gannet.cache", [("event", "revalidated")])
            case .resized: counter("gannet.cache", [("event", "resized")])
            case .joined: counter("gannet.cache", [("event", "joined")])
            case .corruptEntry: counter("gannet.cache", [("event", "corrupt")])
            case .transferEnded(_, let bytes):
                Counter(label: "gannet.transfer.bytes", dimensions: [], factory: factory).increment(by: bytes)
            default: break
            }
        }

        private func counter(_ label: String, _ dimensions: [(String, String)]) {
            Counter(label: label, dimensions: dimensions, factory: factory).increment()
        }
    }

    extension Duration {
        /// Saturating.
        fileprivate var wholeNanoseconds: Int64 {
            let (seconds, attoseconds) = components
            let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            return overflow ? .max : product + attoseconds / 1_000_000_000
        }
    }
#endif
