#if Server
    import GannetCore
    import GannetPlatform
    import Tracing

    /// Renders a response once for all replicas: the holder of the lease renders it, the others wait until it is stored.
    struct LeasedRendering: Sendable {
        /// A response, and whether another replica rendered it.
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
        /// After this time a waiter renders the response itself, although the holder still renews its lease: the source may be slow for that
        /// replica alone.
        var longestWait = Duration.seconds(10)

        /// - Parameter find: a fresh response from the shared store.
        /// - Parameter make: renders the response and stores it under the number of the lease, 0 without one.
        func make(
            _ key: ResponseKey, find: () async -> StoredResponse?,
            make: (_ number: Int) async throws(ImageError) -> StoredResponse
        ) async throws(ImageError) -> Made {
            switch await TracedWork.span("gannet.lease", { _ in await leases.begin(key) }) {
            case .held(let lease): return try await hold(lease, key, find, make)
            case .unavailable: return Made(response: try await make(0), isShared: false)
            case .taken: break
            }
            let waited = try await TracedWork.span("gannet.lease.wait") { _ throws(ImageError) in try await wait(key, find) }
            if let waited { return Made(response: waited, isShared: true) }
            // The lease ended without a response, or takes too long: a waiter may become the next holder, and does not wait again.
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
                // Another holder may have stored a response since this replica looked.
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

        /// Nil: the lease ended without a response, or the wait took too long.
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
