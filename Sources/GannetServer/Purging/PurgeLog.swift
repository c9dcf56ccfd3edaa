#if Server
    import GannetCore
    import Synchronization

    /// One scope that was purged. Numbers grow with each purge, whichever replica it came to.
    struct PurgeRecord: Hashable, Sendable {
        var scope: Digest128
        var number: Int64
    }

    /// Which scopes were purged, and when this machine learned it: everything of them that is older is void.
    ///
    /// An entry of this machine is dated by its own clock, when its source was asked, and compared with the moment at which the record came here.
    /// An entry of another machine has the number of the last record that its machine had compared it with. So no two clocks are compared.
    ///
    /// Not more than ``maximumCount`` scopes are remembered. With those that are forgotten, everything older becomes void.
    final class PurgeLog: Sendable {
        private struct Mark {
            var number: Int64 = 0
            /// In milliseconds of this machine's calendar.
            var learned: Int64 = 0
        }

        private struct State {
            var marks: [Digest128: Mark] = [:]
            /// Everything older is void.
            var floor = Mark()
            var last = Mark()
            /// The latest time that was seen: the calendar may be set back.
            var latest: Int64 = 0
        }

        /// A few megabytes here, and 10 MB in Redis.
        static let standardCount = 65_536

        let maximumCount: Int
        private let state = Mutex(State())

        /// `maximumCount`: of scopes.
        init(maximumCount: Int = standardCount) { self.maximumCount = max(maximumCount, 16) }

        /// The number of the last record.
        var last: Int64 { state.withLock { $0.last.number } }

        var count: Int { state.withLock { $0.marks.count } }

        /// All records, the floor first without a scope. Of a scope there is one record.
        func records() -> (floor: PurgeMoment, records: [(PurgeRecord, learned: Int64)]) {
            state.withLock { state in
                (
                    PurgeMoment(number: state.floor.number, learned: state.floor.learned),
                    state.marks.map { (PurgeRecord(scope: $0.key, number: $0.value.number), learned: $0.value.learned) }
                )
            }
        }

        /// Called often: what is stored later has a later date.
        func note(_ now: Timestamp) { state.withLock { $0.latest = max($0.latest, now.milliseconds) } }

        /// Scopes that were not known before take effect at once. Returns them, and when they count as learned; nil: all were known.
        ///
        /// - Parameter floor: everything older is void.
        /// - Parameter learned: when this machine learned it before; nil: now.
        @discardableResult
        func learn(
            _ records: [PurgeRecord], floor: Int64 = 0, at now: Timestamp, learned: Int64? = nil
        ) -> (moment: PurgeMoment, new: [PurgeRecord])? {
            state.withLock { state in
                let new = records.filter { $0.number > max(state.marks[$0.scope]?.number ?? 0, state.floor.number) }
                guard !new.isEmpty || floor > state.floor.number else { return nil }
                // Each moment is later than all before it, and than all that was stored before.
                state.latest = max(state.latest, now.milliseconds)
                let moment = learned ?? max(state.latest, state.last.learned + 1)
                for record in new { state.marks[record.scope] = Mark(number: record.number, learned: moment) }
                if floor > state.floor.number {
                    state.floor = Mark(number: floor, learned: max(moment, state.floor.learned))
                    state.marks = state.marks.filter { $0.value.number > floor }
                }
                let newest = new.reduce(floor) { max($0, $1.number) }
                state.last = Mark(number: max(state.last.number, newest), learned: max(state.last.learned, moment))
                trim(&state)
                return (PurgeMoment(number: state.last.number, learned: moment), new)
            }
        }

        /// Forgets a quarter at once, because it costs a sort.
        private func trim(_ state: inout State) {
            guard state.marks.count > maximumCount else { return }
            let all = state.marks.values.sorted { $0.number < $1.number }
            let border = all[all.count - maximumCount * 3 / 4 - 1].number
            var floor = Mark(number: border, learned: state.floor.learned)
            for mark in all where mark.number <= border { floor.learned = max(floor.learned, mark.learned) }
            state.floor = floor
            state.marks = state.marks.filter { $0.value.number > border }
        }

        // MARK: Stored entries

        /// Whether a purge came here after the source was asked.
        func isVoid(_ scopes: PurgeScopes, _ freshness: Freshness) -> Bool {
            state.withLock { Self.isVoid(scopes, freshness, $0) }
        }

        /// For a store of several machines; nil: it is void.
        func exported(_ scopes: PurgeScopes, _ freshness: Freshness) -> Freshness? {
            state.withLock { state in
                if Self.isVoid(scopes, freshness, state) { return nil }
                var freshness = freshness
                freshness.requestedAt = Timestamp(milliseconds: state.last.number)
                return freshness
            }
        }

        /// From a store of several machines; nil: it is void.
        func imported(_ scopes: PurgeScopes, _ freshness: Freshness) -> Freshness? {
            state.withLock { state in
                let number = freshness.requestedAt?.milliseconds ?? 0
                if number < state.last.number {
                    if state.floor.number > number { return nil }
                    if Self.contains(scopes, freshness, { (state.marks[$0]?.number ?? 0) > number }) { return nil }
                }
                var freshness = freshness
                // It was compared with all that is known now.
                freshness.requestedAt = Timestamp(milliseconds: state.last.learned + 1)
                return freshness
            }
        }

        private static func isVoid(_ scopes: PurgeScopes, _ freshness: Freshness, _ state: State) -> Bool {
            let asked = freshness.requestedAt?.milliseconds ?? 0
            // Most is newer than the last purge, or there was none.
            if asked > state.last.learned || state.last.number == 0 { return false }
            if state.floor.number > 0, state.floor.learned >= asked { return true }
            return contains(scopes, freshness) { state.marks[$0].map { $0.learned >= asked } ?? false }
        }

        private static func contains(_ scopes: PurgeScopes, _ freshness: Freshness, _ isPurged: (Digest128) -> Bool) -> Bool {
            scopes.digests.contains(where: isPurged) || freshness.tags.contains { isPurged(PurgeScope.digest(ofTag: $0)) }
        }
    }

    /// The number of a record, and when this machine learned it, in milliseconds of its calendar.
    package struct PurgeMoment: Hashable, Sendable {
        package var number: Int64
        var learned: Int64
    }
#endif
