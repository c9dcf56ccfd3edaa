#if Lottie
    import GannetCore

    /// The frame of gzip (RFC 1952), in which Telegram's stickers are.
    enum LottieGzip {
        static func isPacked(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 8]) }

        /// Where the packed text begins; nil: the header ends later.
        static func start(_ bytes: [UInt8]) -> Int? {
            guard bytes.count > 10 else { return nil }
            let flags = bytes[3]
            var position = 10
            if flags & 4 != 0 {
                guard position + 2 <= bytes.count else { return nil }
                position += 2 + Int(bytes[position]) | Int(bytes[position + 1]) << 8
            }
            // A name, and a comment.
            for flag in [8, 16] as [UInt8] where flags & flag != 0 {
                guard position < bytes.count, let end = bytes[position...].firstIndex(of: 0) else { return nil }
                position = end + 1
            }
            if flags & 2 != 0 { position += 2 }
            return position < bytes.count ? position : nil
        }

        /// Throws `limitExceeded`, `truncated`, `corrupt` and `cancelled`.
        static func text(_ file: [UInt8], mostBytes: Int, _ watch: DecodeWatch) throws(ImageError) -> [UInt8] {
            guard let start = start(file) else { throw LottieError.truncated }
            let (text, next) = try LottieInflate.all(file[start...], mostBytes: mostBytes, watch)
            let length = file.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard next.byteSwapped == LottieInflate.checksum(text), length == UInt32(truncatingIfNeeded: text.count) else {
                throw LottieError.corrupt("its text has another checksum or length than the file says")
            }
            return text
        }
    }
#endif
