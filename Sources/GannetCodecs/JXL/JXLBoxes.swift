#if JXL
    import GannetCore

    /// Rewrites containers whose boxes have 64-bit lengths, which libjxl 0.7 does not read.
    enum JXLBoxes {
        /// The codestream from its box or boxes, as far as it has arrived (ISO/IEC 18181-2); the whole file if it is not a
        /// container.
        static func codestream(_ bytes: [UInt8]) -> [UInt8] {
            guard bytes.first == 0 else { return bytes }
            var result: [UInt8] = []
            let boxes = ISOBoxes(bytes: bytes)
            var position = 0
            while position + 8 <= bytes.count {
                var (length, header) = (boxes.number(position, 4), 8)
                if length == 1, position + 16 <= bytes.count { (length, header) = (boxes.number(position + 8, 8), 16) }
                if length == 0 { length = bytes.count - position }
                guard length >= header else { break }
                let end = position + min(length, bytes.count - position)
                switch String(decoding: bytes[position + 4..<position + 8], as: UTF8.self) {
                case "jxlc": result += bytes[min(position + header, end)..<end]
                // After the number of the part.
                case "jxlp": result += bytes[min(position + header + 4, end)..<end]
                default: break
                }
                position = end
            }
            return result
        }

        /// The same bytes with 32-bit lengths, as far as they have arrived; nil if nothing needs to change. With more bytes of
        /// the same file, the result begins with this one.
        static func plain(_ bytes: [UInt8]) -> [UInt8]? {
            guard bytes.first == 0 else { return nil }
            var result: [UInt8] = []
            var isChanged = false
            var position = 0
            let boxes = ISOBoxes(bytes: bytes)
            while position + 8 <= bytes.count {
                let short = boxes.number(position, 4)
                guard short == 1 else {
                    guard short >= 8, short <= bytes.count - position else { break }
                    result += bytes[position..<position + short]
                    position += short
                    continue
                }
                guard position + 16 <= bytes.count else { return result }
                let length = boxes.number(position + 8, 8)
                guard length >= 16, length - 8 <= Int(UInt32.max) else { return nil }
                isChanged = true
                for shift in [24, 16, 8, 0] { result.append(UInt8(truncatingIfNeeded: (length - 8) >> shift)) }
                result += bytes[position + 4..<position + 8]
                let end = min(bytes.count, position + length)
                result += bytes[position + 16..<end]
                position = end
            }
            guard isChanged else { return nil }
            return result + bytes[position...]
        }
    }
#endif
