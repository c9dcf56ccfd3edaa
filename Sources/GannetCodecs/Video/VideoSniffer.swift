#if Video
    import GannetCore

    /// Recognises a container by its first bytes.
    enum VideoSniffer {
        /// Bytes searched for DocType, which is in the first element of Matroska files.
        private static let ebmlLook = 64

        static func recognize(_ head: Span<UInt8>) -> Recognition {
            var needed = 0
            switch ISOBrands.recognize(head, iso) {
            case .yes(let format): return .yes(format)
            case .needsMoreBytes(let count): needed = count
            case .no: break
            }
            if begins(head, 0, [0x1A, 0x45, 0xDF, 0xA3]) { return head.count < 4 ? .needsMoreBytes(4) : matroska(head) }
            if begins(head, 0, Array("RIFF".utf8)), begins(head, 8, Array("AVI ".utf8)) {
                return head.count < 12 ? .needsMoreBytes(12) : .yes(.avi)
            }
            // QuickTime before brands: the first box has one of these names.
            for name in ["moov", "mdat", "wide", "pnot"] where begins(head, 4, Array(name.utf8)) {
                if head.count >= 8 { return .yes(.mov) }
                needed = max(needed, 8)
            }
            return needed > 0 ? .needsMoreBytes(needed) : .no
        }

        /// The file's length by its outermost boxes; if they do not tell, the number of bytes.
        static func wholeLength(_ bytes: [UInt8], _ format: ImageFormat) -> Int {
            func number(_ range: Range<Int>) -> Int {
                bytes[range].reduce(0) { $0 > Int.max >> 9 ? Int.max >> 1 : $0 << 8 | Int($1) }
            }
            if format == .avi {
                guard bytes.count >= 8 else { return bytes.count }
                return 8 + bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
            }
            if format == .webm || format == .mkv { return matroskaLength(bytes, number) }
            var position = 0
            while position + 8 <= bytes.count {
                var length = number(position..<position + 4)
                if length == 1, position + 16 <= bytes.count { length = number(position + 8..<position + 16) }
                // Extends "to the end", or no box follows.
                guard length >= 8 else { return bytes.count }
                let (end, isOver) = position.addingReportingOverflow(length)
                if isOver || end > bytes.count { return isOver ? Int.max : end }
                position = end
            }
            return bytes.count
        }

        /// Elements are a name and a length, each with a length code in its first byte: EBML, then the segment.
        private static func matroskaLength(_ bytes: [UInt8], _ number: (Range<Int>) -> Int) -> Int {
            var position = 4
            for segment in [false, true] {
                if segment { position += 4 }
                guard position < bytes.count, bytes[position] > 0 else { return bytes.count }
                let width = bytes[position].leadingZeroBitCount + 1
                guard position + width <= bytes.count else { return bytes.count }
                let mask = 1 << (7 * width)
                let length = number(position..<position + width) & (mask - 1)
                position += width
                // All ones: the length was unknown when written.
                if length == mask - 1 { return bytes.count }
                position += length
            }
            return position
        }

        /// Image formats have their own brands, which take precedence over video brands.
        private static func iso(_ brands: [String]) -> ImageFormat? {
            let brandsOfStills: Set<String> = [
                "avif", "avis", "mif1", "mif2", "msf1", "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "jp2 ",
                "jpx ",
                "crx ",
            ]
            guard let major = brands.first, !brands.contains(where: { brandsOfStills.contains($0) }) else { return nil }
            if major == "qt  " { return .mov }
            let videos: Set<String> = [
                "isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V ", "M4VH", "M4VP", "dash",
            ]
            if brands.contains(where: { videos.contains($0) || $0.hasPrefix("3gp") || $0.hasPrefix("3g2") }) { return .mp4 }
            return brands.contains("qt  ") ? .mov : nil
        }

        private static func matroska(_ head: Span<UInt8>) -> Recognition {
            // Element 0x4282, one byte of length, the name.
            for start in 4..<max(4, min(head.count, ebmlLook) - 7) where head[start] == 0x42 && head[start + 1] == 0x82 {
                if starts(head, start + 3, Array("webm".utf8)) { return .yes(.webm) }
                return starts(head, start + 3, Array("matr".utf8)) ? .yes(.mkv) : .no
            }
            return head.count < ebmlLook ? .needsMoreBytes(ebmlLook) : .no
        }

        private static func starts(_ head: Span<UInt8>, _ offset: Int, _ bytes: [UInt8]) -> Bool {
            head.count >= offset + bytes.count && begins(head, offset, bytes)
        }

        /// Compares only bytes that are present.
        private static func begins(_ head: Span<UInt8>, _ offset: Int, _ bytes: [UInt8]) -> Bool {
            for index in bytes.indices where offset + index < head.count && head[offset + index] != bytes[index] { return false }
            return true
        }
    }
#endif
