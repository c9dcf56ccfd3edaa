#if HEIC
    import GannetCore

    /// The sizes for which libheif and its decoder allocate memory: those of the canvases of grids and overlays (ISO/IEC 23008-12
    /// §6.6.2), and those of coded images, as in HEVC's parameter sets. Neither library compares them with `ispe`, which the
    /// limits are checked against: 514 bytes that claim 64 × 64 made libheif allocate 3 GB.
    struct HEICSizes {
        /// Real files have one or two.
        static let maximumExtents = 256

        private let boxes: ISOBoxes
        private var largest = 0
        /// How much more may be examined: many items may refer to the same bytes.
        private var patience: Int

        private init(_ bytes: [UInt8]) {
            boxes = ISOBoxes(bytes: bytes)
            patience = 4 * bytes.count + 1_000_000
        }

        /// Pixels of the largest size, also of those of a track; 0 if the file has none. Throws `corrupt` if the search would read
        /// several times the length of the file.
        static func largestArea(_ bytes: [UInt8], and sets: [HEVCParameterSet] = []) throws(ImageError) -> Int {
            var sizes = HEICSizes(bytes)
            for set in sets { sizes.note(coded: set.width, set.height) }
            for meta in sizes.boxes.topLevel where meta.type == "meta" && meta.content.count >= 4 {
                try sizes.read(sizes.boxes.boxes(in: meta.content.lowerBound + 4..<meta.content.upperBound))
            }
            return sizes.largest
        }

        private mutating func read(_ meta: [ISOBoxes.Box]) throws(ImageError) {
            var kinds: [Int: String] = [:]
            for list in meta where list.type == "iinf" { readKinds(list.content, &kinds) }
            for properties in meta where properties.type == "iprp" {
                for container in boxes.boxes(in: properties.content) where container.type == "ipco" {
                    for property in boxes.boxes(in: container.content) where property.type == "hvcC" {
                        try HEVCUnits.ofConfiguration(property.content, boxes) { (unit) throws(ImageError) in try look(at: unit) }
                    }
                }
            }
            for places in meta where places.type == "iloc" {
                try readPlaces(places.content, kinds, meta.first { $0.type == "idat" }?.content)
            }
        }

        private func readKinds(_ range: Range<Int>, _ kinds: inout [Int: String]) {
            guard let version = boxes.number(0, 1, in: range), range.count >= 8 else { return }
            for entry in boxes.boxes(in: range.lowerBound + (version == 0 ? 6 : 8)..<range.upperBound) where entry.type == "infe"
            {
                guard let version = boxes.number(0, 1, in: entry.content), version >= 2 else { continue }
                let width = version == 2 ? 2 : 4
                guard let item = boxes.number(4, width, in: entry.content),
                    boxes.number(6 + width, 4, in: entry.content) != nil
                else { continue }
                let start = entry.content.lowerBound + 6 + width
                kinds[item] = String(decoding: boxes.bytes[start..<start + 4], as: UTF8.self)
            }
        }

        /// ISO/IEC 14496-12 §8.11.3.
        private mutating func readPlaces(
            _ range: Range<Int>, _ kinds: [Int: String], _ inside: Range<Int>?
        ) throws(ImageError) {
            guard let version = boxes.number(0, 1, in: range), let widths = boxes.number(4, 2, in: range) else { return }
            let (offsetWidth, lengthWidth, baseWidth) = (widths >> 12, widths >> 8 & 15, widths >> 4 & 15)
            let indexWidth = version == 0 ? 0 : widths & 15
            let itemWidth = version < 2 ? 2 : 4
            guard [offsetWidth, lengthWidth, baseWidth, indexWidth].allSatisfy({ $0 <= 8 }) else { return }
            var offset = 6
            func next(_ width: Int) -> Int? {
                defer { offset += width }
                return width == 0 ? 0 : boxes.number(offset, width, in: range)
            }
            for _ in 0..<(next(itemWidth) ?? 0) {
                guard let item = next(itemWidth), let method = version == 0 ? 0 : next(2), next(2) != nil,
                    let base = next(baseWidth), let count = next(2)
                else { return }
                guard count <= Self.maximumExtents else {
                    throw HEICHandle.corrupt("An item of the HEIC file has \(count) pieces; no program writes so many.")
                }
                var extents: [(offset: Int, length: Int)] = []
                for _ in 0..<count {
                    guard next(indexWidth) != nil, let start = next(offsetWidth), let length = next(lengthWidth) else { return }
                    let (sum, overflow) = base.addingReportingOverflow(start)
                    if !overflow { extents.append((sum, length)) }
                }
                try spend(1)
                // There is at most one box for data inside (ISO/IEC 14496-12 §8.11.11).
                if let whole = method & 15 == 1 ? inside : 0..<boxes.bytes.count {
                    try look(at: extents, in: whole, kinds[item])
                }
            }
        }

        private mutating func look(
            at extents: [(offset: Int, length: Int)], in whole: Range<Int>, _ kind: String?
        ) throws(ImageError) {
            let isCanvas = kind == "grid" || kind == "iovl"
            let isCoded = kind == "hvc1" || kind == "hev1"
            var data: [UInt8] = []
            for extent in extents where extent.offset < whole.count {
                let rest = whole.count - extent.offset
                // A length of 0 means "to the end". The library copies every item, even metadata.
                let count = extent.length == 0 ? rest : min(extent.length, rest)
                try spend(count)
                // Of canvases, only the numbers at the front are needed.
                let wanted = isCoded ? count : isCanvas ? min(count, 32) : 0
                let start = whole.lowerBound + extent.offset
                data.append(contentsOf: boxes.bytes[start..<start + wanted])
            }
            if isCanvas {
                // Version and flags, followed by rows and columns, or by the four channels of the background.
                let start = kind == "grid" ? 4 : 10
                guard data.count >= 2 else { return }
                let width = data[1] & 1 == 0 ? 2 : 4
                guard data.count >= start + 2 * width else { return }
                let numbers = ISOBoxes(bytes: data)
                note(numbers.number(start, width), numbers.number(start + width, width))
            } else if isCoded {
                try HEVCUnits.ofPicture(0..<data.count, ISOBoxes(bytes: data)) { (unit) throws(ImageError) in
                    try spend(4)
                    try look(at: unit)
                }
            }
        }

        private mutating func look(at unit: ArraySlice<UInt8>) throws(ImageError) {
            guard let first = unit.first, first >> 1 & 63 == HEVCParameterSet.kind else { return }
            try spend(min(unit.count, HEVCParameterSet.longest))
            guard let (width, height) = HEVCParameterSet.size(unit) else { return }
            note(coded: width, height)
        }

        /// Coded in whole blocks of up to 64, whose excess the file crops.
        private mutating func note(coded width: Int, _ height: Int) { note(max(width - 63, 1), max(height - 63, 1)) }

        private mutating func note(_ width: Int, _ height: Int) {
            let (area, overflow) = width.multipliedReportingOverflow(by: height)
            // More than any limit, but small enough that sums do not overflow.
            largest = max(largest, overflow ? 1 << 40 : min(area, 1 << 40))
        }

        private mutating func spend(_ count: Int) throws(ImageError) {
            patience -= count
            guard patience >= 0 else {
                throw HEICHandle.corrupt("The HEIC file's images are made of the same bytes again and again.")
            }
        }
    }
#endif
