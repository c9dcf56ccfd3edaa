#if PNG
    import CGannetKernels
    import GannetCore
    import Synchronization

    /// States of a file's unpacking at some rows, at which later regions begin. It grows as far down as regions are asked for.
    final class PNGIndex: RegionKnowledge {
        /// Rows between two states, a power of two as the heights of tiles are, so that as many states as the image needs may be kept.
        let spacing: Int
        /// A state stands this many rows above each of those places: tiles of smaller levels are decoded with some rows around them.
        private static let lead = 32
        private let found = Mutex(Found())

        private struct Found {
            /// By rows, ascending.
            var states: [PNGRowState] = []
            var areSumsChecked = false
        }

        /// Nil: not even one state may be kept.
        /// - Parameters:
        ///   - rowBytes: Of a row with its filter byte.
        ///   - limit: Of all states.
        init?(rows: Int, rowBytes: Int, limit: Int) {
            let most = limit / PNGRowState.byteCount(rowBytes)
            guard most > 0 else { return nil }
            var spacing = 64
            while spacing * most < rows { spacing *= 2 }
            self.spacing = spacing
        }

        var heldBytes: Int { found.withLock { $0.states.reduce(0) { $0 + $1.room.bytes } } }

        /// The last one at or above a row; nil: reading begins at the first row.
        func state(above row: Int) -> PNGRowState? { found.withLock { $0.states.last { $0.row <= row } } }

        /// Rows from this one to the next that has a state; never 0.
        func distance(from row: Int) -> Int { spacing - (row + Self.lead) % spacing }

        /// Whether the state at this row is new.
        func lacks(_ row: Int) -> Bool {
            row > 0 && distance(from: row) == spacing && found.withLock { ($0.states.last?.row ?? 0) < row }
        }

        /// Whether a state above this row is new.
        func lacksStates(above row: Int) -> Bool { lacks(row + distance(from: row - 1) - 1 - spacing) }

        func add(_ state: PNGRowState) {
            found.withLock { found in
                if (found.states.last?.row ?? 0) < state.row { found.states.append(state) }
            }
        }

        /// The checksums of the file's chunks, whose bytes no longer change, were right.
        var areSumsChecked: Bool {
            get { found.withLock { $0.areSumsChecked } }
            set { found.withLock { $0.areSumsChecked = newValue } }
        }
    }

    /// Everything that unpacking goes on with at a row. Never changed once made: whoever begins here takes a copy.
    final class PNGRowState: @unchecked Sendable {
        let row: Int
        /// The row above with its filter byte, unfiltered.
        let above: [UInt8]
        let place: PNGInflateStream.Place
        /// Owned by this object.
        private let inflate: OpaquePointer
        fileprivate let room: ResourceBudget.Reservation

        /// Nil: there is no memory, or no room for it in the budget now.
        init?(_ stream: PNGInflateStream, row: Int, above: ArraySlice<UInt8>, in memory: RegionMemory) {
            guard let room = memory.reserve(Self.byteCount(above.count)), let inflate = stream.copied() else { return nil }
            (self.row, self.above, self.place, self.inflate) = (row, Array(above), stream.place, inflate)
            self.room = room
        }

        static func byteCount(_ rowBytes: Int) -> Int { rowBytes + gannet_inflate_bytes() }

        deinit { gannet_inflate_destroy(inflate) }

        /// A copy for one reader, which owns it; nil: there is no memory.
        func copied() -> OpaquePointer? { gannet_inflate_copy(inflate) }
    }
#endif
