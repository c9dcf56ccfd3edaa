#if GIF
    import GannetCore

    /// Reads the blocks of a GIF file from a growing rope, each byte once.
    struct GIFParser {
        private enum State {
            case signature
            case globalPalette
            case block
            case extensionBlocks(label: UInt8, index: Int, isLoopBlock: Bool)
            case imageData
            case finished
        }

        private(set) var file = GIFFile()
        private var state = State.signature
        private var offset = 0
        /// The settings of the next image, from a graphic control extension.
        private var pending: GIFFile.Frame?
        private var globalPaletteCount = 0
        private var metadataBytes = 0
        private let limits: DecodeLimits

        init(limits: DecodeLimits) { self.limits = limits }

        /// Continues as far as the bytes allow. Throws `corrupt` or `limitExceeded`.
        mutating func parse(_ reader: inout RopeReader) throws(ImageError) {
            while try step(&reader) {}
        }

        /// All bytes are there. A file that ends behind an image or an extension is whole: only its trailer is missing.
        mutating func endOfFile(_ reader: inout RopeReader) {
            if case .block = state, pending == nil, !file.frames.isEmpty, offset >= reader.count { finish() }
        }

        /// The bytes end behind a piece of an image's data, which may have been its last one.
        func endsBehindData(_ byteCount: Int) -> Bool {
            if case .imageData = state { offset >= byteCount } else { false }
        }

        /// The last image has all its data: only its end and the trailer are missing.
        mutating func endImage() {
            file.frames[file.frames.count - 1].dataEnd = offset
            finish()
        }

        /// Reads one block, one sub-block of an extension, or all data of an image; false if it is incomplete.
        private mutating func step(_ reader: inout RopeReader) throws(ImageError) -> Bool {
            switch state {
            case .signature: return try readSignature(&reader)
            case .globalPalette:
                guard reader.count >= offset + globalPaletteCount * 3 else { return false }
                file.globalPalette = globalPaletteCount > 0 ? (offset, globalPaletteCount) : nil
                offset += globalPaletteCount * 3
                state = .block
                return true
            case .block: return try readBlock(&reader)
            case .extensionBlocks(let label, let index, let isLoopBlock):
                return try readExtension(&reader, label: label, index: index, isLoopBlock: isLoopBlock)
            case .imageData:
                guard reader.passSubBlocks(from: &offset) else { return false }
                file.frames[file.frames.count - 1].dataEnd = offset
                state = .block
                return true
            case .finished: return false
            }
        }

        private mutating func readSignature(_ reader: inout RopeReader) throws(ImageError) -> Bool {
            guard reader.count >= offset + 13 else { return false }
            let head = reader.bytes(from: offset, count: 13)
            guard GIFCoder.isSignature(head) else {
                throw ImageError(.corrupt, stage: .decode, "The file does not begin with GIF87a or GIF89a.")
            }
            if file.frames.isEmpty {
                file.width = Int(head[6]) | Int(head[7]) << 8
                file.height = Int(head[8]) | Int(head[9]) << 8
                guard file.width > 0, file.height > 0 else {
                    throw ImageError(
                        .corrupt, stage: .decode, "The GIF canvas is \(file.width)×\(file.height); it has no pixels.")
                }
            }
            globalPaletteCount = head[10] & 0x80 != 0 ? 2 << Int(head[10] & 7) : 0
            offset += 13
            state = .globalPalette
            return true
        }

        private mutating func readBlock(_ reader: inout RopeReader) throws(ImageError) -> Bool {
            guard let introducer = reader.byte(at: offset) else { return false }
            switch introducer {
            case 0x00:
                // A stray closing sub-block; every decoder skips it.
                offset += 1
            case 0x21:
                guard let label = reader.byte(at: offset + 1) else { return false }
                offset += 2
                state = .extensionBlocks(label: label, index: 0, isLoopBlock: false)
            case 0x2C: return try readImageDescriptor(&reader)
            case 0x3B: finish()
            case UInt8(ascii: "G"):
                // Two concatenated files without a trailer between them: the second continues the first.
                guard reader.count >= offset + 6 else { return false }
                if GIFCoder.isSignature(reader.bytes(from: offset, count: 6)) { state = .signature } else { try end() }
            default: try end()
            }
            return true
        }

        /// Handles bytes that are no block: the end, as in browsers, if there is an image already.
        private mutating func end() throws(ImageError) {
            guard !file.frames.isEmpty else {
                throw ImageError(
                    .corrupt, stage: .decode, "There is something in the GIF file that is not a block, before any image.")
            }
            finish()
        }

        private mutating func finish() {
            file.isFinished = true
            state = .finished
        }

        private mutating func readImageDescriptor(_ reader: inout RopeReader) throws(ImageError) -> Bool {
            guard reader.count >= offset + 10 else { return false }
            let bytes = reader.bytes(from: offset, count: 10)
            let flags = bytes[9]
            let colours = flags & 0x80 != 0 ? 2 << Int(flags & 7) : 0
            guard let codeBits = reader.byte(at: offset + 10 + colours * 3) else { return false }
            try limits.check(frames: file.frames.count + 1)
            var frame = pending ?? GIFFile.Frame()
            pending = nil
            // Nothing precedes the first frame, so there is nothing to restore: clear it, as browsers do.
            if file.frames.isEmpty, frame.disposal == .previous { frame.disposal = .background }
            frame.x = Int(bytes[1]) | Int(bytes[2]) << 8
            frame.y = Int(bytes[3]) | Int(bytes[4]) << 8
            frame.width = Int(bytes[5]) | Int(bytes[6]) << 8
            frame.height = Int(bytes[7]) | Int(bytes[8]) << 8
            frame.isInterlaced = flags & 0x40 != 0
            frame.palette = colours > 0 ? (offset + 10, colours) : file.globalPalette
            frame.codeBits = Int(codeBits)
            frame.dataOffset = offset + 11 + colours * 3
            file.frames.append(frame)
            offset = frame.dataOffset
            state = .imageData
            return true
        }

        private mutating func readExtension(
            _ reader: inout RopeReader, label: UInt8, index: Int, isLoopBlock: Bool
        ) throws(ImageError) -> Bool {
            guard let length = reader.byte(at: offset) else { return false }
            let count = Int(length)
            guard reader.count >= offset + 1 + count else { return false }
            guard count > 0 else {
                offset += 1
                state = .block
                return true
            }
            var isLoopBlock = isLoopBlock
            switch (label, index) {
            case (0xF9, 0) where count >= 4: readGraphicControl(reader.bytes(from: offset + 1, count: 4))
            case (0xFF, 0):
                let name = reader.bytes(from: offset + 1, count: min(count, 11))
                isLoopBlock = name == Array("NETSCAPE2.0".utf8) || name == Array("ANIMEXTS1.0".utf8)
            case (0xFF, _) where isLoopBlock && count >= 3:
                let bytes = reader.bytes(from: offset + 1, count: 3)
                // Sub-block 1 is the loop count, 2 a buffer size. The first loop count wins.
                if bytes[0] & 7 == 1, file.loopCount == nil { file.loopCount = Self.plays(Int(bytes[1]) | Int(bytes[2]) << 8) }
            default: break
            }
            metadataBytes += count + 1
            try limits.check(metadataBytes: metadataBytes)
            offset += 1 + count
            state = .extensionBlocks(label: label, index: index + 1, isLoopBlock: isLoopBlock)
            return true
        }

        /// The block counts how often the animation is repeated after it has played once; 0 is for ever.
        private static func plays(_ repetitions: Int) -> Int { repetitions == 0 ? 0 : repetitions + 1 }

        private mutating func readGraphicControl(_ bytes: [UInt8]) {
            var frame = GIFFile.Frame()
            frame.disposal =
                switch bytes[0] >> 2 & 7 {
                case 2: .background
                // Some old writers use 4 for 3.
                case 3, 4: .previous
                default: .keep
                }
            frame.delay = Int(bytes[1]) | Int(bytes[2]) << 8
            frame.transparentIndex = bytes[0] & 1 != 0 ? bytes[3] : nil
            pending = frame
        }
    }
#endif
