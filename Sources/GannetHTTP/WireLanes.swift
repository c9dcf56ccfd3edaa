#if HTTP
    import AsyncHTTPClient
    import GannetCore
    import NIOPosix
    import Synchronization

    /// Which event loop a request runs on. A lane is a client that lives on one event loop with all its connections, so that no
    /// callback changes threads.
    ///
    /// All connections to one secure origin are one lane's, because over HTTP/2 they are one connection. Plain HTTP has a
    /// connection for each request at a time anyway: it goes where the fewest run.
    final class WireLanes: Sendable {
        final class Lane: Sendable {
            let client: HTTPClient
            private let running = Atomic(0)

            fileprivate init(_ client: HTTPClient) { self.client = client }

            /// Exchanges that run.
            var load: Int { running.load(ordering: .relaxed) }

            /// Once for each exchange, before it starts; ``leave()`` when it has ended. How many there are then.
            func enter() -> Int { running.wrappingAdd(1, ordering: .relaxed).newValue }
            func leave() { running.wrappingSubtract(1, ordering: .relaxed) }
        }

        private static let maximumCount = 4

        private let secure: [Lane]
        /// Share the connections that are allowed to one host; those with one more come first.
        private let plain: [Lane]

        init(secure: HTTPClient.Configuration, plain: HTTPClient.Configuration, connectionsPerHost limit: Int) {
            let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator().prefix(Self.maximumCount))
            self.secure = loops.map { loop in
                var configuration = secure
                configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = limit
                return Lane(HTTPClient(eventLoopGroupProvider: .shared(loop), configuration: configuration))
            }
            let used = loops.prefix(limit)
            self.plain = used.indices.map { index in
                var configuration = plain
                configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
                    limit / used.count + (index < limit % used.count ? 1 : 0)
                return Lane(HTTPClient(eventLoopGroupProvider: .shared(used[index]), configuration: configuration))
            }
        }

        func lane(for message: HTTPClient.Request) -> Lane {
            if message.useTLS { return secure[Int(truncatingIfNeeded: Digest128(message.host).low % UInt64(secure.count))] }
            var best = plain[0]
            for lane in plain.dropFirst() where lane.load < best.load { best = lane }
            return best
        }

        /// Needs a moment on the event loops; the clients live until it is done.
        func shutDown() { for lane in secure + plain { lane.client.shutdown { _ in } } }
    }
#endif
