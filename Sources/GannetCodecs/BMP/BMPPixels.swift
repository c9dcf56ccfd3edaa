#if BMP || ICO
    import CGannetKernels
    import GannetCore

    /// Decodes the pixels of a device-independent bitmap.
    struct BMPPixels {
        let header: BMPHeader
        /// All 256 pixels for an index; indices beyond the palette are opaque black.
        private let table: [UInt32]

        init(_ header: BMPHeader) {
            self.header = header
            var table: [UInt32] = []
            for index in 0..<256 {
                let place = index * 3
                guard place + 3 <= header.palette.count else {
                    table.append(UInt32(littleEndian: 0xFF00_0000))
                    continue
                }
                let (red, green, blue) = (header.palette[place], header.palette[place + 1], header.palette[place + 2])
                table.append(
                    UInt32(littleEndian: 0xFF00_0000 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red)))
            }
            self.table = table
        }

        /// - Parameter start: offset of the pixels. Returns false if they ended early.
        func decode(
            _ bytes: [UInt8], from start: Int, into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            switch header.compression {
            case .runs8, .runs4: return try runs(bytes, from: start, into: &buffer, watch)
            case .none, .bitFields: break
            }
            // With 8 bits a channel the masks are a fixed byte order.
            let order = byteOrder
            for index in 0..<header.size.height {
                if index & 15 == 0 { try watch.check() }
                let first = start + index * header.bytesPerRow
                guard first + header.leastRowBytes <= bytes.count else { return false }
                let y = header.isTopDown ? index : header.size.height - 1 - index
                switch header.bits {
                case 24: bytewise(bytes, first, step: 3, [2, 1, 0, -1], into: &buffer, y)
                case 16: masked(bytes, first, size: 2, into: &buffer, y)
                case 32:
                    if let order {
                        bytewise(bytes, first, step: 4, order, into: &buffer, y)
                    } else {
                        masked(bytes, first, size: 4, into: &buffer, y)
                    }
                default: indexed(bytes, first, into: &buffer, y)
                }
            }
            return true
        }

        /// Which byte of a pixel holds red, green, blue and alpha; -1: none.
        private var byteOrder: [Int8]? {
            var order: [Int8] = []
            for channel in header.channels {
                guard channel.maximum == 255, channel.shift & 7 == 0 || channel.maximum == 0 else {
                    if channel.maximum == 0, order.count == 3 { break }
                    return nil
                }
                order.append(Int8(channel.shift / 8))
            }
            return order.count == 3 ? order + [-1] : order
        }

        private func bytewise(
            _ bytes: [UInt8], _ first: Int, step: Int, _ order: [Int8], into buffer: inout PixelBuffer, _ y: Int
        ) {
            let width = header.size.width
            precondition(first >= 0 && first + width * step <= bytes.count && order.count == 4)
            precondition(buffer.size.width == width && (0..<buffer.size.height).contains(y))
            // Both stay where they are during the call.
            bytes.withUnsafeBufferPointer { source in
                guard let start = source.baseAddress else { return }
                buffer.withUnsafeRows { base, stride in
                    gannet_reorder8(base + y * stride, start + first, width, step, order)
                }
            }
        }

        private func masked(_ bytes: [UInt8], _ first: Int, size: Int, into buffer: inout PixelBuffer, _ y: Int) {
            var row = buffer.mutableRow(y)
            for x in 0..<header.size.width {
                var pixel = 0
                for byte in 0..<size { pixel |= Int(bytes[first + x * size + byte]) << (byte * 8) }
                for channel in 0..<3 { row[x * 4 + channel] = header.channels[channel].value(pixel) }
                row[x * 4 + 3] = header.hasAlpha ? header.channels[3].value(pixel) : 255
            }
        }

        private func indexed(_ bytes: [UInt8], _ first: Int, into buffer: inout PixelBuffer, _ y: Int) {
            var pixels = buffer.mutablePixels(y)
            let bits = header.bits
            let mask = (1 << bits) - 1
            for x in pixels.indices {
                let bit = x * bits
                pixels[x] = table[Int(bytes[first + bit >> 3]) >> (8 - bits - bit & 7) & mask]
            }
        }

        // MARK: Run lengths

        /// Pixels that the runs skip have the colour of index 0.
        private func runs(
            _ bytes: [UInt8], from start: Int, into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            for y in 0..<header.size.height {
                var pixels = buffer.mutablePixels(y)
                for x in pixels.indices { pixels[x] = table[0] }
            }
            let isNibbles = header.compression == .runs4
            var position = start
            var x = 0
            var line = 0
            var steps = 0
            while line < header.size.height {
                if steps & 4095 == 0 { try watch.check() }
                steps += 1
                guard position + 2 <= bytes.count else { return false }
                let (count, value) = (Int(bytes[position]), bytes[position + 1])
                position += 2
                if count > 0 {
                    put(count, line, &x, into: &buffer) { isNibbles ? ($0 & 1 == 0 ? value >> 4 : value & 15) : value }
                    continue
                }
                switch value {
                case 0:
                    x = 0
                    line += 1
                case 1: return true
                case 2:
                    guard position + 2 <= bytes.count else { return false }
                    x += Int(bytes[position])
                    line += Int(bytes[position + 1])
                    position += 2
                default:
                    let literal = Int(value)
                    let length = isNibbles ? (literal + 1) / 2 : literal
                    guard position + length <= bytes.count else { return false }
                    let first = position
                    put(literal, line, &x, into: &buffer) {
                        isNibbles ? ($0 & 1 == 0 ? bytes[first + $0 / 2] >> 4 : bytes[first + $0 / 2] & 15) : bytes[first + $0]
                    }
                    // Literal runs are padded to an even offset.
                    position += length + length & 1
                }
            }
            return true
        }

        /// Cuts pixels beyond the end of a row.
        private func put(
            _ count: Int, _ line: Int, _ x: inout Int, into buffer: inout PixelBuffer, _ value: (Int) -> UInt8
        ) {
            let y = header.size.height - 1 - line
            let room = max(0, header.size.width - x)
            var pixels = buffer.mutablePixels(y)
            for index in 0..<min(count, room) { pixels[x + index] = table[Int(value(index))] }
            x += min(count, room)
        }
    }
#endif
