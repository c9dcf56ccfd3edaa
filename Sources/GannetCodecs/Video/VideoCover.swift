#if Video
    import GannetCore

    /// The cover that shops and libraries put into MP4 and QuickTime files: `covr` among the tags of iTunes.
    enum VideoCover {
        /// A fragmented file has two top-level boxes for each of its fragments.
        private static let mostBoxes = 1000

        /// The first cover that is a JPEG or a PNG. Nil: there is none, or it has not arrived.
        static func image(in file: ByteRope, limits: DecodeLimits) -> ByteRope? {
            guard let movie = movie(in: file, atMost: limits.maximumMetadataBytes) else { return nil }
            let boxes = ISOBoxes(bytes: movie)
            guard let tables = boxes.first("moov") else { return nil }
            // Programs that add tags may add a box for them.
            let tags = boxes.boxes(in: tables.content).filter { $0.type == "udta" }.flatMap { boxes.boxes(in: $0.content) }
            return tags.lazy.filter { $0.type == "meta" }.compactMap { image(in: $0.content, boxes) }.first
        }

        private static func image(in tags: Range<Int>, _ boxes: ISOBoxes) -> ByteRope? {
            // In QuickTime's own files this box has neither version nor flags.
            let hasVersion = boxes.boxes(in: tags).first?.type != "hdlr"
            guard let covers = boxes.first(["ilst", "covr"], in: hasVersion ? tags.dropFirst(4) : tags) else { return nil }
            for data in boxes.boxes(in: covers.content) where data.type == "data" && data.content.count > 8 {
                // A number says the format, but often another one.
                let image = boxes.bytes[data.content.dropFirst(8)]
                if image.starts(with: [0xFF, 0xD8, 0xFF]) || image.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
                    return ByteRope(Array(image))
                }
            }
            return nil
        }

        /// The box with all tables and tags, wherever it stands.
        private static func movie(in file: ByteRope, atMost limit: Int) -> [UInt8]? {
            var place = 0
            for _ in 0..<mostBoxes {
                let head = file.prefix(16, from: place)
                guard head.count == 16 else { return nil }
                let numbers = ISOBoxes(bytes: head)
                let short = numbers.number(0, 4)
                let length = short == 1 ? numbers.number(8, 8) : short == 0 ? file.count - place : short
                guard length >= 8, length <= file.count - place else { return nil }
                if head[4..<8].elementsEqual("moov".utf8) {
                    return length <= limit ? file.prefix(length, from: place) : nil
                }
                place += length
            }
            return nil
        }
    }
#endif
