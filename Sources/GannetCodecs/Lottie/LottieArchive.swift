#if Lottie
    import GannetCore

    /// A dotLottie file: an archive (ZIP, as APPNOTE.TXT of PKWARE has it) of animations, their images, and a manifest.
    struct LottieArchive {
        static let manifestName = "manifest.json"
        /// More files than any program writes.
        private static let maximumFiles = 10_000

        private struct Entry {
            var offset: Int
            var packedBytes: Int
            var bytes: Int
            var checksum: UInt32
        }

        private let file: [UInt8]
        private var entries: [String: Entry] = [:]
        private let watch: DecodeWatch
        /// Bytes that may still be unpacked, of all files together.
        private var bytesLeft: Int

        static func isArchive(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 3, 4]) }

        /// Where both versions of the format have them.
        static func isAnimation(_ name: String) -> Bool {
            (name.hasPrefix("animations/") || name.hasPrefix("a/")) && name.hasSuffix(".json")
        }

        /// Reads the directory at the end. Throws `truncated`, `corrupt` and `unsupported`.
        init(_ file: [UInt8], mostBytes: Int, _ watch: DecodeWatch) throws(ImageError) {
            self.file = file
            self.watch = watch
            bytesLeft = mostBytes
            guard let end = Self.directoryEnd(file) else { throw LottieError.truncated }
            let (count, start) = (file.word(end + 10), file.long(end + 16))
            guard count <= Self.maximumFiles, count < 0xFFFF, start < 0xFFFF_FFFF else {
                throw LottieError.unsupported("its archive has too many files, or is one of more than 4 GiB")
            }
            var position = start
            for _ in 0..<count {
                guard position <= end - 46, file.long(position) == 0x0201_4B50 else {
                    throw LottieError.corrupt("the directory of its archive")
                }
                let nameEnd = position + 46 + file.word(position + 28)
                guard nameEnd <= end else { throw LottieError.corrupt("the directory of its archive") }
                let name = String(decoding: file[position + 46..<nameEnd], as: UTF8.self)
                entries[name] = Entry(
                    offset: file.long(position + 42), packedBytes: file.long(position + 20), bytes: file.long(position + 24),
                    checksum: UInt32(file.long(position + 16)))
                position = nameEnd + file.word(position + 30) + file.word(position + 32)
            }
        }

        /// Its last record, behind which a comment may be.
        private static func directoryEnd(_ file: [UInt8]) -> Int? {
            var position = file.count - 22
            while position >= max(0, file.count - 22 - 0xFFFF) {
                if file.long(position) == 0x0605_4B50, position + 22 + file.word(position + 20) == file.count { return position }
                position -= 1
            }
            return nil
        }

        /// The content of a file; nil if there is none of this name. Throws `limitExceeded`, `corrupt`, `unsupported` and `cancelled`.
        mutating func content(_ name: String) throws(ImageError) -> [UInt8]? {
            guard let entry = entries[name] else { return nil }
            guard let local = LocalFile(file, at: entry.offset), local.start <= file.count - 4 - entry.packedBytes else {
                throw LottieError.corrupt("\(name) lies outside of its archive")
            }
            guard !local.isEncrypted else { throw LottieError.unsupported("\(name) is encrypted") }
            let content: [UInt8]
            switch local.method {
            case 0: content = Array(file[local.start..<local.start + entry.packedBytes])
            case 8:
                // Four bytes more, which another record has.
                let packed = file[local.start..<local.start + entry.packedBytes + 4]
                content = try LottieInflate.all(packed, mostBytes: bytesLeft, watch).bytes
            default: throw LottieError.unsupported("\(name) is not packed with deflate")
            }
            bytesLeft -= content.count
            guard bytesLeft >= 0 else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The files of the Lottie animation unpack to more than the limit. Raise maximumEncodedBytes to allow it.")
            }
            guard content.count == entry.bytes, LottieInflate.checksum(content) == entry.checksum else {
                throw LottieError.corrupt("\(name) has another checksum or length than its archive says")
            }
            return content
        }
    }

    extension LottieArchive {
        /// The header before each file.
        struct LocalFile {
            let name: String
            let method: Int
            let packedBytes: Int
            let isEncrypted: Bool
            /// Its lengths are behind it, and 0 here.
            let hasLaterLength: Bool
            /// Where its bytes begin, which may be the end of those at hand.
            let start: Int

            /// Nil: the bytes end before its content begins, or this is no such record.
            init?(_ bytes: [UInt8], at offset: Int) {
                guard offset <= bytes.count - 30, bytes.long(offset) == 0x0403_4B50 else { return nil }
                let nameEnd = offset + 30 + bytes.word(offset + 26)
                start = nameEnd + bytes.word(offset + 28)
                guard start <= bytes.count else { return nil }
                name = String(decoding: bytes[offset + 30..<nameEnd], as: UTF8.self)
                method = bytes.word(offset + 8)
                packedBytes = bytes.long(offset + 18)
                isEncrypted = bytes[offset + 6] & 1 != 0
                hasLaterLength = bytes[offset + 6] & 8 != 0
            }
        }
    }

    extension [UInt8] {
        fileprivate func word(_ offset: Int) -> Int { Int(self[offset]) | Int(self[offset + 1]) << 8 }
        fileprivate func long(_ offset: Int) -> Int { word(offset) | word(offset + 2) << 16 }
    }
#endif
