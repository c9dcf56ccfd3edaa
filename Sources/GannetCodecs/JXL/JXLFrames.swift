#if JXL
    import CJXL
    import GannetCore

    /// The frames of a JPEG XL codestream, including hidden ones, which may have any size: libjxl 0.7 does not report them, and
    /// uses gigabytes for 12,000 × 12,000 pixels that fit into 6 KB of an 8 × 8 image. Only the headers and the tables of lengths
    /// (ISO/IEC 18181-1, annexes C and F) are read, from one frame to the next.
    struct JXLFrames {
        /// Pixels that a frame may always have, however small the image is.
        static let harmless = 1 << 20

        private var bits: JXLBits
        private let info: JxlBasicInfo
        private let limits: DecodeLimits
        private let image: (width: Int, height: Int)
        private(set) var count = 0
        /// Pixels drawn for frames that are not shown separately; a layer is drawn on the whole image.
        private(set) var hiddenWork = 0
        /// Pixels that the library may keep at once for later frames: those of the four largest hidden frames.
        private(set) var keptPixels = 0
        private var largestHidden: [Int] = []
        /// Where the last frame ends; nil until its header and all earlier ones have arrived.
        private(set) var end: Int?
        /// The headers of all frames have been read. Also false if a frame other than the last has a permuted table of contents:
        /// the permutation is entropy-coded, and the lengths that lead to the next frame come after it.
        private(set) var isKnown = false
        private(set) var hasOwnOrder = false
        /// The frame of an image that has no other, and the bit at which its table of sections begins.
        private(set) var only: (frame: JXLFrameHeader, table: Int)?
        var codestream: [UInt8] { bits.bytes }

        /// Throws `limitExceeded` if a frame is much larger than the image, or if too much is hidden. Headers that are missing so
        /// far, or damaged, are left to the library.
        @discardableResult static func check(_ file: [UInt8], _ limits: DecodeLimits) throws(ImageError) -> JXLFrames? {
            let bytes = JXLBoxes.codestream(file)
            let handle = try JXLHandle(.info, threads: 1)
            var info: JxlBasicInfo?
            let start = try bytes.withUnsafeBufferPointer { (all) throws(ImageError) -> Int? in
                while true {
                    switch try handle.advance(all) {
                    case .info: info = try handle.info
                    case .colors: return handle.offset
                    case .frame, .needsBuffer, .image: break
                    case .needsMoreData, .finished: return nil
                    }
                }
            }
            // Impossible sizes are refused with the header.
            guard let info, let start, PixelSize(width: Int(info.xsize), height: Int(info.ysize)) != nil else { return nil }
            var frames = JXLFrames(bits: JXLBits(bytes, at: start), info: info, limits: limits)
            try frames.walk()
            return frames
        }

        private init(bits: JXLBits, info: JxlBasicInfo, limits: DecodeLimits) {
            self.bits = bits
            self.info = info
            self.limits = limits
            image = (Int(info.xsize), Int(info.ysize))
        }

        private mutating func walk() throws(ImageError) {
            var isPreview = info.have_preview != 0
            while let frame = JXLFrameHeader(&bits, info, isPreview: isPreview) {
                try check(frame, isPreview: isPreview)
                let isLast = frame.isLast && !isPreview
                isKnown = isLast
                only = isLast && count == 1 ? (frame, bits.bit) : nil
                guard skip(frame, isLast: isLast) else { return }
                guard !isLast else {
                    end = bits.byte
                    return
                }
                isPreview = false
            }
        }

        private mutating func check(_ frame: JXLFrameHeader, isPreview: Bool) throws(ImageError) {
            count += 1
            try limits.check(frames: count)
            let area = frame.width * frame.height
            guard area <= max(4 * image.width * image.height, Self.harmless) else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The JPEG XL file has a part of \(frame.width)×\(frame.height) pixels in an image of \(image.width)×\(image.height); no program needs that. Save it again."
                )
            }
            guard !frame.isShown || isPreview, let size = PixelSize(width: image.width, height: image.height) else { return }
            largestHidden = Array((largestHidden + [area]).sorted(by: >).prefix(4))
            keptPixels = largestHidden.reduce(0, +)
            hiddenWork += frame.isLayer ? max(area, size.area) : area
            try limits.check(
                animationOf: size, frames: (hiddenWork + size.area - 1) / size.area, encodedBytes: bits.bytes.count)
        }

        /// Moves to the end of the frame's data. False if it has not arrived.
        private mutating func skip(_ frame: JXLFrameHeader, isLast: Bool) -> Bool {
            guard let isPermuted = bits.read(1) else { return false }
            if isPermuted == 1 {
                hasOwnOrder = !isLast
                return false
            }
            bits.align()
            var length = 0
            for _ in 0..<frame.sections {
                guard let section = bits.read32((10, 0), (14, 1024), (22, 17_408), (30, 4_211_712)) else { return false }
                length += section
            }
            bits.align()
            return bits.skip(bytes: length)
        }
    }

    /// Reads numbers from the lowest bit of each byte on (annex B).
    struct JXLBits {
        let bytes: [UInt8]
        private var position: Int

        init(_ bytes: [UInt8], at byte: Int) {
            self.bytes = bytes
            position = byte * 8
        }

        var byte: Int { position / 8 }
        var bit: Int { position }

        mutating func align() { position = (position + 7) & ~7 }

        mutating func skip(bytes count: Int) -> Bool {
            guard count <= bytes.count - byte else { return false }
            position += count * 8
            return true
        }

        /// At most 32; nil beyond the end.
        mutating func read(_ count: Int) -> Int? {
            guard position + count <= bytes.count * 8 else { return nil }
            var value = 0
            var taken = 0
            while taken < count {
                let now = min(8 - position & 7, count - taken)
                value |= (Int(bytes[position >> 3]) >> (position & 7) & (1 << now - 1)) << taken
                position += now
                taken += now
            }
            return value
        }

        mutating func skip(_ count: Int) -> Bool {
            position += count
            return position <= bytes.count * 8
        }

        /// Reads a number in one of four encodings: a number of bits, and an offset to add.
        mutating func read32(_ ways: (bits: Int, more: Int)...) -> Int? {
            guard let way = read(2), let value = read(ways[way].bits) else { return nil }
            return value + ways[way].more
        }

        mutating func read64() -> UInt64? {
            switch read(2) {
            case 0: return 0
            case 1: return read(4).map { 1 + UInt64($0) }
            case 2: return read(8).map { 17 + UInt64($0) }
            case 3: break
            default: return nil
            }
            guard var value = read(12).map(UInt64.init) else { return nil }
            var shift: UInt64 = 12
            while let more = read(1) {
                if more == 0 { return value }
                guard let part = read(shift == 60 ? 4 : 8) else { return nil }
                value |= UInt64(part) << shift
                if shift == 60 { return value }
                shift += 8
            }
            return nil
        }

        /// Skips extensions that later versions of the format may have added: the length of each part in bits, then the parts.
        mutating func skipExtensions() -> Bool {
            guard let kinds = read64() else { return false }
            var total: UInt64 = 0
            for _ in 0..<kinds.nonzeroBitCount {
                guard let length = read64(), length <= UInt64(bytes.count) * 8 else { return false }
                total += length
            }
            return skip(Int(clamping: total))
        }
    }
#endif
