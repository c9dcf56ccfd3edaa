#if RAW
    import GannetCore

    /// Tells raw files from TIFF files and videos by their first 4,096 bytes.
    ///
    /// Half of the formats have a signature. The others are TIFF files, and so are images that were developed from them and still name the
    /// camera: only what the first directory says of its own image tells them apart.
    enum RAWSignature {
        private static let mostBytes = 4096

        private static let signatures: [(offset: Int, bytes: [UInt8])] = [
            (0, Array("FUJIFILMCCD-RAW".utf8)), (0, Array("IIRO".utf8)), (0, Array("IIRS".utf8)), (0, Array("MMOR".utf8)),
            (0, Array("IIU\0".utf8)), (4, Array("ftypcrx ".utf8)),
        ]

        static func recognize(_ head: Span<UInt8>) -> Recognition {
            var needed: Int?
            for (offset, bytes) in signatures {
                let end = offset + bytes.count
                guard (offset..<max(offset, min(end, head.count))).allSatisfy({ head[$0] == bytes[$0 - offset] }) else {
                    continue
                }
                // No first box is longer than 64 KiB.
                if offset > 0, (0..<min(head.count, 2)).contains(where: { head[$0] != 0 }) { continue }
                if head.count >= end { return .yes(.raw) }
                needed = min(needed ?? end, end)
            }
            switch recognizeTIFF(head) {
            case .no: return needed.map { .needsMoreBytes($0) } ?? .no
            case .needsMoreBytes(let count): return .needsMoreBytes(min(needed ?? count, count))
            case .yes(let format): return .yes(format)
            }
        }

        private static func recognizeTIFF(_ head: Span<UInt8>) -> Recognition {
            let marks: [[UInt8]] = [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42]]
            let mark = marks.first { mark in (0..<min(head.count, 4)).allSatisfy { head[$0] == mark[$0] } }
            guard mark != nil else { return .no }
            guard head.count >= 10 else { return .needsMoreBytes(10) }
            // Canon's, which has its own directory of the sensor's image.
            if head[8] == UInt8(ascii: "C"), head[9] == UInt8(ascii: "R") { return .yes(.raw) }
            let bytes = (0..<min(head.count, mostBytes)).map { head[$0] }
            guard let reader = TIFFDirectoryReader(bytes) else { return .no }
            return FirstDirectory(reader).recognition { count in
                // What lies further back is not looked at.
                count <= mostBytes && count > head.count ? .needsMoreBytes(count) : .no
            }
        }
    }

    /// The first directory of a TIFF file, as far as the bytes go.
    private struct FirstDirectory {
        private let reader: TIFFDirectoryReader
        private let entries: [TIFFDirectoryReader.Entry]
        /// The length of the bytes that have all of it; nil: unknown yet.
        private let end: Int?

        init(_ reader: TIFFDirectoryReader) {
            self.reader = reader
            let start = reader.firstDirectory
            entries = reader.entries(at: start)
            end = reader.word(at: start).map { start + 2 + 12 * $0 }
        }

        /// `more`: the answer if so many bytes are needed.
        func recognition(_ more: (Int) -> Recognition) -> Recognition {
            guard let end else { return more(reader.firstDirectory + 2) }
            // DNGVersion, and photometric interpretations that are of sensors alone: colour filter array, linear raw.
            if entries.contains(where: { $0.tag == 0xC612 }) || [32_803, 34_892].contains(integer(0x0106)) { return .yes(.raw) }
            if end > reader.bytes.count, case .needsMoreBytes(let count) = more(end) { return .needsMoreBytes(count) }
            guard isOfPreview, let make = entries.first(where: { $0.tag == 0x010F && $0.type == 2 && $0.count > 4 }) else {
                return .no
            }
            guard let start = reader.long(at: make.position + 8) else { return .no }
            let length = min(make.count, 16)
            guard start <= reader.bytes.count - length else { return more(start + length) }
            let name = String(decoding: reader.bytes[start..<start + length], as: UTF8.self)
            return Self.makers.contains { name.hasPrefix($0) } ? .yes(.raw) : .no
        }

        private static let makers = ["NIKON", "SONY", "PENTAX", "RICOH", "SAMSUNG"]

        /// It describes a smaller image, or one that is compressed as no program stores a finished one, and the sensor's is in another
        /// directory.
        private var isOfPreview: Bool {
            guard let compression = integer(0x0103) else { return false }
            let isSensor = [34_713, 65_535].contains(compression)
            let isSmall = integer(0x00FE).map { $0 & 1 == 1 } ?? false
            return isSensor || entries.contains { $0.tag == 0x014A } && (isSmall || [6, 7].contains(compression))
        }

        private func integer(_ tag: Int) -> Int? { entries.first { $0.tag == tag }.flatMap(reader.integer) }
    }
#endif
