#if GIF
    import GannetCore

    /// The blocks of a GIF file (GIF89a specification), as far as they came. Pixel data is only located, never decoded.
    struct GIFFile {
        /// What becomes of a frame's rectangle before the next frame is drawn.
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
            /// Offset and number of colours of the palette; nil: the file gives none, and indices are grey levels.
            var palette: (offset: Int, count: Int)?
            var transparentIndex: UInt8?
            var disposal = Disposal.keep
            /// Hundredths of a second.
            var delay = 0
            var codeBits = 0
            /// Offset of the first sub-block's length byte.
            var dataOffset = 0
            /// Offset behind the closing empty sub-block; nil while it has not come.
            var dataEnd: Int?

            func covers(width canvasWidth: Int, height canvasHeight: Int) -> Bool {
                x == 0 && y == 0 && width >= canvasWidth && height >= canvasHeight
            }
        }

        var width = 0
        var height = 0
        var globalPalette: (offset: Int, count: Int)?
        /// All complete frames, and then perhaps one that still comes.
        var frames: [Frame] = []
        /// Of the first NETSCAPE2.0 or ANIMEXTS1.0 block, as stored; nil without one.
        var loopCount: Int?
        /// The trailer came, or bytes that are no block: nothing behind matters.
        var isFinished = false

        var completeFrameCount: Int {
            guard let last = frames.last else { return 0 }
            return last.dataEnd == nil ? frames.count - 1 : frames.count
        }

        /// What frame 0 does not cover is clear, whatever the background colour says: what browsers do. But a frame without
        /// transparency that lies inside the canvas belongs to a file that means no transparency at all; the rest has colour 0
        /// then, as in decoders without alpha. (Frames that are taken away always leave clear pixels behind.)
        var hasOpaqueBackground: Bool {
            guard let first = frames.first else { return false }
            return first.transparentIndex == nil && first.x + first.width <= width && first.y + first.height <= height
        }

        /// What the file says of transparency: a frame that can leave pixels clear.
        var mayHaveAlpha: Bool {
            guard let first = frames.first else { return false }
            if !first.covers(width: width, height: height), !hasOpaqueBackground { return true }
            if frames.contains(where: { $0.transparentIndex != nil }) { return true }
            return frames.dropLast().contains { $0.disposal == .background }
        }

        /// Whether frame `index` is the same whatever came before it.
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
