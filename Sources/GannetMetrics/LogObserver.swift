#if Metrics
    public import GannetCore
    public import Logging

    /// Tells a logger what loads do: failures as warnings, odd things (damaged entries, a cache that cannot be written) as notices
    /// and errors, everything else as debug and trace. Sources are named without secrets.
    public struct LogObserver: LoadObserver {
        private let logger: Logger

        /// The logger's level decides what is heard; `debug` is a line for each load that ends well, `trace` another for its
        /// start.
        public init(logger: Logger = Logger(label: "gannet")) { self.logger = logger }

        public func loadDidStart(_ id: LoadID, request: ResolvedRequest) {
            logger.trace("load started", metadata: ["load": "\(id.value)", "source": "\(request.source.redactedDescription)"])
        }

        public func loadDidEnd(_ id: LoadID, _ result: Result<LoadedImage, ImageError>) {
            switch result {
            case .success(let image):
                logger.debug(
                    "load ended",
                    metadata: [
                        "load": "\(id.value)", "origin": "\(image.origin.rawValue)", "size": "\(image.size)",
                        "milliseconds": "\(image.timings.total.wholeMilliseconds)",
                    ])
            case .failure(let error) where error.code == .cancelled:
                logger.debug("load cancelled", metadata: ["load": "\(id.value)"])
            case .failure(let error):
                logger.warning(
                    "load failed",
                    metadata: [
                        "load": "\(id.value)", "code": "\(error.code.name)", "stage": "\(error.stage?.rawValue ?? "-")",
                        "source": "\(error.source ?? "-")", "message": "\(error.message)",
                    ])
            }
        }

        public func note(_ id: LoadID?, _ event: LoadEvent) {
            switch event {
            case .corruptEntry(let key, let reason):
                logger.notice("damaged cache entry removed", metadata: ["key": "\(key.digest.hex)", "reason": "\(reason)"])
            case .cacheDegraded(let reason): logger.error("cache cannot be written", metadata: ["reason": "\(reason)"])
            case .cacheRecovered: logger.notice("cache can be written again")
            case .retrying(let attempt, let delay):
                logger.info("retrying", metadata: ["attempt": "\(attempt)", "milliseconds": "\(delay.wholeMilliseconds)"])
            case .cleaned(let reason, let count, let bytes):
                logger.debug("cache cleaned", metadata: ["reason": "\(reason)", "count": "\(count)", "bytes": "\(bytes)"])
            default: break
            }
        }
    }
#endif
