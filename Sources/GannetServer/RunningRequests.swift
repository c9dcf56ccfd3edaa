#if Server
    /// Counts running and waiting requests, in total and for each source host: a host that never answers must leave room for the
    /// others.
    struct RunningRequests: Sendable {
        private let maximum: Int
        private let isShared: Bool
        private var total = 0
        private var ofHost: [String: Int] = [:]

        /// `isShared`: there may be more than one host.
        init(maximum: Int, isShared: Bool) {
            (self.maximum, self.isShared) = (maximum, isShared)
        }

        /// False if there is no room; then nothing is counted. One host may have as many as it leaves free: half of all while it
        /// is alone, a third beside an equally busy one.
        mutating func begin(_ host: String) -> Bool {
            let own = ofHost[host, default: 0]
            guard total < maximum, !isShared || own < maximum - total else { return false }
            total += 1
            ofHost[host] = own + 1
            return true
        }

        /// Ends a request that was begun.
        mutating func end(_ host: String) {
            total -= 1
            let rest = ofHost[host, default: 1] - 1
            ofHost[host] = rest == 0 ? nil : rest
        }
    }
#endif
