#if PNG
    import GannetCore

    @testable import GannetCodecs

    /// Files made sample by sample, and the pixels that must come of them, worked out without the decoder's own code.
    struct PNGSample {
        var width: Int
        var height: Int
        var color: PNGFile.ColorType
        var depth: Int
        var isInterlaced = false
        var palette: [UInt8] = []
        var transparency: [UInt8] = []
        var seed: UInt64 = 1

        var channels: Int { color.channels }
        var limit: Int { (1 << depth) - 1 }

        /// Sample `channel` of pixel (x, y).
        func value(_ x: Int, _ y: Int, _ channel: Int) -> Int {
            // Smooth with some noise, so that all filters and matches occur.
            let noise = Int((UInt64(x * 7919 + y * 104_729 + channel * 31) &* 2_654_435_761 &+ seed) >> 7 & 15)
            let smooth = x * 3 + y * 5 + channel * 40
            let scaled = depth == 16 ? (smooth * 257 + noise * 97) : smooth + noise
            return color == .palette ? scaled % max(1, min(limit + 1, palette.count / 3)) : scaled & limit
        }

        /// RGBA of pixel (x, y), 8 or 16 bits a channel as in the file, straight.
        func pixel(_ x: Int, _ y: Int) -> [Int] {
            let values = (0..<channels).map { value(x, y, $0) }
            let top = depth == 16 ? 65_535 : 255
            let keys = stride(from: 0, to: transparency.count - 1, by: 2).map {
                (Int(transparency[$0]) << 8 | Int(transparency[$0 + 1])) & limit
            }
            switch color {
            case .gray:
                let gray = values[0] * top / limit
                return [gray, gray, gray, keys.first == values[0] ? 0 : top]
            case .grayAlpha: return [values[0], values[0], values[0], values[1]]
            case .rgb: return values + [keys == values ? 0 : top]
            case .rgba: return values
            case .palette:
                let index = values[0]
                let alpha = index < transparency.count ? Int(transparency[index]) : 255
                return (0..<3).map { Int(palette[index * 3 + $0]) } + [alpha]
            }
        }

        /// The pixels that a decoder must deliver: 8-bit straight, 16-bit samples rounded.
        var expected: [UInt8] {
            var result: [UInt8] = []
            for y in 0..<height {
                for x in 0..<width {
                    result += pixel(x, y).map { depth == 16 ? UInt8(($0 * 255 + 32_767) / 65_535) : UInt8($0) }
                }
            }
            return result
        }

        /// The file. `filter`: of row y of a pass; nil takes turns.
        func file(filter: Int? = nil, extra: [(StaticString, [UInt8])] = [], pieces: Int = 1) -> [UInt8] {
            var writer = PNGWriter()
            writer.chunk("IHDR", header)
            for (type, body) in extra { writer.chunk(type, body) }
            if !palette.isEmpty { writer.chunk("PLTE", palette) }
            if !transparency.isEmpty { writer.chunk("tRNS", transparency) }
            let packed = PNGSample.zlib(rows(filter: filter))
            let length = (packed.count + pieces - 1) / pieces
            for start in stride(from: 0, to: packed.count, by: max(1, length)) {
                writer.chunk("IDAT", Array(packed[start..<min(packed.count, start + length)]))
            }
            writer.chunk("IEND", [])
            return writer.bytes
        }

        var header: [UInt8] {
            PNGWriter.bytes(width) + PNGWriter.bytes(height) + [UInt8(depth), UInt8(color.rawValue), 0, 0, isInterlaced ? 1 : 0]
        }

        /// Filtered rows of all passes.
        func rows(filter: Int? = nil) -> [UInt8] {
            let starts = isInterlaced ? [(0, 0), (4, 0), (0, 4), (2, 0), (0, 2), (1, 0), (0, 1)] : [(0, 0)]
            let steps = isInterlaced ? [(8, 8), (8, 8), (4, 8), (4, 4), (2, 4), (2, 2), (1, 2)] : [(1, 1)]
            var result: [UInt8] = []
            for (start, step) in zip(starts, steps) where start.0 < width && start.1 < height {
                var above: [UInt8] = []
                for (index, y) in stride(from: start.1, to: height, by: step.1).enumerated() {
                    let row = packedRow(Array(stride(from: start.0, to: width, by: step.0)), y)
                    if above.isEmpty { above = [UInt8](repeating: 0, count: row.count) }
                    let kind = filter ?? (index * 3 + start.0) % 5
                    result.append(UInt8(kind))
                    result += Self.filtered(row, above, distance: max(1, depth * channels / 8), kind)
                    above = row
                }
            }
            return result
        }

        private func packedRow(_ columns: [Int], _ y: Int) -> [UInt8] {
            var bits: [UInt8] = []
            var held = 0
            var count = 0
            for x in columns {
                for channel in 0..<channels {
                    held = held << depth | value(x, y, channel)
                    count += depth
                    while count >= 8 {
                        bits.append(UInt8(truncatingIfNeeded: held >> (count - 8)))
                        count -= 8
                        held &= (1 << count) - 1
                    }
                }
            }
            if count > 0 { bits.append(UInt8(truncatingIfNeeded: held << (8 - count))) }
            return bits
        }

        static func filtered(_ row: [UInt8], _ above: [UInt8], distance: Int, _ kind: Int) -> [UInt8] {
            row.indices.map { index in
                let left = index >= distance ? Int(row[index - distance]) : 0
                let up = Int(above[index])
                let corner = index >= distance ? Int(above[index - distance]) : 0
                let guess: Int
                switch kind {
                case 1: guess = left
                case 2: guess = up
                case 3: guess = (left + up) / 2
                case 4:
                    let base = left + up - corner
                    let (a, b, c) = (abs(base - left), abs(base - up), abs(base - corner))
                    guess = a <= b && a <= c ? left : b <= c ? up : corner
                default: guess = 0
                }
                return UInt8(truncatingIfNeeded: Int(row[index]) - guess)
            }
        }

        /// A zlib stream of stored blocks.
        static func zlib(_ bytes: [UInt8]) -> [UInt8] {
            var result: [UInt8] = [0x78, 0x01]
            var start = 0
            repeat {
                let end = min(start + 65_535, bytes.count)
                let length = end - start
                result += [end == bytes.count ? 1 : 0, UInt8(length & 255), UInt8(length >> 8)]
                result += [UInt8(~length & 255), UInt8(~length >> 8 & 255)]
                result += bytes[start..<end]
                start = end
            } while start < bytes.count
            var (low, high) = (1, 0)
            for byte in bytes {
                low = (low + Int(byte)) % 65_521
                high = (high + low) % 65_521
            }
            return result + PNGWriter.bytes(high << 16 | low)
        }

        static let palette16 = (0..<48).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }

        /// Every colour type and depth, with and without transparency.
        static func all(_ width: Int, _ height: Int, isInterlaced: Bool) -> [PNGSample] {
            var result: [PNGSample] = []
            for color in [PNGFile.ColorType.gray, .rgb, .palette, .grayAlpha, .rgba] {
                for depth in color.depths {
                    var sample = PNGSample(width: width, height: height, color: color, depth: depth, isInterlaced: isInterlaced)
                    if color == .palette { sample.palette = Array(palette16.prefix(3 * min(16, 1 << depth))) }
                    result.append(sample)
                    switch color {
                    case .gray: sample.transparency = [0, 0].dropLast() + [UInt8(sample.value(1 % width, 0, 0) & 255)]
                    case .rgb:
                        sample.transparency = (0..<3).flatMap { channel -> [UInt8] in
                            let value = sample.value(0, 0, channel)
                            return [UInt8(value >> 8), UInt8(value & 255)]
                        }
                    case .palette: sample.transparency = [0, 128]
                    case .grayAlpha, .rgba: continue
                    }
                    if color == .gray, depth == 16 {
                        let value = sample.value(1 % width, 0, 0)
                        sample.transparency = [UInt8(value >> 8), UInt8(value & 255)]
                    }
                    result.append(sample)
                }
            }
            return result
        }
    }

    /// Short ways to decode.
    enum PNGDecoding {
        static func options(_ change: (inout DecodeOptions) -> Void = { _ in }) -> ResolvedDecodeOptions {
            var options = DecodeOptions()
            options.alpha = .straight
            change(&options)
            return ResolvedDecodeOptions(options)
        }

        static func decoder(
            _ bytes: [UInt8], _ options: ResolvedDecodeOptions = options(), _ environment: DecodeEnvironment = DecodeEnvironment()
        ) throws -> PNGDecoder {
            let decoder = PNGDecoder(options: options, environment: environment)
            _ = try decoder.read(from: ByteRope(bytes))
            return decoder
        }

        static func frame(_ decoder: PNGDecoder, _ index: Int = 0) throws -> Bitmap {
            guard let layout = decoder.outputLayout else { throw ImageError(.truncated, "no header") }
            var buffer = try PixelBuffer(layout)
            try decoder.decodeFrame(at: index, into: &buffer)
            return buffer.freeze()
        }

        static func pixels(
            _ bytes: [UInt8], _ options: ResolvedDecodeOptions = options(), _ environment: DecodeEnvironment = DecodeEnvironment()
        ) throws -> [UInt8] {
            try frame(try decoder(bytes, options, environment)).packedBytes()
        }

        static func code(_ body: () throws -> Void) -> ImageError.Code? {
            do {
                try body()
                return nil
            } catch { return (error as? ImageError)?.code }
        }
    }
#endif
