#if WebP
    import GannetCore

    /// The chunks of a WebP file (RFC 9649) that have arrived. Each byte is examined once; pixel data is only located.
    struct WebPFile {
        struct Frame {
            /// Milliseconds.
            var duration: Int
            /// Offset after the chunk, including padding.
            var end: Int
        }

        private(set) var width = 0
        private(set) var height = 0
        private(set) var hasAlpha = false
        private(set) var isLossless = false
        private(set) var isAnimated = false
        /// The stored loop count; 0 is for ever.
        private(set) var loopCount = 0
        /// Complete frames of an animation.
        private(set) var frames: [Frame] = []
        /// Whether the chunk with a still image's pixels has begun.
        private(set) var hasImageData = false
        private(set) var iccProfile: [UInt8] = []
        private(set) var exif: [UInt8]?
        /// All chunks within the file's declared length have arrived.
        private(set) var isComplete = false
        /// The file's declared length in bytes; nil until the first twelve have arrived.
        private(set) var length: Int?

        private var offset = 0
        private var promisesProfile = false
        private var promisesEXIF = false
        private var metadataBytes = 0
        private let limits: DecodeLimits

        init(limits: DecodeLimits) { self.limits = limits }

        /// Everything the header needs has arrived: the size, the profile, and the orientation if the file announces one.
        var hasHeader: Bool {
            guard width > 0 else { return false }
            if isComplete { return true }
            // Profiles precede the pixels, EXIF follows them.
            return (hasImageData || !frames.isEmpty) && !(promisesEXIF && exif == nil)
        }

        mutating func parse(_ reader: inout RopeReader) throws(ImageError) {
            if length == nil {
                guard reader.count >= 12 else { return }
                let head = reader.bytes(from: 0, count: 12)
                guard WebPCoder.isSignature(head) else { throw Self.corrupt("The file does not begin like a WebP file.") }
                length = 8 + Self.number(head, 4, 4)
                offset = 12
            }
            while try step(&reader) {}
        }

        private mutating func step(_ reader: inout RopeReader) throws(ImageError) -> Bool {
            guard let length, !isComplete else { return false }
            guard offset + 8 <= length else {
                isComplete = reader.count >= length
                if isComplete { try checkWhole() }
                return false
            }
            guard reader.count >= offset + 8 else { return false }
            let head = reader.bytes(from: offset, count: 8)
            let size = Self.number(head, 4, 4)
            let end = offset + 8 + size + (size & 1)
            // The last chunk may lack its padding byte.
            guard offset + 8 + size <= length else { throw Self.corrupt("A chunk of the WebP file is longer than the file.") }
            let isThere = reader.count >= min(end, length)
            switch String(decoding: head[0..<4], as: UTF8.self) {
            case "VP8X": guard try readExtended(&reader, size) else { return false }
            case "VP8 ": guard try readLossy(&reader, size) else { return false }
            case "VP8L": guard try readLossless(&reader, size) else { return false }
            case "ANIM":
                guard isThere else { return false }
                if size >= 6 { loopCount = Self.number(reader.bytes(from: offset + 12, count: 2), 0, 2) }
            case "ANMF":
                guard isThere else { return false }
                guard size >= 24 else { throw Self.corrupt("A frame of the WebP animation is too short.") }
                try limits.check(frames: frames.count + 1)
                let duration = Self.number(reader.bytes(from: offset + 20, count: 3), 0, 3)
                if isAnimated { frames.append(Frame(duration: duration, end: min(end, length))) }
            case "ICCP", "EXIF", "XMP ":
                // Counted when the chunk is complete, because this check runs again for each piece that arrives.
                try limits.check(metadataBytes: metadataBytes + size)
                guard isThere else { return false }
                metadataBytes += size
                if head[0] == UInt8(ascii: "I") { iccProfile = reader.bytes(from: offset + 8, count: size) }
                if head[0] == UInt8(ascii: "E"), exif == nil {
                    exif = EXIF.strippingPrefix(reader.bytes(from: offset + 8, count: size))
                }
            case "ALPH": if !isAnimated { hasAlpha = true }
            default: break
            }
            guard isThere else { return false }
            offset = end
            return true
        }

        private mutating func readExtended(_ reader: inout RopeReader, _ size: Int) throws(ImageError) -> Bool {
            guard size >= 10 else { throw Self.corrupt("The header of the WebP file is too short.") }
            guard reader.count >= offset + 18 else { return false }
            let bytes = reader.bytes(from: offset + 8, count: 10)
            guard width == 0 else { return true }
            promisesProfile = bytes[0] & 0x20 != 0
            hasAlpha = bytes[0] & 0x10 != 0
            promisesEXIF = bytes[0] & 0x08 != 0
            isAnimated = bytes[0] & 0x02 != 0
            width = 1 + Self.number(bytes, 4, 3)
            height = 1 + Self.number(bytes, 7, 3)
            // RFC 9649, section 2.7.1: the product must not exceed 2³² − 1.
            guard PixelSize(width: width, height: height) != nil, width * height <= UInt32.max else {
                throw Self.corrupt("The WebP file's canvas of \(width)×\(height) pixels is larger than the format allows.")
            }
            return true
        }

        private mutating func readLossy(_ reader: inout RopeReader, _ size: Int) throws(ImageError) -> Bool {
            guard reader.count >= offset + 18 else { return false }
            let bytes = reader.bytes(from: offset + 8, count: 10)
            guard size >= 10, bytes[3] == 0x9D, bytes[4] == 0x01, bytes[5] == 0x2A else {
                throw Self.corrupt("The lossy image in the WebP file does not begin like one.")
            }
            try found(Self.number(bytes, 6, 2) & 0x3FFF, Self.number(bytes, 8, 2) & 0x3FFF)
            return true
        }

        private mutating func readLossless(_ reader: inout RopeReader, _ size: Int) throws(ImageError) -> Bool {
            guard reader.count >= offset + 13 else { return false }
            let bytes = reader.bytes(from: offset + 8, count: 5)
            guard size >= 5, bytes[0] == 0x2F else {
                throw Self.corrupt("The lossless image in the WebP file does not begin like one.")
            }
            let bits = Self.number(bytes, 1, 4)
            // A still image's own bit overrides the flag of an extended header, as in libwebp.
            if !isAnimated { hasAlpha = bits >> 28 & 1 == 1 }
            isLossless = true
            try found(1 + bits & 0x3FFF, 1 + bits >> 14 & 0x3FFF)
            return true
        }

        private mutating func found(_ imageWidth: Int, _ imageHeight: Int) throws(ImageError) {
            hasImageData = true
            if width == 0 {
                width = imageWidth
                height = imageHeight
            }
            guard isAnimated || (width == imageWidth && height == imageHeight) else {
                throw Self.corrupt("The WebP header says \(width)×\(height), its image \(imageWidth)×\(imageHeight).")
            }
            guard width > 0, height > 0 else { throw Self.corrupt("The WebP image has no pixels.") }
        }

        private func checkWhole() throws(ImageError) {
            guard isAnimated ? !frames.isEmpty : hasImageData else { throw Self.corrupt("The WebP file has no image in it.") }
        }

        private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[start + $1]) << ($1 * 8) }
        }

        static func corrupt(_ message: String) -> ImageError { ImageError(.corrupt, stage: .decode, message) }
    }
#endif
