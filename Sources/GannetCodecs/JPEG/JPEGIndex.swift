#if JPEG
    import CGannetKernels
    import GannetCore
    import Synchronization

    /// The states of the entropy decoder at places of a large file, from which parts of it are cut out as files of their own. It grows as
    /// far down as parts are asked for, and stays when such a part is given up.
    final class JPEGIndex: RegionKnowledge {
        private let layout: JPEGScanLayout
        private let bytes: [UInt8]
        private let states: Mutex<States>
        private let room: ResourceBudget.Reservation

        /// The kernel's index.
        private struct States: ~Copyable {
            let pointer: OpaquePointer
            deinit { gannet_jpeg_index_destroy(pointer) }
        }

        /// Nil: the file is not a sequential one of a single scan, its frame is not of the size that its header says, or there is no room now
        /// for the index.
        init?(_ rope: ByteRope, of size: PixelSize, in memory: RegionMemory = RegionMemory()) {
            bytes = rope.contiguous()
            let copy = rope.chunks.count > 1 ? bytes.count : 0
            let most = memory.limit - copy
            guard let layout = JPEGScanLayout(bytes), layout.size == size, most > 0 else { return nil }
            let count = layout.indexBytes(bytes, most: most / 2)
            guard count > 0, let room = memory.reserve(count + copy), let pointer = layout.makeIndex(bytes, most: most / 2) else {
                return nil
            }
            (self.layout, self.room) = (layout, room)
            states = Mutex(States(pointer: pointer))
        }

        var heldBytes: Int { room.bytes }

        /// Rows of MCUs whose states are known.
        var rows: Int { states.withLock { gannet_jpeg_index_rows($0.pointer) } }

        /// The bytes that a cut of a region may have: twice its pixels, though nearly all codes that it is written with are much shorter,
        /// and never more than codes of the greatest length make of the file.
        func most(of region: PixelRect) -> Int {
            let part = part(columns(of: region), rows(of: region))
            return min(8 * part.size.area, 8 * bytes.count) + 1 << 20
        }

        /// Cuts the blocks of a region, and one more at each side. Nil: the data is damaged before its end, or the cut would be larger than
        /// `most` bytes.
        func cut(_ region: PixelRect, most: Int, _ watch: DecodeWatch) throws(ImageError) -> JPEGEntry? {
            let (columns, rows) = (columns(of: region), rows(of: region))
            guard !columns.isEmpty, !rows.isEmpty, try reach(rows.upperBound, watch),
                let cut = gannet_jpeg_cut_create(columns.lowerBound, columns.count, most)
            else { return nil }
            defer { gannet_jpeg_cut_destroy(cut) }
            for row in rows {
                try watch.check()
                guard add(row, to: cut) else { return nil }
            }
            var count = 0
            // The bytes belong to the cut, which ends after they are copied.
            guard let data = gannet_jpeg_cut_end(cut, &count) else { return nil }
            let part = part(columns, rows)
            var file = layout.header(of: part.size)
            file.append(contentsOf: UnsafeBufferPointer(start: data, count: count))
            return JPEGEntry(cut: ByteRope(file), of: part)
        }

        private func columns(of region: PixelRect) -> Range<Int> {
            Self.blocks(region.x, region.width, layout.mcu.width, of: layout.columns)
        }

        private func rows(of region: PixelRect) -> Range<Int> {
            Self.blocks(region.y, region.height, layout.mcu.height, of: layout.rows)
        }

        private func part(_ columns: Range<Int>, _ rows: Range<Int>) -> PixelRect {
            let (left, top) = (columns.lowerBound * layout.mcu.width, rows.lowerBound * layout.mcu.height)
            return PixelRect(
                x: left, y: top, width: min(columns.upperBound * layout.mcu.width, layout.size.width) - left,
                height: min(rows.upperBound * layout.mcu.height, layout.size.height) - top)
        }

        private static func blocks(_ start: Int, _ length: Int, _ side: Int, of count: Int) -> Range<Int> {
            let first = min(max(start / side - 1, 0), count)
            return first..<max(min((start + length + side - 1) / side + 1, count), first)
        }

        /// A row at a time, so that several decodes can share the work.
        private func reach(_ rows: Int, _ watch: DecodeWatch) throws(ImageError) -> Bool {
            while true {
                try watch.check()
                let isThere: Bool? = states.withLock { states in
                    if gannet_jpeg_index_rows(states.pointer) >= rows { return true }
                    let pointer = states.pointer
                    let goesOn = withScan { gannet_jpeg_index_extend(pointer, $0, $1) }
                    return goesOn ? nil : false
                }
                if let isThere { return isThere }
            }
        }

        private func add(_ row: Int, to cut: OpaquePointer) -> Bool {
            // The cut is the caller's alone, and outlives this call.
            let address = UInt(bitPattern: cut)
            return states.withLock { states in
                let pointer = states.pointer
                return withScan { gannet_jpeg_cut_add(OpaquePointer(bitPattern: address), pointer, $0, $1, row) }
            }
        }

        /// The data of the scan, for this call.
        private func withScan(_ body: (UnsafePointer<UInt8>, Int) -> Bool) -> Bool {
            bytes.withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress, layout.start <= bytes.count else { return false }
                return body(base + layout.start, bytes.count - layout.start)
            }
        }
    }
#endif
