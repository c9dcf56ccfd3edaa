#if TIFF
    import GannetCore

    /// The chain of directories in a TIFF (TIFF 6.0, section 2) or BigTIFF, walked without trusting it.
    struct TIFFPages {
        /// Offsets of the pages' directories; never empty.
        private(set) var offsets: [UInt64] = []

        private let bytes: [UInt8]
        private let isBigEndian: Bool
        private let isBig: Bool

        /// Nil if the first directory lies outside the file. A chain ends where it returns to itself or leaves the file. Throws
        /// `limitExceeded`, and `corrupt` if this is no TIFF.
        init?(_ bytes: [UInt8], _ limits: DecodeLimits) throws(ImageError) {
            guard bytes.count >= 8 else { return nil }
            self.bytes = bytes
            isBigEndian = bytes[0] == 0x4D
            isBig = bytes[bytes[0] == 0x4D ? 3 : 2] == 43
            let version = number(at: 2, bytes: 2)
            guard bytes[0] == bytes[1], bytes[0] == 0x4D || bytes[0] == 0x49, version == 42 || version == 43 else {
                throw TIFFHandle.corrupt("it does not begin with a TIFF header")
            }
            guard let first = isBig ? number(at: 8, bytes: 8) : number(at: 4, bytes: 4) else { return nil }
            var found: [UInt64] = []
            var seen: Set<Int> = []
            var next = first
            while next > 0, next < bytes.count, seen.insert(next).inserted {
                guard let entries = number(at: next, bytes: isBig ? 8 : 2), entries > 0, entries <= bytes.count else { break }
                found.append(UInt64(next))
                try limits.check(frames: found.count)
                let end = next + (isBig ? 8 + entries * 20 : 2 + entries * 12)
                guard let following = number(at: end, bytes: isBig ? 8 : 4) else { break }
                next = following
            }
            guard !found.isEmpty else {
                if first < bytes.count { throw TIFFHandle.corrupt("its first directory is empty") }
                return nil
            }
            offsets = found
        }

        /// Limits libtiff's copies of entry values for the directory at `offset`. In a valid file values do not overlap, so all
        /// copies together are no larger than the file. Throws `corrupt` if entries share values and exceed that many times
        /// over.
        func check(_ offset: UInt64) throws(ImageError) {
            let start = Int(offset)
            guard let entries = number(at: start, bytes: isBig ? 8 : 2), entries <= bytes.count else { return }
            let (step, inline) = isBig ? (20, 8) : (12, 4)
            var total = 0
            for place in stride(from: start + (isBig ? 8 : 2), to: start + (isBig ? 8 : 2) + entries * step, by: step) {
                guard let type = number(at: place + 2, bytes: 2), let count = number(at: place + 4, bytes: isBig ? 8 : 4) else {
                    break
                }
                let (length, overflow) = count.multipliedReportingOverflow(by: Self.bytesOfType(type))
                guard overflow || length > inline else { continue }
                // Values beyond the file are read as far as it goes.
                total += overflow ? bytes.count : min(length, bytes.count)
                guard total <= 4 * bytes.count else {
                    throw TIFFHandle.corrupt("the entries of its directory say more than the file holds")
                }
            }
        }

        /// Sizes by TIFF 6.0, section 2, and BigTIFF.
        private static func bytesOfType(_ type: Int) -> Int {
            switch type {
            case 3, 8: 2
            case 4, 9, 11, 13: 4
            case 5, 10, 12, 16, 17, 18: 8
            default: 1
            }
        }

        /// Nil beyond the end of the file, or of `Int`.
        private func number(at offset: Int, bytes count: Int) -> Int? {
            guard offset >= 0, offset <= bytes.count - count else { return nil }
            var value: UInt64 = 0
            for index in 0..<count {
                value = value << 8 | UInt64(bytes[isBigEndian ? offset + index : offset + count - 1 - index])
            }
            return Int(exactly: value)
        }
    }
#endif
