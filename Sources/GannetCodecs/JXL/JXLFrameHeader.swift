#if JXL
    import CJXL

    /// The header of one frame of a JPEG XL codestream (ISO/IEC 18181-1, annex F), as far as it gives the size of the frame, the
    /// number of its sections, and where they begin.
    struct JXLFrameHeader {
        private enum Kind: Int { case regular, lowFrequency, referenceOnly, skipProgressive }

        private(set) var width: Int
        private(set) var height: Int
        private(set) var isLast = true
        private var kind = Kind.regular
        private var isModular = false
        private var isYCbCr = false
        /// For each of Y, Cb and Cr.
        private var subsampling = [0, 0, 0]
        private var upsampling = 1
        private var groupShift = 1
        private var passes = 1
        private var duration = 0
        private var flags: UInt64 = 0
        private var hasOwnSize = false
        private var replaces = true
        private let isXYB: Bool

        /// Nil if the header is incomplete or impossible. Leaves the reader after it.
        init?(_ bits: inout JXLBits, _ info: JxlBasicInfo, isPreview: Bool) {
            (width, height) =
                isPreview ? (Int(info.preview.xsize), Int(info.preview.ysize)) : (Int(info.xsize), Int(info.ysize))
            isXYB = info.uses_original_profile == 0
            guard let isDefault = bits.read(1), isDefault == 1 || read(&bits, info) else { return nil }
        }

        /// True unless the frame is a base, a source of patches or a coarse version of another one.
        var isShown: Bool {
            isLayer && (isLast || duration > 0)
        }

        /// Drawn on the frames before it.
        var isLayer: Bool { kind == .regular || kind == .skipProgressive }

        /// The number of sections of the data (annex E).
        var sections: Int {
            let across = max(subsampling.map { $0 == 1 || $0 == 2 ? 1 : 0 }.max() ?? 0, 0)
            let down = max(subsampling.map { $0 == 1 || $0 == 3 ? 1 : 0 }.max() ?? 0, 0)
            let side = 128 << groupShift
            func parts(_ length: Int, _ size: Int) -> Int { (length + size - 1) / size }
            let (coded, rows) = (parts(width, upsampling), parts(height, upsampling))
            let groups = parts(coded, side) * parts(rows, side)
            let coarse = parts(parts(coded, 8 << across) << across, side) * parts(parts(rows, 8 << down) << down, side)
            return groups == 1 && passes == 1 ? 1 : 2 + coarse + groups * passes
        }

        private mutating func read(_ bits: inout JXLBits, _ info: JxlBasicInfo) -> Bool {
            let extras = Int(info.num_extra_channels)
            guard let kind = bits.read(2).flatMap(Kind.init), let isModular = bits.read(1), let flags = bits.read64() else {
                return false
            }
            self.kind = kind
            self.isModular = isModular == 1
            self.flags = flags
            let usesCoarseFrame = flags & 32 != 0
            if !isXYB {
                guard let alternative = bits.read(1) else { return false }
                isYCbCr = alternative == 1
            }
            if isYCbCr, !usesCoarseFrame {
                for channel in 0..<3 {
                    guard let mode = bits.read(2) else { return false }
                    subsampling[channel] = mode
                }
            }
            if !usesCoarseFrame {
                guard let factor = bits.read(2), bits.skip(2 * extras) else { return false }
                upsampling = 1 << factor
            }
            if self.isModular {
                guard let shift = bits.read(2) else { return false }
                groupShift = shift
            } else if isXYB {
                guard bits.skip(6) else { return false }
            }
            if kind != .referenceOnly { guard readPasses(&bits) else { return false } }
            if kind == .lowFrequency {
                guard let level = bits.read(2) else { return false }
                let scale = 1 << (3 * (level + 1))
                (width, height) = ((width + scale - 1) / scale, (height + scale - 1) / scale)
            }
            guard let isPartial = readSize(&bits), let replaces = readBlending(&bits, info, isPartial: isPartial) else {
                return false
            }
            self.replaces = replaces
            return readRest(&bits, isPartial: isPartial, replaces: replaces)
        }

        /// Nil: the frame has parts that ``JXLLowFrequencyFrame`` does not draw.
        var lowFrequency: JXLLowFrequencyFrame.Shape? {
            let smoothsNot: UInt64 = 128
            guard kind == .regular, !isModular, upsampling == 1, !hasOwnSize, replaces, flags & ~smoothsNot == 0, isXYB || isYCbCr
            else { return nil }
            var shape = JXLLowFrequencyFrame.Shape(
                width: width, height: height, isXYB: isXYB, smooths: flags & smoothsNot == 0, sections: sections)
            // A plane has what the others lack of the largest.
            let (across, down) = (subsampling.map { $0 == 1 || $0 == 2 }, subsampling.map { $0 == 1 || $0 == 3 })
            if across.contains(true) { shape.across = across.map { $0 ? 0 : 1 } }
            if down.contains(true) { shape.down = down.map { $0 ? 0 : 1 } }
            return shape.isHalved && shape.smooths ? nil : shape
        }

        private mutating func readPasses(_ bits: inout JXLBits) -> Bool {
            guard let count = bits.read32((0, 1), (0, 2), (0, 3), (3, 4)) else { return false }
            passes = count
            guard count > 1 else { return true }
            guard let steps = bits.read32((0, 0), (0, 1), (0, 2), (1, 3)), bits.skip(2 * (count - 1) + 2 * steps) else {
                return false
            }
            for _ in 0..<steps { guard bits.read32((0, 0), (0, 1), (0, 2), (3, 0)) != nil else { return false } }
            return true
        }

        /// Whether the frame leaves a part of the image unchanged.
        private mutating func readSize(_ bits: inout JXLBits) -> Bool? {
            guard kind != .lowFrequency else { return false }
            guard let isOwn = bits.read(1) else { return nil }
            guard isOwn == 1 else { return false }
            hasOwnSize = true
            func number() -> Int? { bits.read32((8, 0), (11, 256), (14, 2304), (30, 18_688)) }
            let whole = (width, height)
            var (left, top) = (0, 0)
            if kind != .referenceOnly {
                guard let x = number(), let y = number() else { return nil }
                // The lowest bit is the sign.
                (left, top) = (x & 1 == 0 ? x / 2 : -(x + 1) / 2, y & 1 == 0 ? y / 2 : -(y + 1) / 2)
            }
            guard let across = number(), let down = number() else { return nil }
            // 0 means the size of the image.
            if across > 0 { width = across }
            if down > 0 { height = down }
            return kind != .referenceOnly && (left > 0 || top > 0 || across + left < whole.0 || down + top < whole.1)
        }

        /// Whether the colours replace the previous content.
        private mutating func readBlending(_ bits: inout JXLBits, _ info: JxlBasicInfo, isPartial: Bool) -> Bool? {
            guard isLayer else {
                isLast = false
                return true
            }
            var replaces = true
            for channel in 0...Int(info.num_extra_channels) {
                guard let mode = bits.read32((0, 0), (0, 1), (0, 2), (2, 3)) else { return nil }
                let usesAlpha = info.num_extra_channels > 0 && (mode == 2 || mode == 3)
                if usesAlpha { guard bits.read32((0, 0), (0, 1), (0, 2), (3, 3)) != nil else { return nil } }
                if usesAlpha || mode == 4 { guard bits.skip(1) else { return nil } }
                if mode != 0 || isPartial { guard bits.skip(2) else { return nil } }
                if channel == 0 { replaces = mode == 0 }
            }
            if info.have_animation != 0 {
                guard let duration = bits.read32((0, 0), (0, 1), (8, 0), (32, 0)) else { return nil }
                self.duration = duration
                if info.animation.have_timecodes != 0 { guard bits.skip(32) else { return nil } }
            }
            guard let last = bits.read(1) else { return nil }
            isLast = last == 1
            return replaces
        }

        private func readRest(_ bits: inout JXLBits, isPartial: Bool, replaces: Bool) -> Bool {
            var place = 0
            if kind != .lowFrequency, !isLast {
                guard let value = bits.read(2) else { return false }
                place = value
            }
            let isKept = !isLast && kind != .lowFrequency && (duration == 0 || place != 0)
            if kind == .referenceOnly || kind != .lowFrequency && isKept && replaces && !isPartial {
                guard bits.skip(1) else { return false }
            }
            guard let name = bits.read32((0, 0), (4, 0), (5, 16), (10, 48)), bits.skip(8 * name) else { return false }
            return readFilter(&bits) && bits.skipExtensions()
        }

        /// Reads the settings of the filter that smooths the image after decoding (annex J).
        private func readFilter(_ bits: inout JXLBits) -> Bool {
            guard let isDefault = bits.read(1) else { return false }
            guard isDefault == 0 else { return true }
            /// A flag, followed by so many 16-bit numbers if it is set.
            func optional(_ numbers: Int) -> Bool {
                guard let isOwn = bits.read(1) else { return false }
                return isOwn == 0 || bits.skip(16 * numbers)
            }
            guard let blurs = bits.read(1) else { return false }
            if blurs == 1 { guard optional(6) else { return false } }
            guard let rounds = bits.read(2) else { return false }
            if rounds > 0 {
                if !isModular { guard optional(8) else { return false } }
                guard optional(5), optional(isModular ? 3 : 4) else { return false }
                if isModular { guard bits.skip(16) else { return false } }
            }
            return bits.skipExtensions()
        }
    }
#endif
