#if ICO
    import GannetCore

    /// The list of images at the start of an icon.
    struct ICODirectory {
        struct Entry {
            /// The width in the directory; the image itself may differ.
            var width: Int
            var height: Int
            var bytes: Range<Int>

            var area: Int { width * height }
        }

        let entries: [Entry]

        /// Nil: more bytes are needed. Throws `corrupt` for an impossible list.
        init?(_ head: [UInt8], limits: DecodeLimits) throws(ImageError) {
            let fields = LittleEndianFields(bytes: head)
            guard let reserved = fields.word(0), let kind = fields.word(2), let count = fields.word(4) else { return nil }
            guard reserved == 0, kind == 1 || kind == 2, count > 0 else {
                throw ImageError(.corrupt, stage: .decode, "The file is no icon, or an icon without images.")
            }
            try limits.check(metadataBytes: count * 16)
            guard head.count >= 6 + count * 16 else { return nil }
            var entries: [Entry] = []
            for index in 0..<count {
                let place = 6 + index * 16
                let (width, height) = (Int(head[place]), Int(head[place + 1]))
                guard let length = fields.long(place + 8), let start = fields.long(place + 12), start >= 6 + count * 16,
                    length > 0
                else { continue }
                // 256 does not fit into a byte.
                entries.append(
                    Entry(width: width == 0 ? 256 : width, height: height == 0 ? 256 : height, bytes: start..<start + length))
            }
            guard !entries.isEmpty else {
                throw ImageError(.corrupt, stage: .decode, "No image of the icon has a place in the file.")
            }
            self.entries = entries
        }
    }
#endif
