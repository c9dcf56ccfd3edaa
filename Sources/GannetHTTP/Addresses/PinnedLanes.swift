#if HTTP
    import AsyncHTTPClient
    import GannetCore
    import NIOPosix
    import Synchronization

    /// Lanes of secure hosts whose address was checked: each connects its host to one address and nowhere else.
    ///
    /// The client takes the address of a name only when it is created, and needs the name for TLS, so a lane serves one host at one
    /// address. Beyond ``maximumCount``, the lanes that were not used for the longest time are shut down, unless they have
    /// requests.
    ///
    /// The `Mutex` guards the table and is held for a few lines and the creation of a client, which opens nothing. Clients are
    /// shut down outside of it.
    final class PinnedLanes: Sendable {
        private struct Place: Hashable {
            /// As the client sees it in the URL.
            var host: String
            var address: HostAddress
        }

        private struct Entry {
            var lane: WireLanes.Lane
            /// Callers that are about to start a request there.
            var holders = 0
            var lastUse: UInt64 = 0

            var isIdle: Bool { holders == 0 && lane.load == 0 }
        }

        private struct State {
            var entries: [Place: Entry] = [:]
            var uses: UInt64 = 0
        }

        static let maximumCount = 32

        private let configuration: HTTPClient.Configuration
        private let state = Mutex(State())

        init(_ configuration: HTTPClient.Configuration, connectionsPerHost limit: Int) {
            var configuration = configuration
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = limit
            self.configuration = configuration
        }

        var count: Int { state.withLock { $0.entries.count } }

        /// Calls `start` with the lane of this host and address, which is not shut down before the request has begun.
        func use<T>(_ host: String, at address: HostAddress, _ start: (WireLanes.Lane) -> T) -> T {
            let place = Place(host: host, address: address)
            let (lane, idle) = state.withLock { state in
                state.uses += 1
                var entry = state.entries[place] ?? Entry(lane: make(place))
                entry.holders += 1
                entry.lastUse = state.uses
                state.entries[place] = entry
                return (entry.lane, Self.removeIdle(&state))
            }
            for lane in idle { lane.client.shutdown { _ in } }
            defer { state.withLock { $0.entries[place]?.holders -= 1 } }
            return start(lane)
        }

        private static func removeIdle(_ state: inout State) -> [WireLanes.Lane] {
            var removed: [WireLanes.Lane] = []
            while state.entries.count > maximumCount {
                let oldest = state.entries.filter { $0.value.isIdle }.min { $0.value.lastUse < $1.value.lastUse }
                guard let oldest else { break }
                state.entries[oldest.key] = nil
                removed.append(oldest.value.lane)
            }
            return removed
        }

        private func make(_ place: Place) -> WireLanes.Lane {
            var configuration = configuration
            configuration.dnsOverride = [place.host: place.address.text]
            let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
            let loop = loops[Int(truncatingIfNeeded: Digest128(place.host).low % UInt64(loops.count))]
            return WireLanes.Lane(HTTPClient(eventLoopGroupProvider: .shared(loop), configuration: configuration))
        }

        /// Takes a moment on the event loops; the clients live until it is done.
        func shutDown() {
            for entry in state.withLock({ $0.entries }).values { entry.lane.client.shutdown { _ in } }
        }
    }
#endif
