#if JP2
    import GannetCore

    /// The headers of a codestream (ISO/IEC 15444-1, annex A), read without trusting them: sizes, and what decoding will take.
    struct JP2Codestream {
        static let signature: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]

        struct Component: Equatable {
            var bits: Int
            var isSigned: Bool
            /// Points of the reference grid for each sample.
            var dx: Int
            var dy: Int
        }

        /// The part of a coding style that decides about memory.
        struct Style {
            var levels: Int
            var block: (width: Int, height: Int)
            /// By resolution, the smallest first; exponents of two.
            var precincts: [(width: Int, height: Int)]
        }

        /// A part of the reference grid.
        struct Area {
            var (left, top, right, bottom) = (0, 0, 0, 0)
        }

        /// The image's.
        private(set) var area = Area()
        private(set) var components: [Component] = []
        /// How often every tile can be halved, as far as headers were read.
        private(set) var levels = 0
        /// The place of the first tile-part.
        private var tileStart = 0
        private(set) var tile = (width: 0, height: 0)
        private(set) var tileCount = 0
        private(set) var layers = 1
        /// Has blocks of ISO/IEC 15444-15.
        private(set) var isHighThroughput = false
        private(set) var styles: [Style] = []

        /// Nil: the main header is not complete yet. Throws `corrupt`.
        init?(_ bytes: [UInt8], at start: Int) throws(ImageError) {
            guard start + 4 <= bytes.count else { return nil }
            guard bytes[start..<start + 4].elementsEqual(Self.signature) else { throw Self.corrupt("it has no codestream") }
            var position = start + 2
            while true {
                guard position + 4 <= bytes.count else { return nil }
                let marker = Self.word(bytes, position)
                if marker == Self.tilePart { break }
                if Self.bare.contains(marker) {
                    position += 2
                    continue
                }
                let end = position + 2 + Self.word(bytes, position + 2)
                guard marker >= 0xFF00, end >= position + 4 else { throw Self.corrupt("its header is broken") }
                guard end <= bytes.count else { return nil }
                try read(marker, bytes[(position + 4)..<end])
                position = end
            }
            tileStart = position
            guard !components.isEmpty, !styles.isEmpty else { throw Self.corrupt("its header lacks sizes or styles") }
        }

        // MARK: Marker segments

        private static let tilePart = 0xFF90
        private static let startOfData = 0xFF93
        private static let end = 0xFFD9
        /// Markers without a segment, which mean nothing here (ISO/IEC 15444-1, A.1).
        private static let bare = 0xFF30...0xFF3F

        private mutating func read(_ marker: Int, _ content: ArraySlice<UInt8>) throws(ImageError) {
            var fields = BigEndianFields(content)
            switch marker {
            case 0xFF51: try readSize(&fields)
            case 0xFF52:
                guard let kind = fields.next(1), fields.next(1) != nil, let layers = fields.next(2), fields.next(1) != nil else {
                    throw Self.corrupt("its coding style is broken")
                }
                self.layers = max(self.layers, layers)
                try readStyle(&fields, hasPrecincts: kind & 1 != 0)
            case 0xFF53:
                guard fields.next(components.count < 257 ? 1 : 2) != nil, let kind = fields.next(1) else {
                    throw Self.corrupt("its coding style is broken")
                }
                try readStyle(&fields, hasPrecincts: kind & 1 != 0)
            default: break
            }
        }

        private mutating func readSize(_ fields: inout BigEndianFields) throws(ImageError) {
            guard components.isEmpty, let capabilities = fields.next(2), let right = fields.next(4), let bottom = fields.next(4),
                let left = fields.next(4), let top = fields.next(4), let tileWidth = fields.next(4),
                let tileHeight = fields.next(4), let tileLeft = fields.next(4), let tileTop = fields.next(4),
                let count = fields.next(2), left < right, top < bottom, tileWidth > 0, tileHeight > 0, tileLeft <= left,
                tileTop <= top, tileLeft + tileWidth > left, tileTop + tileHeight > top, (1...16384).contains(count)
            else { throw Self.corrupt("its sizes cannot be") }
            isHighThroughput = capabilities & 0x4000 != 0
            area = Area(left: left, top: top, right: right, bottom: bottom)
            tile = (tileWidth, tileHeight)
            tileCount = Self.divided(right - tileLeft, tileWidth) * Self.divided(bottom - tileTop, tileHeight)
            // A number of a tile has 16 bits.
            guard tileCount <= 65_535 else { throw Self.corrupt("it says that it has \(tileCount) tiles") }
            for _ in 0..<count {
                guard let depth = fields.next(1), let dx = fields.next(1), let dy = fields.next(1), dx > 0, dy > 0 else {
                    throw Self.corrupt("its components cannot be")
                }
                components.append(Component(bits: (depth & 0x7F) + 1, isSigned: depth & 0x80 != 0, dx: dx, dy: dy))
            }
        }

        private mutating func readStyle(_ fields: inout BigEndianFields, hasPrecincts: Bool) throws(ImageError) {
            guard let levels = fields.next(1), let width = fields.next(1), let height = fields.next(1), fields.next(1) != nil,
                fields.next(1) != nil, levels <= 32, width <= 8, height <= 8
            else { throw Self.corrupt("its coding style is broken") }
            var precincts: [(width: Int, height: Int)] = []
            for _ in 0...levels {
                let size = hasPrecincts ? fields.next(1) : 0xFF
                guard let size else { throw Self.corrupt("its coding style is broken") }
                precincts.append((size & 15, size >> 4))
            }
            // Files have few styles; a hostile one repeats different ones, and only the dearest count.
            guard styles.count < 1024 else { throw Self.corrupt("it has too many coding styles") }
            self.levels = styles.isEmpty ? levels : min(self.levels, levels)
            styles.append(Style(levels: levels, block: (width + 2, height + 2), precincts: precincts))
        }

        // MARK: Tile-parts

        /// Reads the headers of all tile-parts, up to `end` at the most. False: the codestream ends before its image.
        mutating func readTileParts(_ bytes: [UInt8], to end: Int) throws(ImageError) -> Bool {
            var position = tileStart
            var seen: Set<Int> = []
            while position + 12 <= end, Self.word(bytes, position) == Self.tilePart {
                let number = Self.word(bytes, position + 4)
                var length = Self.word(bytes, position + 6) << 16 | Self.word(bytes, position + 8)
                guard number < tileCount, length == 0 || length >= 14 else { throw Self.corrupt("a part of a tile is broken") }
                if length == 0 { length = end - position }
                guard try readTileHeader(bytes, position + 12, to: min(end, position + length)) else { return false }
                seen.insert(number)
                position += length
            }
            // The mark at the end may be missing, as in files that other programs accept.
            if position + 2 <= end, Self.word(bytes, position) == Self.end { return true }
            return position <= end && seen.count == tileCount
        }

        private mutating func readTileHeader(_ bytes: [UInt8], _ start: Int, to end: Int) throws(ImageError) -> Bool {
            var position = start
            while true {
                guard position + 2 <= end else { return false }
                let marker = Self.word(bytes, position)
                if marker == Self.startOfData { return true }
                if Self.bare.contains(marker) {
                    position += 2
                    continue
                }
                guard marker >= 0xFF00 else { throw Self.corrupt("the header of a tile is broken") }
                guard position + 4 <= end else { return false }
                let next = position + 2 + Self.word(bytes, position + 2)
                guard next >= position + 4 else { throw Self.corrupt("the header of a tile is broken") }
                guard next <= end else { return false }
                if marker != 0xFF51 { try read(marker, bytes[(position + 4)..<next]) }
                position = next
            }
        }

        // MARK: Sizes

        /// The image's size when it is halved so many times.
        func size(halved times: Int) -> (width: Int, height: Int) {
            (
                Self.halved(area.right, times) - Self.halved(area.left, times),
                Self.halved(area.bottom, times) - Self.halved(area.top, times)
            )
        }

        /// Where its first sample is on the reference grid, which is halved as often.
        func origin(halved times: Int) -> (x: Int, y: Int) { (Self.halved(area.left, times), Self.halved(area.top, times)) }

        /// Whether a part can be decoded alone.
        var hasAreas: Bool {
            Self.commonMultiple(components.map(\.dx)) != nil && Self.commonMultiple(components.map(\.dy)) != nil
        }

        /// What has to be decoded for a part of the image that is halved so often. It begins where each component has a sample, so that all
        /// components keep their places. Nil: they have such places too seldom; see ``hasAreas``.
        func area(of part: PixelRect, halved times: Int) -> Area? {
            guard let stepX = Self.commonMultiple(components.map(\.dx)), let stepY = Self.commonMultiple(components.map(\.dy))
            else { return nil }
            let origin = origin(halved: times)
            func range(_ first: Int, _ count: Int, _ step: Int, _ least: Int, _ most: Int) -> (Int, Int) {
                let step = step << times
                // Where a tile is halved less often, the samples of an image that does not begin at zero lie up to one step before.
                let (start, end) = ((least > 0 ? first - 1 : first) << times, (first + count) << times)
                // An image may begin beside the first sample of a component.
                let isAtStart = start / step * step < least
                return (max(start / step * step, least), min(((end + step - 1) / step + (isAtStart ? 1 : 0)) * step, most))
            }
            let (left, right) = range(origin.x + part.x, part.width, stepX, area.left, area.right)
            let (top, bottom) = range(origin.y + part.y, part.height, stepY, area.top, area.bottom)
            return Area(left: left, top: top, right: right, bottom: bottom)
        }

        /// Nil: larger than that of any honest file.
        private static func commonMultiple(_ steps: [Int]) -> Int? {
            var multiple = 1
            for step in steps {
                var (a, b) = (multiple, step)
                while b > 0 { (a, b) = (b, a % b) }
                multiple = multiple / a * step
                guard multiple <= 1 << 20 else { return nil }
            }
            return multiple
        }

        // MARK: Numbers

        private static func word(_ bytes: [UInt8], _ position: Int) -> Int {
            Int(bytes[position]) << 8 | Int(bytes[position + 1])
        }

        static func divided(_ value: Int, _ by: Int) -> Int { (value + by - 1) / by }

        static func halved(_ value: Int, _ times: Int) -> Int { times > 40 ? min(value, 1) : divided(value, 1 << times) }

        static func corrupt(_ what: String) -> ImageError {
            ImageError(.corrupt, stage: .decode, "The JPEG 2000 file is damaged: \(what). Fetch or save it again.")
        }
    }

    /// Reads fields of a marker segment or a box, one after the other.
    struct BigEndianFields {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        var remaining: ArraySlice<UInt8> { rest }

        /// Of 1 to 4 bytes; nil: there are not so many.
        mutating func next(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        }
    }
#endif
