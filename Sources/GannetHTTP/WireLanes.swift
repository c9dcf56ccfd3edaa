#if HTTP
    import AsyncHTTPClient
    import GannetCore
    import NIOPosix
    import Synchronization

    /// Chooses the event loop of a request. A lane is a client whose connections all live on one event loop, so that no
    /// callback changes threads.
    ///
    /// All connections to one secure origin use one lane, because over HTTP/2 they are one connection. Plain HTTP has one
    /// connection for each concurrent request anyway, so a request takes the least busy lane.
    final class WireLanes: Sendable {
        final class Lane: Sendable {
            let client: HTTPClient
            private let running = Atomic(0)

            init(_ client: HTTPClient) { self.client = client }

            /// Running exchanges.
            var load: Int { running.load(ordering: .relaxed) }

            /// Counts an exchange before it starts, and returns the new count; ``leave()`` when it has ended.
            func enter() -> Int { running.wrappingAdd(1, ordering: .relaxed).newValue }
            func leave() { running.wrappingSubtract(1, ordering: .relaxed) }
        }

        private static let maximumCount = 4

        private let secure: [Lane]
        /// Lanes that share one host's connection limit; lanes with one more come first.
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

        /// Takes a moment on the event loops; the clients live until it is done.
        func shutDown() { for lane in secure + plain { lane.client.shutdown { _ in } } }
    }
#endif
