#if AVIF || HEIC || Video
    import GannetCore

    /// The brands in the first box of an ISO base media file (ISO/IEC 14496-12, "ftyp").
    enum ISOBrands {
        /// - Parameter wanted: the format of a list of brands, the major one first.
        static func recognize(_ head: Span<UInt8>, _ wanted: ([String]) -> ImageFormat?) -> Recognition {
            let type: [UInt8] = Array("ftyp".utf8)
            // No such box is longer than 64 KiB: its length begins with two zeros.
            for index in 0..<min(head.count, 2) where head[index] != 0 { return .no }
            for index in 4..<max(4, min(head.count, 8)) where head[index] != type[index - 4] { return .no }
            guard head.count >= 12 else { return .needsMoreBytes(12) }
            let length = Int(head[2]) << 8 | Int(head[3])
            guard length >= 12 else { return .no }
            let end = min(length, head.count)
            var brands: [String] = []
            for start in stride(from: 8, to: end - 3, by: 4) where start != 12 {
                brands.append(String(decoding: (start..<start + 4).map { head[$0] }, as: UTF8.self))
            }
            if let format = wanted(brands) { return .yes(format) }
            // Do not wait for a longer list than the caller may read.
            return head.count < min(length, 1024) ? .needsMoreBytes(min(length, 1024)) : .no
        }
    }
#endif
