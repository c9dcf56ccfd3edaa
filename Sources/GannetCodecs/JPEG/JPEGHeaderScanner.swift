#if JPEG
    import GannetCore

    /// Reads a JPEG's segments up to the first scan, in Swift and without decoding pixels (ITU-T T.81, Annex B).
    ///
    /// It walks a growing rope and remembers its position, so that each byte is read once. As tolerant as libjpeg: stray bytes
    /// between segments are skipped.
    struct JPEGHeaderScanner {
        /// The first frame segment.
        struct Frame: Hashable {
            var size: PixelSize
            var components: Int
            var isProgressive: Bool
            var isArithmetic: Bool
        }

        private(set) var frame: Frame?
        /// The transform byte of Adobe's APP14, if there is one.
        private(set) var adobeTransform: Int?
        /// The first EXIF block in the file, from the TIFF header on.
        private(set) var exif: [UInt8]?
        /// True once the first scan begins: the header is complete.
        private(set) var isFinished = false

        private let limits: DecodeLimits
        private var position = 0
        private var metadataBytes = 0
        private var profile = JPEGProfileChunks()
        /// The last copied block of the rope; ``blockStart`` is its offset.
        private var block: [UInt8] = []
        private var blockStart = 0
        private var blocks = 0
        private static let blockBytes = 4096

        init(_ limits: DecodeLimits) { self.limits = limits }

        var iccProfile: [UInt8] { profile.assembled ?? [] }

        /// Continues reading. False: more bytes are needed. Throws `corrupt`, `unsupported`, `limitExceeded` and `cancelled`.
        mutating func advance(_ rope: ByteRope) throws(ImageError) -> Bool {
            let watch = DecodeWatch(limits)
            if position == 0 {
                guard rope.count >= 2 else { return false }
                guard rope.prefix(2) == [0xFF, 0xD8] else { throw Self.corrupt("it does not begin with a start marker") }
                position = 2
            }
            while !isFinished {
                guard let marker = try nextMarker(rope, watch) else { return false }
                guard try handle(marker, rope, watch) else { return false }
            }
            return true
        }

        /// The next marker's code and offset. Skips other bytes; `position` moves only over bytes that cannot be part of a
        /// marker.
        private mutating func nextMarker(
            _ rope: ByteRope, _ watch: DecodeWatch
        ) throws(ImageError) -> (code: UInt8, end: Int)? {
            while true {
                guard try loads(position, rope, watch) else { return nil }
                guard let start = block[(position - blockStart)...].firstIndex(of: 0xFF) else {
                    position = blockStart + block.count
                    continue
                }
                guard let end = block[start...].firstIndex(where: { $0 != 0xFF }) else {
                    // A run of 0xFF up to the end of the block: continue from its last byte.
                    position = blockStart + block.count - 1
                    if position + 1 >= rope.count { return nil }
                    block = []
                    continue
                }
                if block[end] != 0 {
                    position = blockStart + start
                    return (block[end], blockStart + end + 1)
                }
                position = blockStart + end + 1
            }
        }

        /// Loads the byte at `offset` into ``block``. False: it has not arrived.
        private mutating func loads(_ offset: Int, _ rope: ByteRope, _ watch: DecodeWatch) throws(ImageError) -> Bool {
            if offset >= blockStart, offset < blockStart + block.count { return true }
            blocks += 1
            if blocks % 16 == 0 { try watch.check() }
            blockStart = offset
            block = rope.prefix(Self.blockBytes, from: offset)
            return !block.isEmpty
        }

        /// Handles a segment. False: it is incomplete.
        private mutating func handle(
            _ marker: (code: UInt8, end: Int), _ rope: ByteRope, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            switch marker.code {
            case 0x01, 0xD0...0xD7:
                position = marker.end
                return true
            case 0xD8: throw Self.corrupt("it has a second start marker")
            case 0xD9: throw Self.corrupt("it ends without an image")
            case 0xDA:
                guard frame != nil else { throw Self.corrupt("a scan comes before the frame") }
                isFinished = true
                return true
            default: break
            }
            var length = 0
            for offset in marker.end...marker.end + 1 {
                guard try loads(offset, rope, watch) else { return false }
                length = length << 8 | Int(block[offset - blockStart])
            }
            guard length >= 2 else { throw Self.corrupt("a segment is shorter than its own length field") }
            let end = marker.end + length
            let isMetadata = marker.code & 0xF0 == 0xE0 || marker.code == 0xFE
            if isMetadata { try limits.check(metadataBytes: metadataBytes + length) }
            if Self.isOfInterest(marker.code) {
                guard rope.count >= end else { return false }
                try read(marker.code, rope.prefix(length - 2, from: marker.end + 2))
            }
            if isMetadata { metadataBytes += length }
            position = end
            return true
        }

        private static func isOfInterest(_ code: UInt8) -> Bool {
            switch code {
            case 0xE1, 0xE2, 0xEE: true
            case 0xC4, 0xC8, 0xCC: false
            // JPEG-LS (ITU-T T.87) uses another frame marker.
            case 0xC0...0xCF, 0xF7: true
            default: false
            }
        }

        private mutating func read(_ code: UInt8, _ payload: [UInt8]) throws(ImageError) {
            switch code {
            case 0xE1:
                if exif == nil, payload.starts(with: EXIF.prefix.prefix(5)), payload.count > EXIF.prefix.count {
                    exif = Array(payload.dropFirst(EXIF.prefix.count))
                }
            case 0xE2: profile.add(payload)
            case 0xEE:
                if payload.count >= 12, payload.starts(with: Array("Adobe".utf8)) { adobeTransform = Int(payload[11]) }
            default: try readFrame(code, payload)
            }
        }

        private mutating func readFrame(_ code: UInt8, _ payload: [UInt8]) throws(ImageError) {
            guard frame == nil else { throw Self.corrupt("it has two frames") }
            guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(code) else {
                throw Self.unsupported("lossless JPEG (JPEG-LS too) and hierarchical JPEG are not decoded")
            }
            guard payload.count >= 6, payload.count == 6 + 3 * Int(payload[5]) else {
                throw Self.corrupt("the frame segment has a wrong length")
            }
            guard payload[0] == 8 else {
                throw Self.unsupported("it has \(payload[0]) bits a channel, and libjpeg-turbo here decodes 8")
            }
            let height = Int(payload[1]) << 8 | Int(payload[2])
            let width = Int(payload[3]) << 8 | Int(payload[4])
            guard height > 0 else { throw Self.unsupported("its height stands after the image (DNL)") }
            guard let size = PixelSize(width: width, height: height), payload[5] > 0 else {
                throw Self.corrupt("the image is empty")
            }
            guard [1, 3, 4].contains(payload[5]) else { throw Self.unsupported("it has \(payload[5]) channels") }
            frame = Frame(
                size: size, components: Int(payload[5]), isProgressive: code == 0xC2 || code == 0xCA, isArithmetic: code >= 0xC9)
        }

        static func corrupt(_ what: String) -> ImageError {
            ImageError(.corrupt, stage: .decode, "The JPEG is damaged: \(what). Fetch or save it again.")
        }

        static func unsupported(_ what: String) -> ImageError {
            ImageError(
                .unsupported, stage: .decode, "This JPEG cannot be decoded: \(what). Save it as a baseline or progressive JPEG.")
        }
    }
#endif
