#if HEIC
    import GannetCore

    /// Checks the items that a HEIC file is made of: grids, overlays and identities refer to others (`dimg`, ISO/IEC 23008-12
    /// 6.6), alpha to its image (`auxl`). libheif 1.15 follows references without cycle detection: a cycle in 900 bytes crashes
    /// the process, and slightly larger files can demand years of decoding. So they are checked before libheif sees the file.
    struct HEICItems {
        /// Real files have three: a grid, its alpha, and the tiles of that.
        static let maximumDepth = 8
        /// Decodes for one image, each tile counted as often as it is referred to. 100 megapixels in tiles of 128 × 128 need
        /// 6,100.
        static let maximumDecodes = 16_384

        /// The items that are decoded together with an item.
        private var parts: [Int: [Int]] = [:]
        private var known: [Int: (depth: Int, decodes: Int)] = [:]
        private var open: Set<Int> = []

        /// Throws `corrupt` for cycles and for ambiguous references, `limitExceeded` for too many. O(references).
        static func check(_ bytes: [UInt8]) throws(ImageError) {
            try HEIFLists.heic.check(bytes)
            let boxes = ISOBoxes(bytes: bytes)
            var items = HEICItems()
            let top = boxes.topLevel
            guard top.count < 10_000 else { throw HEICHandle.corrupt("The HEIC file has more boxes than any program writes.") }
            for meta in top where meta.type == "meta" && meta.content.count >= 4 {
                let inside = boxes.boxes(in: meta.content.lowerBound + 4..<meta.content.upperBound)
                guard inside.count < 10_000 else {
                    throw HEICHandle.corrupt("The HEIC file has more boxes than any program writes.")
                }
                for references in inside where references.type == "iref" { try items.read(boxes, references.content) }
            }
            for item in items.parts.keys { _ = try items.look(at: item, depth: 0) }
        }

        private mutating func read(_ boxes: ISOBoxes, _ range: Range<Int>) throws(ImageError) {
            guard let version = boxes.number(0, 1, in: range) else { return }
            let width = version == 0 ? 2 : 4
            var offset = 4
            while offset < range.count {
                let start = range.lowerBound + offset
                guard let length = boxes.number(offset, 4, in: range), boxes.number(offset + 4, 4, in: range) != nil,
                    let from = boxes.number(offset + 8, width, in: range),
                    let count = boxes.number(offset + 8 + width, 2, in: range),
                    // libheif trusts the count, other readers the length.
                    length == 10 + width + count * width, length <= range.count - offset
                else { throw HEICHandle.corrupt("The HEIC file's references between images are damaged.") }
                let type = String(decoding: boxes.bytes[start + 4..<start + 8], as: UTF8.self)
                for index in 0..<count {
                    let other = boxes.number(start + 10 + width + index * width, width)
                    switch type {
                    case "dimg": parts[from, default: []].append(other)
                    case "auxl": parts[other, default: []].append(from)
                    default: break
                    }
                }
                offset += length
            }
        }

        private mutating func look(at item: Int, depth: Int) throws(ImageError) -> (depth: Int, decodes: Int) {
            if let known = known[item] { return known }
            guard depth < Self.maximumDepth else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The HEIC file's images are made of each other more than \(Self.maximumDepth) levels deep.")
            }
            guard open.insert(item).inserted else { throw HEICHandle.corrupt("An image in the HEIC file is a part of itself.") }
            var result = (depth: 1, decodes: 1)
            for part in parts[item] ?? [] {
                let found = try look(at: part, depth: depth + 1)
                result.depth = max(result.depth, found.depth + 1)
                result.decodes += found.decodes
                guard result.depth <= Self.maximumDepth, result.decodes <= Self.maximumDecodes else {
                    throw ImageError(
                        .limitExceeded, stage: .decode,
                        "An image in the HEIC file is made of more than \(Self.maximumDecodes) others, or \(Self.maximumDepth) levels deep."
                    )
                }
            }
            open.remove(item)
            known[item] = result
            return result
        }
    }
#endif
