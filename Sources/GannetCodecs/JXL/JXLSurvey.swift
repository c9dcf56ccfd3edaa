#if JXL
    import GannetCore

    /// Whether a JPEG XL file is one frame of the picture's own size and nothing else: what libjxl needs for it follows from that size.
    ///
    /// Read are the headers of the image and of the first frame (ISO/IEC 18181-1, annexes D to F), bit by bit. Whatever is rare is answered
    /// with no: a profile inside the codestream, previews, animations, layers, patches, splines, upsampling by own weights.
    struct JXLSurvey {
        private let bytes: ArraySlice<UInt8>
        private var position = 0
        /// More bits were asked for than there are.
        private var isOver = false

        private init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

        /// - Parameter file: a codestream or a container, from its start; the first kilobyte is enough for most.
        static func isPlain(_ file: [UInt8]) -> Bool {
            guard let stream = codestream(file), stream.starts(with: [0xFF, 0x0A]) else { return false }
            var survey = JXLSurvey(stream.dropFirst(2))
            guard let image = survey.image(), survey.frameIsPlain(image) else { return false }
            return !survey.isOver
        }

        /// In a container as far as its first part goes.
        private static func codestream(_ file: [UInt8]) -> ArraySlice<UInt8>? {
            guard file.first == 0 else { return file[...] }
            let boxes = ISOBoxes(bytes: file)
            guard let box = boxes.topLevel.first(where: { $0.type == "jxlc" || $0.type == "jxlp" }) else { return nil }
            return file[box.content.dropFirst(box.type == "jxlp" ? 4 : 0)]
        }

        // MARK: - Headers

        private struct Image {
            var isXYB = true
            var extraChannels = 0
        }

        private mutating func image() -> Image? {
            size()
            var image = Image()
            if !flag() {
                let hasExtraFields = flag()
                if hasExtraFields {
                    skip(3)  // Orientation.
                    if flag() { size() }
                    if flag() { return nil }  // A preview.
                    if flag() { return nil }  // An animation.
                }
                depth()
                skip(1)  // Whether 16 bits are enough.
                image.extraChannels = choice(.value(0), .value(1), .bits(4, 2), .bits(12, 1))
                guard image.extraChannels <= 64 else { return nil }
                for _ in 0..<image.extraChannels { extraChannel() }
                image.isXYB = flag()
                guard color(image.isXYB) else { return nil }
                if hasExtraFields, !flag() { skip(16 + 16 + 1 + 16) }  // Tone mapping.
                guard bits(2) == 0 else { return nil }  // Extensions.
            }
            guard flag() else { return nil }  // Own transforms.
            return image
        }

        private mutating func frameIsPlain(_ image: Image) -> Bool {
            position = (position + 7) / 8 * 8
            if flag() { return true }
            guard bits(2) == 0 else { return false }  // Shown, not referred to alone.
            let isModular = flag()
            // Noise, and no smoothing of the coarse picture, are as they are; patches, splines and a coarse picture of its own are not.
            guard wide() & ~0x81 == 0 else { return false }
            let isYCbCr = !image.isXYB && flag()
            if isYCbCr { skip(6) }
            for _ in 0...image.extraChannels { skip(2) }  // Upsampling.
            if isModular { skip(2) } else if image.isXYB { skip(6) }
            passes()
            guard !flag() else { return false }  // A size of its own.
            for _ in 0...image.extraChannels { guard bits(2) == 0 else { return false } }  // Replaces what is there.
            return flag()  // The last.
        }

        private mutating func size() {
            let isSmall = flag()
            func side(_ survey: inout JXLSurvey) {
                if isSmall { survey.skip(5) } else { _ = survey.choice(.bits(9, 1), .bits(13, 1), .bits(18, 1), .bits(30, 1)) }
            }
            side(&self)
            if bits(3) == 0 { side(&self) }
        }

        private mutating func depth() {
            if flag() {
                _ = choice(.value(32), .value(16), .value(24), .bits(6, 1))
                skip(4)
            } else {
                _ = choice(.value(8), .value(10), .value(12), .bits(6, 1))
            }
        }

        private mutating func extraChannel() {
            if flag() { return }
            let kind = enumeration()
            depth()
            _ = choice(.value(0), .value(3), .value(4), .bits(3, 1))
            skip(8 * choice(.value(0), .bits(4, 0), .bits(5, 16), .bits(10, 48)))
            switch kind {
            case 0: skip(1)
            case 2: skip(64)
            case 5: _ = choice(.value(1), .bits(2, 0), .bits(4, 3), .bits(8, 19))
            default: break
            }
        }

        /// False: a profile follows the headers.
        private mutating func color(_ isXYB: Bool) -> Bool {
            if flag() { return true }
            if flag() { return false }
            let space = enumeration()
            if !isXYB {
                if enumeration() == 2 { point() }
                if space != 1, enumeration() == 2 { for _ in 0..<3 { point() } }
                transfer()
            } else if space != 2 {
                transfer()
            }
            _ = enumeration()
            return true
        }

        private mutating func transfer() { if flag() { skip(24) } else { _ = enumeration() } }

        private mutating func point() {
            for _ in 0..<2 { _ = choice(.bits(19, 0), .bits(19, 524_288), .bits(20, 1_048_576), .bits(21, 2_097_152)) }
        }

        private mutating func passes() {
            let count = choice(.value(1), .value(2), .value(3), .bits(3, 4))
            guard count > 1 else { return }
            let smaller = choice(.value(0), .value(1), .value(2), .bits(1, 3))
            skip(2 * (count - 1) + 2 * smaller)
            for _ in 0..<smaller { _ = choice(.value(0), .value(1), .value(2), .bits(3, 0)) }
        }

        // MARK: - Bits

        private enum Distribution {
            case value(Int)
            /// So many bits, and a number that is added.
            case bits(Int, Int)
        }

        private mutating func choice(_ a: Distribution, _ b: Distribution, _ c: Distribution, _ d: Distribution) -> Int {
            switch [a, b, c, d][bits(2)] {
            case .value(let value): value
            case .bits(let count, let offset): bits(count) + offset
            }
        }

        private mutating func enumeration() -> Int { choice(.value(0), .value(1), .bits(4, 2), .bits(6, 18)) }

        /// A number of up to 64 bits; above 271 one that says only that.
        private mutating func wide() -> Int {
            switch bits(2) {
            case 0: 0
            case 1: 1 + bits(4)
            case 2: 17 + bits(8)
            default: .max
            }
        }

        private mutating func flag() -> Bool { bits(1) != 0 }

        private mutating func skip(_ count: Int) { position += count }

        /// The lowest bit of each byte comes first.
        private mutating func bits(_ count: Int) -> Int {
            var value = 0
            for index in 0..<count {
                let byte = bytes.startIndex + position >> 3
                guard byte < bytes.endIndex else {
                    isOver = true
                    return 0
                }
                value |= Int(bytes[byte] >> UInt8(position & 7) & 1) << index
                position += 1
            }
            return value
        }
    }
#endif
