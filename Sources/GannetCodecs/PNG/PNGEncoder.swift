#if PNG
    import GannetCore
    import GannetKernels

    /// Writes PNG, and APNG for animations: RGB or RGBA of 8 or 16 bits. Lossless, so `quality` has no effect. Stills in high range have
    /// their code points, and no profile.
    ///
    /// Filters are chosen row by row; libdeflate compresses. Animation frames store only the changed part. Delays are exact to
    /// the millisecond (longer than 65 s: to the hundredth, then to the second).
    final class PNGEncoder: HighRangeEncoder {
        private let options: EncodeOptions
        static let defaultEffort = 4

        init(_ options: EncodeOptions) { self.options = options }

        func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8] {
            if case .animated(let animation) = image, animation.frameCount > 1, !options.firstFrameOnly {
                return try encode(animation)
            }
            let bitmap = try EncodePreparation.fitted(image.bitmap, into: options.maximumPixelSize)
            guard let limit = options.maximumFileSize else { return try write(bitmap) }
            // Without a quality to lower, only smaller images make smaller files.
            return try EncodePreparation.smallEnough(bitmap, quality: 0, limit: limit) { (bitmap, _) throws(ImageError) in
                let file = try write(bitmap)
                return file.count <= limit ? file : nil
            }
        }

        private var effort: Int { options.effort ?? Self.defaultEffort }

        private func write(_ bitmap: Bitmap) throws(ImageError) -> [UInt8] {
            let format = PNGPixelFormat(
                depth: bitmap.layout.format == .rgba16 ? 16 : 8, hasAlpha: !isOpaque(bitmap), isInterlaced: options.progressive)
            var writer = PNGWriter()
            writer.chunk("IHDR", format.header(bitmap.size))
            if bitmap.dynamicRange.isHigh { writer.highRange(bitmap.dynamicRange) }
            let all = PixelRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height)
            writer.chunk("IDAT", try PNGPacker(format: format, effort: effort).pack(try unpremultiplied(bitmap), all))
            writer.chunk("IEND", [])
            return writer.bytes
        }

        // MARK: Animations

        private func encode(_ animation: AnimatedImage) throws(ImageError) -> [UInt8] {
            var bound = options.maximumPixelSize
            while true {
                let file = try write(animation, bound)
                guard let limit = options.maximumFileSize, file.count > limit else { return file }
                let size = bound.map { TargetSize.fit($0.width, $0.height).plan(for: animation.size).scaled } ?? animation.size
                guard size.area > 1 else {
                    throw ImageError(
                        .encodeFailed, stage: .encode, "No animation fits into \(limit) bytes. Raise maximumFileSize.")
                }
                bound = PixelSize(clamping: size.width * 3 / 4, size.height * 3 / 4)
            }
        }

        private func write(_ animation: AnimatedImage, _ bound: PixelSize?) throws(ImageError) -> [UInt8] {
            func frame(_ index: Int) throws(ImageError) -> Bitmap {
                try ImageError.checkCancellation(stage: .encode)
                let bitmap = try EncodePreparation.fitted(try animation.blockingFrame(at: index), into: bound)
                return try unpremultiplied(try narrowed(bitmap))
            }
            // Alpha of later frames is unknown before decoding, so all are written with alpha.
            let format = PNGPixelFormat(depth: 8, hasAlpha: true, isInterlaced: options.progressive)
            let packer = PNGPacker(format: format, effort: effort)
            var last = try frame(0)
            var writer = PNGWriter()
            writer.chunk("IHDR", format.header(last.size))
            writer.chunk("acTL", PNGWriter.bytes(animation.frameCount) + PNGWriter.bytes(max(animation.loopCount, 0)))
            var sequence = 0
            for index in 0..<animation.frameCount {
                let bitmap = index == 0 ? last : try frame(index)
                let area =
                    index == 0
                    ? PixelRect(x: 0, y: 0, width: last.width, height: last.height) : Self.changed(from: last, to: bitmap)
                writer.chunk("fcTL", Self.control(sequence, area, animation.delays[index]))
                sequence += 1
                let packed = try packer.pack(bitmap, area)
                if index == 0 {
                    writer.chunk("IDAT", packed)
                } else {
                    writer.chunk("fdAT", PNGWriter.bytes(sequence) + packed)
                    sequence += 1
                }
                last = bitmap
            }
            writer.chunk("IEND", [])
            return writer.bytes
        }

        /// fcTL: the frame stays, and its pixels replace those below.
        private static func control(_ sequence: Int, _ area: PixelRect, _ delay: Duration) -> [UInt8] {
            let milliseconds = max(0, (delay / .milliseconds(1)).rounded())
            let unit = [1000, 100, 1].first { milliseconds * Double($0) / 1000 <= 65_535 } ?? 1
            let count = Int(min(65_535, (milliseconds * Double(unit) / 1000).rounded()))
            return [sequence, area.width, area.height, area.x, area.y].flatMap { PNGWriter.bytes($0) }
                + PNGWriter.bytes(count).suffix(2) + PNGWriter.bytes(unit).suffix(2) + [0, 0]
        }

        /// The smallest rectangle around all differences; one pixel if there are none.
        static func changed(from old: Bitmap, to new: Bitmap) -> PixelRect {
            var (left, right) = (new.width, -1)
            var (top, bottom) = (new.height, -1)
            for y in 0..<new.height {
                let (before, after) = (old.row(y), new.row(y))
                guard let first = after.indices.first(where: { before[$0] != after[$0] }),
                    let last = after.indices.last(where: { before[$0] != after[$0] })
                else { continue }
                (left, right) = (min(left, first / 4), max(right, last / 4))
                (top, bottom) = (min(top, y), y)
            }
            guard right >= 0 else { return PixelRect(x: 0, y: 0, width: 1, height: 1) }
            return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
        }
    }
#endif
