#if PNG
    import CGannetKernels
    import GannetCore
    import Synchronization

    /// States of a file's unpacking at some rows, at which later regions begin. It grows as far down as regions are asked for.
    final class PNGIndex: RegionKnowledge {
        /// Rows between two states: at most 128 states for the whole image, and at most as many as may be kept.
        let spacing: Int
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
            let most = min(limit / PNGRowState.byteCount(rowBytes), 128)
            guard most > 0 else { return nil }
            spacing = max(64, ((rows + most - 1) / most + 63) & ~63)
        }

        var heldBytes: Int { found.withLock { $0.states.reduce(0) { $0 + $1.room.bytes } } }

        /// The last one at or above a row; nil: reading begins at the first row.
        func state(above row: Int) -> PNGRowState? { found.withLock { $0.states.last { $0.row <= row } } }

        /// Whether the state at this row is new.
        func lacks(_ row: Int) -> Bool {
            row > 0 && row % spacing == 0 && found.withLock { ($0.states.last?.row ?? 0) < row }
        }

        /// Whether a state at one of these rows is new.
        func lacksStates(_ rows: Range<Int>) -> Bool { lacks((rows.upperBound - 1) / spacing * spacing) }

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
