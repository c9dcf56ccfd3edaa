#if JPEG
    /// Writes baseline files of flat 8 × 8 blocks that the library's encoder cannot produce (four inks, odd tables).
    struct JPEGFlatFile {
        /// One value for each channel and block; a block is one MCU.
        var blocks: [[UInt8]]
        /// Blocks in a row.
        var across: Int
        /// Adobe's transform byte; nil leaves the segment out.
        var adobeTransform: UInt8?
        var restartInterval = 0

        private struct Bits {
            var bytes: [UInt8] = []
            var pending = 0
            var count = 0

            mutating func put(_ value: Int, _ bits: Int) {
                for shift in stride(from: bits - 1, through: 0, by: -1) {
                    pending = pending << 1 | (value >> shift & 1)
                    count += 1
                    if count == 8 { flush() }
                }
            }

            mutating func pad() { while count != 0 { put(1, 1) } }

            private mutating func flush() {
                bytes.append(UInt8(pending))
                if pending == 255 { bytes.append(0) }
                pending = 0
                count = 0
            }
        }

        var bytes: [UInt8] {
            let channels = blocks[0].count
            let (width, height) = (across * 8, blocks.count / across * 8)
            var file: [UInt8] = [0xFF, 0xD8]
            if let adobeTransform {
                file += JPEGSamples.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, adobeTransform])
            }
            file += JPEGSamples.segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
            var frame: [UInt8] = [8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
            var scan: [UInt8] = [UInt8(channels)]
            frame.append(UInt8(channels))
            for channel in 1...UInt8(channels) {
                frame += [channel, 0x11, 0]
                scan += [channel, 0]
            }
            file += JPEGSamples.segment(0xC0, frame)
            // DC: twelve categories of four bits each; AC: the end of the block is one bit.
            file += JPEGSamples.segment(0xC4, [0, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + Array(0...11))
            file += JPEGSamples.segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
            if restartInterval > 0 { file += JPEGSamples.segment(0xDD, [0, UInt8(restartInterval)]) }
            file += JPEGSamples.segment(0xDA, scan + [0, 63, 0])
            return file + data + [0xFF, 0xD9]
        }

        private var data: [UInt8] {
            var file: [UInt8] = []
            var bits = Bits()
            var last = [Int](repeating: 0, count: blocks[0].count)
            for (index, block) in blocks.enumerated() {
                if restartInterval > 0, index > 0, index % restartInterval == 0 {
                    bits.pad()
                    file += bits.bytes + [0xFF, 0xD0 + UInt8((index / restartInterval - 1) % 8)]
                    bits = Bits()
                    last = last.map { _ in 0 }
                }
                for (channel, value) in block.enumerated() {
                    let level = Int(value) - 128
                    let difference = level - last[channel]
                    last[channel] = level
                    let size = Int.bitWidth - abs(difference).leadingZeroBitCount
                    bits.put(size, 4)
                    bits.put(difference < 0 ? difference + (1 << size) - 1 : difference, size)
                    bits.put(0, 1)
                }
            }
            bits.pad()
            return file + bits.bytes
        }
    }
#endif
