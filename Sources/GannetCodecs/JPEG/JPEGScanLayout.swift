#if JPEG
    import CGannetKernels
    import GannetCore

    /// What stands before the data of a sequential file of one scan, as far as it is needed to cut such files out of it (ITU-T T.81, Annex
    /// B).
    struct JPEGScanLayout {
        /// Of the image.
        private(set) var size = PixelSize(clamping: 1, 1)
        /// Pixels of an MCU.
        private(set) var mcu = (width: 8, height: 8)
        /// MCUs in a row, and rows of them.
        private(set) var columns = 0
        private(set) var rows = 0
        /// Where the scan's data begin.
        private(set) var start = 0

        private struct Component {
            var identifier: UInt8
            var horizontal: Int
            var vertical: Int
            var dc = 0
            var ac = 0
        }
        private var components: [Component] = []
        private var interval = 0
        /// Where the tables stand in the file, by number.
        private var dc: [Int: Int] = [:]
        private var ac: [Int: Int] = [:]
        /// Segments that a cut has too: tables of quantisation and what decides about colours.
        private var kept: [UInt8] = []
        /// The frame's segment.
        private var frame: [UInt8] = []

        /// Nil: it is another kind of file, or not as simple as it nearly always is.
        init?(_ bytes: [UInt8]) {
            var place = 2
            while place + 4 <= bytes.count, bytes[place] == 0xFF {
                let code = bytes[place + 1]
                let end = place + 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
                guard end >= place + 4, end <= bytes.count else { return nil }
                switch code {
                // They have no length. Whoever reads one takes other bytes for the header than libjpeg does.
                case 0x00...0xBF: return nil
                case 0xC0, 0xC1:
                    frame = Array(bytes[place..<end])
                    guard readFrame() else { return nil }
                case 0xC4: guard readTables(bytes, place + 4..<end) else { return nil }
                case 0xC2, 0xC3, 0xC5...0xCF, 0xD0...0xD9, 0xDC, 0xFF: return nil
                case 0xDB, 0xE0, 0xEE: kept += bytes[place..<end]
                case 0xDD:
                    guard end == place + 6 else { return nil }
                    interval = Int(bytes[place + 4]) << 8 | Int(bytes[place + 5])
                case 0xDA:
                    start = end
                    guard readScan(Array(bytes[place + 4..<end])) else { return nil }
                    return
                default: break
                }
                place = end
            }
            return nil
        }

        private mutating func readFrame() -> Bool {
            guard components.isEmpty, frame.count >= 10, frame[4] == 8, frame.count == 10 + 3 * Int(frame[9]) else {
                return false
            }
            let (width, height) = (Int(frame[7]) << 8 | Int(frame[8]), Int(frame[5]) << 8 | Int(frame[6]))
            guard width > 0, height > 0, (1...GANNET_JPEG_CUT_COMPONENTS).contains(Int(frame[9])) else { return false }
            size = PixelSize(clamping: width, height)
            for number in 0..<Int(frame[9]) {
                let place = 10 + 3 * number
                let (across, down) = (Int(frame[place + 1] >> 4), Int(frame[place + 1] & 15))
                guard (1...4).contains(across), (1...4).contains(down) else { return false }
                components.append(Component(identifier: frame[place], horizontal: across, vertical: down))
            }
            if components.count == 1 {
                // A scan of one component has its blocks in plain order, whatever its sampling factors are.
                (components[0].horizontal, components[0].vertical) = (1, 1)
                frame[11] = 0x11
            }
            mcu.width = 8 * (components.map(\.horizontal).max() ?? 1)
            mcu.height = 8 * (components.map(\.vertical).max() ?? 1)
            (columns, rows) = ((width + mcu.width - 1) / mcu.width, (height + mcu.height - 1) / mcu.height)
            return true
        }

        private mutating func readTables(_ bytes: [UInt8], _ segment: Range<Int>) -> Bool {
            var place = segment.lowerBound
            while place + 17 <= segment.upperBound {
                let symbols = bytes[place + 1...place + 16].reduce(0) { $0 + Int($1) }
                let (kind, number) = (bytes[place] >> 4, Int(bytes[place] & 15))
                guard symbols <= 256, place + 17 + symbols <= segment.upperBound, kind < 2 else { return false }
                if kind == 0 { dc[number] = place } else { ac[number] = place }
                place += 17 + symbols
            }
            return place == segment.upperBound
        }

        /// All components at once, in the frame's order.
        private mutating func readScan(_ payload: [UInt8]) -> Bool {
            guard !components.isEmpty, payload.count == 4 + 2 * components.count, Int(payload[0]) == components.count else {
                return false
            }
            for number in components.indices {
                guard payload[1 + 2 * number] == components[number].identifier else { return false }
                components[number].dc = Int(payload[2 + 2 * number] >> 4)
                components[number].ac = Int(payload[2 + 2 * number] & 15)
            }
            return Array(payload.suffix(3)) == [0, 63, 0]
        }

        /// An empty index; nil: the tables are none.
        func makeIndex(_ bytes: [UInt8], most: Int) -> OpaquePointer? {
            withShape(bytes) { gannet_jpeg_index_create(&$0, most) }
        }

        /// The bytes of an index, whose states may have `most`. 0: there is none.
        func indexBytes(_ bytes: [UInt8], most: Int) -> Int {
            withShape(bytes) { gannet_jpeg_index_bytes(&$0, most) } ?? 0
        }

        private func withShape<R>(_ bytes: [UInt8], _ body: (inout gannet_jpeg_scan_shape) -> R?) -> R? {
            var shape = gannet_jpeg_scan_shape()
            (shape.columns, shape.rows, shape.restart_interval) = (columns, rows, UInt32(interval))
            shape.component_count = Int32(components.count)
            // The kernel copies the tables during the call.
            return bytes.withUnsafeBufferPointer { bytes -> R? in
                guard let base = bytes.baseAddress else { return nil }
                for (number, component) in components.enumerated() {
                    guard let dc = dc[component.dc], let ac = ac[component.ac] else { return nil }
                    let part = gannet_jpeg_scan_part(
                        blocks: Int32(component.horizontal * component.vertical), dc: Self.codes(base + dc),
                        ac: Self.codes(base + ac))
                    switch number {
                    case 0: shape.components.0 = part
                    case 1: shape.components.1 = part
                    case 2: shape.components.2 = part
                    default: shape.components.3 = part
                    }
                }
                return body(&shape)
            }
        }

        private static func codes(_ table: UnsafePointer<UInt8>) -> gannet_jpeg_codes {
            gannet_jpeg_codes(counts: table, symbols: table + 17)
        }

        /// Everything before the data of a cut of this size.
        func header(of part: PixelSize) -> [UInt8] {
            var own = frame
            (own[5], own[6]) = (UInt8(part.height >> 8), UInt8(part.height & 0xFF))
            (own[7], own[8]) = (UInt8(part.width >> 8), UInt8(part.width & 0xFF))
            var file: [UInt8] = [0xFF, 0xD8]
            file += kept
            file += own
            var tables = [UInt8](repeating: 0, count: 512)
            let count = gannet_jpeg_cut_tables(&tables, tables.count)
            file += [0xFF, 0xC4, UInt8((count + 2) >> 8), UInt8((count + 2) & 0xFF)]
            file += tables[..<count]
            file += [0xFF, 0xDA, 0, UInt8(6 + 2 * components.count), UInt8(components.count)]
            for component in components { file += [component.identifier, 0] }
            file += [0, 63, 0]
            return file
        }
    }
#endif
