#if PNG
    import GannetCore

    /// One pass of an image: all of it, or one of Adam7's seven (PNG 3rd edition, section 8.1).
    struct PNGPass {
        /// Pixels of the pass are at (x + column × stepX, y + row × stepY).
        var x: Int
        var y: Int
        var stepX: Int
        var stepY: Int
        /// Pixels of the pass itself; never 0.
        var width: Int
        var height: Int
        /// The block that each pixel fills until later passes arrive.
        var blockWidth: Int
        var blockHeight: Int

        /// Bytes of the decompressed pass: rows with their filter bytes. Below 2⁵².
        func byteCount(_ layout: PNGFile.Layout) -> Int { (layout.rowBytes(width) + 1) * height }

        /// The non-empty passes of an image of `width` × `height` pixels in the file's layout.
        static func all(_ layout: PNGFile.Layout, width: Int, height: Int) -> [PNGPass] {
            guard layout.isInterlaced else {
                return [
                    PNGPass(x: 0, y: 0, stepX: 1, stepY: 1, width: width, height: height, blockWidth: 1, blockHeight: 1)
                ]
            }
            let table: [(x: Int, y: Int, stepX: Int, stepY: Int, blockWidth: Int, blockHeight: Int)] = [
                (0, 0, 8, 8, 8, 8), (4, 0, 8, 8, 4, 8), (0, 4, 4, 8, 4, 4), (2, 0, 4, 4, 2, 4), (0, 2, 2, 4, 2, 2),
                (1, 0, 2, 2, 1, 2), (0, 1, 1, 2, 1, 1),
            ]
            return table.compactMap { pass in
                let columns = (width - pass.x + pass.stepX - 1) / pass.stepX
                let rows = (height - pass.y + pass.stepY - 1) / pass.stepY
                guard width > pass.x, height > pass.y else { return nil }
                return PNGPass(
                    x: pass.x, y: pass.y, stepX: pass.stepX, stepY: pass.stepY, width: columns, height: rows,
                    blockWidth: pass.blockWidth, blockHeight: pass.blockHeight)
            }
        }
    }
#endif
