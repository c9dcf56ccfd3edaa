#if JPEG
    /// Writes baseline files from coefficients, so that the correct result is known (ITU-T T.81, Annex F.1.2).
    struct JPEGCoefficientFile {
        struct Component {
            var horizontal = 1
            var vertical = 1
            /// By rows of blocks; each one by rows, not in zigzag order. Values after the 64th lie beyond the block, as in a damaged file.
            var blocks: [[Int]] = []
        }

        var width: Int
        var height: Int
        var components: [Component]
        /// The step of the coefficient with this place in its block.
        var steps = (0..<64).map { 3 + $0 / 5 }
        var restartInterval = 0
        /// Bits of all codes for AC but thirty, which have nine: 10 … 16.
        var codeLength = 16

        var mostAcross: Int { components.map(\.horizontal).max() ?? 1 }
        var mostDown: Int { components.map(\.vertical).max() ?? 1 }
        var mcusAcross: Int { (width + 8 * mostAcross - 1) / (8 * mostAcross) }
        var mcusDown: Int { (height + 8 * mostDown - 1) / (8 * mostDown) }

        static let zigzag: [Int] = (0..<15).flatMap { sum in
            let places = (0..<8).filter { (0..<8).contains(sum - $0) }.map { $0 * 8 + sum - $0 }
            return sum % 2 == 0 ? places.reversed() : places
        }

        /// Gives every component its blocks.
        mutating func fill(_ coefficient: (_ component: Int, _ block: Int, _ place: Int) -> Int) {
            for index in components.indices {
                let count = mcusAcross * mcusDown * components[index].horizontal * components[index].vertical
                components[index].blocks = (0..<count).map { block in (0..<64).map { coefficient(index, block, $0) } }
            }
        }

        /// Codes by symbol: 30 of nine bits, then the rest.
        private func code(_ symbol: Int) -> (bits: Int, length: Int) {
            symbol < 30 ? (symbol, 9) : ((30 << (codeLength - 9)) + symbol - 30, codeLength)
        }

        private var tables: [[UInt8]] {
            var counts = [UInt8](repeating: 0, count: 16)
            counts[8] = 30
            counts[codeLength - 1] += 226
            let symbols = (0...255).map { UInt8($0) }
            // For differences of DC there are sixteen.
            var few = [UInt8](repeating: 0, count: 16)
            few[8] = 16
            return [
                JPEGSamples.segment(0xC4, [0x00] + few + Array(symbols[..<16])),
                JPEGSamples.segment(0xC4, [0x10] + counts + symbols),
            ]
        }

        /// With Adobe's marker that says RGB, where there are three components: nothing is mixed.
        func bytes() -> [UInt8] {
            var file: [UInt8] = [0xFF, 0xD8]
            if components.count == 3 { file += JPEGSamples.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]) }
            file += JPEGSamples.segment(0xDB, [0] + Self.zigzag.map { UInt8(steps[$0]) })
            let size = [height >> 8, height & 255, width >> 8, width & 255].map { UInt8($0) }
            var factors: [UInt8] = []
            var scan: [UInt8] = []
            for (index, component) in components.enumerated() {
                factors += [UInt8(index + 1), UInt8(component.horizontal << 4 | component.vertical), 0]
                scan += [UInt8(index + 1), 0]
            }
            file += JPEGSamples.segment(0xC0, [8] + size + [UInt8(components.count)] + factors)
            for table in tables { file += table }
            if restartInterval > 0 {
                file += JPEGSamples.segment(0xDD, [UInt8(restartInterval >> 8), UInt8(restartInterval & 255)])
            }
            file += JPEGSamples.segment(0xDA, [UInt8(components.count)] + scan + [0, 63, 0])
            return file + scanData() + [0xFF, 0xD9]
        }

        private func scanData() -> [UInt8] {
            var writer = BitWriter()
            var predictors = [Int](repeating: 0, count: components.count)
            for mcu in 0..<mcusAcross * mcusDown {
                if restartInterval > 0, mcu > 0, mcu % restartInterval == 0 {
                    writer.restart(mcu / restartInterval - 1)
                    predictors = predictors.map { _ in 0 }
                }
                for (index, component) in components.enumerated() {
                    for inside in 0..<component.horizontal * component.vertical {
                        let x = mcu % mcusAcross * component.horizontal + inside % component.horizontal
                        let y = mcu / mcusAcross * component.vertical + inside / component.horizontal
                        write(component.blocks[y * mcusAcross * component.horizontal + x], &predictors[index], &writer)
                    }
                }
            }
            writer.pad()
            return writer.bytes
        }

        private func write(_ block: [Int], _ predictor: inout Int, _ writer: inout BitWriter) {
            let difference = block[0] - predictor
            predictor = block[0]
            let size = Self.size(difference)
            writer.put(size, 9)
            writer.put(value: difference, size)
            var zeros = 0
            for place in Self.zigzag.dropFirst() + Array(64..<block.count) {
                guard block[place] != 0 else {
                    zeros += 1
                    continue
                }
                while zeros > 15 {
                    put(0xF0, &writer)
                    zeros -= 16
                }
                let size = Self.size(block[place])
                put(zeros << 4 | size, &writer)
                writer.put(value: block[place], size)
                zeros = 0
            }
            if zeros > 0 { put(0, &writer) }
        }

        private func put(_ symbol: Int, _ writer: inout BitWriter) {
            let (bits, length) = code(symbol)
            writer.put(bits, length)
        }

        private static func size(_ value: Int) -> Int { Int.bitWidth - abs(value).leadingZeroBitCount }

        private struct BitWriter {
            private(set) var bytes: [UInt8] = []
            private var current = 0
            private var count = 0

            mutating func put(_ bits: Int, _ length: Int) {
                for index in (0..<length).reversed() {
                    current = current << 1 | bits >> index & 1
                    count += 1
                    guard count == 8 else { continue }
                    bytes.append(UInt8(current))
                    if current == 0xFF { bytes.append(0) }
                    (current, count) = (0, 0)
                }
            }

            mutating func put(value: Int, _ size: Int) { put(value < 0 ? value + (1 << size) - 1 : value, size) }

            mutating func pad() { while count > 0 { put(1, 1) } }

            mutating func restart(_ number: Int) {
                pad()
                bytes += [0xFF, 0xD0 + UInt8(number % 8)]
            }
        }
    }
#endif
