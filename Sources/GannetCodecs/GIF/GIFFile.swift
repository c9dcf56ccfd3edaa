#if GIF
    import GannetCore

    /// The blocks of a GIF file (GIF89a specification) that have arrived. Pixel data is only located, never decoded.
    struct GIFFile {
        /// The treatment of a frame's rectangle before the next frame is drawn.
        enum Disposal: UInt8 {
            case keep
            case background
            case previous
        }

        struct Frame {
            var x = 0
            var y = 0
            var width = 0
            var height = 0
            var isInterlaced = false
            /// Offset and number of colours of the palette; nil: no palette, and indices are grey levels.
            var palette: (offset: Int, count: Int)?
            var transparentIndex: UInt8?
            var disposal = Disposal.keep
            /// Hundredths of a second.
            var delay = 0
            var codeBits = 0
            /// Offset of the first sub-block's length byte.
            var dataOffset = 0
            /// Offset after the closing empty sub-block; nil until it has arrived.
            var dataEnd: Int?

            func covers(width canvasWidth: Int, height canvasHeight: Int) -> Bool {
                x == 0 && y == 0 && width >= canvasWidth && height >= canvasHeight
            }
        }

        var width = 0
        var height = 0
        var globalPalette: (offset: Int, count: Int)?
        /// All complete frames, and perhaps one that is still arriving.
        var frames: [Frame] = []
        /// How often the animation plays, by the first NETSCAPE2.0 or ANIMEXTS1.0 block; 0 is for ever; nil without one.
        var loopCount: Int?
        /// The trailer, bytes that are no block, or the end of the file behind a block were reached: the rest is ignored.
        var isFinished = false

        var completeFrameCount: Int {
            guard let last = frames.last else { return 0 }
            return last.dataEnd == nil ? frames.count - 1 : frames.count
        }

        /// Whether a frame can leave pixels clear. Those outside of frame 0 are, whatever the background colour, as in browsers.
        var mayHaveAlpha: Bool {
            guard let first = frames.first else { return false }
            if !first.covers(width: width, height: height) { return true }
            if frames.contains(where: { $0.transparentIndex != nil }) { return true }
            return frames.dropLast().contains { $0.disposal == .background }
        }

        /// Whether frame `index` is independent of earlier frames.
        func isKey(_ index: Int) -> Bool {
            guard index > 0 else { return true }
            let frame = frames[index]
            if frame.transparentIndex == nil, frame.disposal != .previous, frame.covers(width: width, height: height) {
                return true
            }
            let before = frames[index - 1]
            return before.disposal == .background && before.covers(width: width, height: height)
        }
    }
#endif
