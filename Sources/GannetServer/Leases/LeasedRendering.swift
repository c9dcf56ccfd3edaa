#if Server
    import GannetCore
    import GannetPlatform
    import Tracing

    /// Makes an answer once for all replicas: one holds the lease and makes it, the others wait until it is stored.
    struct LeasedRendering: Sendable {
        /// An answer, and whether another replica made it.
        struct Made: Sendable {
            var response: StoredResponse
            var isShared: Bool
            /// The span of the request that began the work, if that is recorded.
            var maker: ServiceContext?
        }

        let leases: any ResponseLeases
        let time: any TimeSource
        /// Between two renewals: a third of a lease's length.
        let renewal: Duration
        /// Between two looks at the store; it grows by half each time.
        var shortestPause = Duration.milliseconds(5)
        var longestPause = Duration.milliseconds(100)
        /// Then a waiter makes the answer itself, even though the holder still renews its lease: its source may be slow for it
        /// alone.
        var longestWait = Duration.seconds(10)

        /// - Parameter find: a fresh answer of the shared store.
        /// - Parameter make: makes the answer and stores it under the number of the lease, 0 without one.
        func make(
            _ key: ResponseKey, find: () async -> StoredResponse?, make: (_ number: Int) async throws(ImageError) -> StoredResponse
        ) async throws(ImageError) -> Made {
            switch await TracedWork.span("gannet.lease", { _ in await leases.begin(key) }) {
            case .held(let lease): return try await hold(lease, key, find, make)
            case .unavailable: return Made(response: try await make(0), isShared: false)
            case .taken: break
            }
            let waited = try await TracedWork.span("gannet.lease.wait") { _ throws(ImageError) in try await wait(key, find) }
            if let waited { return Made(response: waited, isShared: true) }
            // It has gone without an answer, or takes too long: one of those who waited may be the next holder, and nobody waits
            // a second time.
            if case .held(let lease) = await leases.begin(key) { return try await hold(lease, key, find, make) }
            return Made(response: try await make(0), isShared: false)
        }

        private func hold(
            _ lease: ResponseLease, _ key: ResponseKey, _ find: () async -> StoredResponse?,
            _ make: (_ number: Int) async throws(ImageError) -> StoredResponse
        ) async throws(ImageError) -> Made {
            let result = await withTaskGroup(of: Void.self) { group -> Result<Made, ImageError> in
                group.addTask { await renew(lease, key) }
                defer { group.cancelAll() }
                // Another holder may have ended since this replica looked.
                if let response = await find() { return .success(Made(response: response, isShared: true)) }
                do throws(ImageError) {
                    return .success(Made(response: try await make(lease.number), isShared: false))
                } catch { return .failure(error) }
            }
            await leases.end(lease, of: key)
            return try result.get()
        }

        private func renew(_ lease: ResponseLease, _ key: ResponseKey) async {
            while !Task.isCancelled {
                do throws(ImageError) { try await time.sleep(for: renewal) } catch { return }
                guard await leases.renew(lease, of: key) else { return }
            }
        }

        /// Nil: the lease ended without an answer, or it is no use to wait longer.
        private func wait(_ key: ResponseKey, _ find: () async -> StoredResponse?) async throws(ImageError) -> StoredResponse? {
            let end = time.uptime + longestWait
            var (pause, seen) = (shortestPause, Int?.none)
            while time.uptime < end {
                try await time.sleep(for: pause)
                pause = min(pause + pause / 2, longestPause)
                guard let state = await leases.look(at: key) else { return nil }
                if let number = state.number, number != seen {
                    seen = number
                    if let response = await find() { return response }
                }
                if !state.isHeld { return nil }
            }
            return nil
        }
    }
#endif
