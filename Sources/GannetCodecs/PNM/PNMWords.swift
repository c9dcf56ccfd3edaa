#if PNM
    import GannetCore

    /// Reads words between spaces; comments run from # to the end of the line.
    struct PNMWords {
        private let bytes: [UInt8]
        private(set) var position: Int

        init(_ bytes: [UInt8], from position: Int) {
            self.bytes = bytes
            self.position = position
        }

        /// Moves to the next byte that is neither space nor comment. False at the end of the bytes.
        private mutating func skip() -> Bool {
            while position < bytes.count {
                if bytes[position] == 0x23 {
                    while position < bytes.count, bytes[position] != 10, bytes[position] != 13 { position += 1 }
                } else if PNMHeader.isSpace(bytes[position]) {
                    position += 1
                } else {
                    return true
                }
            }
            return false
        }

        /// The next word; nil if its end has not arrived.
        mutating func word() -> String? {
            guard skip() else { return nil }
            let start = position
            while position < bytes.count, !PNMHeader.isSpace(bytes[position]) { position += 1 }
            return position < bytes.count ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
        }

        /// The next number of at most nine digits; stops after its last digit. Nil if its end has not arrived.
        mutating func number() throws(ImageError) -> Int? {
            guard let value = try lastNumber(), position < bytes.count else { return nil }
            return value
        }

        /// The same for pixels, whose last number may end with the file; nil if there is none left.
        mutating func lastNumber() throws(ImageError) -> Int? {
            guard skip() else { return nil }
            let start = position
            var value = 0
            while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
                value = value * 10 + Int(bytes[position] - 0x30)
                position += 1
                if position - start > 9 { throw PNMHeader.corrupt("A number has more than nine digits.") }
            }
            guard position > start else { throw PNMHeader.corrupt("There is no number where one must be.") }
            return value
        }

        /// The next digit 0 or 1; nil at the end.
        mutating func bit() throws(ImageError) -> Int? {
            guard skip() else { return nil }
            guard bytes[position] == 0x30 || bytes[position] == 0x31 else {
                throw PNMHeader.corrupt("A pixel is neither 0 nor 1.")
            }
            position += 1
            return Int(bytes[position - 1] - 0x30)
        }

        /// Moves after the next line feed; nil if it has not arrived.
        mutating func endOfLine() -> Int? {
            while position < bytes.count {
                position += 1
                if bytes[position - 1] == 10 { return position }
            }
            return nil
        }
    }
#endif
