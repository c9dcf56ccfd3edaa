#if JXL
    /// What this decoder does not know, or finds damaged. libjxl then decodes the file, or says what is wrong with it.
    struct JXLUnread: Error {}

    /// Reads the numbers of a section, from the lowest bit of each byte on (ISO/IEC 18181-1, annex B). Made for many small reads: behind
    /// the end there are zeros, and ``isOverrun`` tells afterwards.
    struct JXLCodeBits {
        private let bytes: [UInt8]
        private var next: Int
        private let end: Int
        private var held: UInt64 = 0
        private var count = 0
        /// Bits held that the section does not have.
        private var invented = 0

        init(_ bytes: [UInt8], _ range: Range<Int>) {
            let part = range.clamped(to: 0..<bytes.count)
            self.bytes = bytes
            (next, end) = (part.lowerBound, part.upperBound)
        }

        /// More was read than there is.
        var isOverrun: Bool { invented > count }

        /// The next byte that was not begun.
        var byte: Int { next - max(0, count - invented) / 8 }

        /// Holds at least 57 bits.
        @inline(__always) mutating func fill() {
            while count <= 56 {
                if next < end {
                    held |= UInt64(bytes[next]) << UInt64(truncatingIfNeeded: count)
                    next += 1
                } else {
                    invented &+= 8
                }
                count += 8
            }
        }

        /// At most 32 of the bits that are held.
        @inline(__always) func peek(_ width: Int) -> UInt32 {
            UInt32(truncatingIfNeeded: held & (1 &<< UInt64(truncatingIfNeeded: width) &- 1))
        }

        /// At most 32 of the bits that are held.
        @inline(__always) mutating func drop(_ width: Int) {
            held = held &>> UInt64(truncatingIfNeeded: width)
            count &-= width
        }

        /// At most 32 of the bits that are held.
        @inline(__always) mutating func take(_ width: Int) -> UInt32 {
            let value = peek(width)
            drop(width)
            return value
        }

        /// At most 32 bits.
        mutating func read(_ width: Int) -> Int {
            fill()
            return Int(take(width))
        }

        mutating func readFlag() -> Bool { read(1) == 1 }

        /// Begins at the next byte. The bits before it have to be zero.
        mutating func align() throws(JXLUnread) {
            guard read(count & 7) == 0 else { throw JXLUnread() }
        }

        /// A number in one of four encodings: a number of bits, and an offset to add.
        mutating func read32(_ ways: (bits: Int, more: Int)...) -> Int {
            let way = ways[read(2)]
            return read(way.bits) + way.more
        }

        /// A number of 16 bits with a fraction; infinite ones are not allowed.
        mutating func readHalf() throws(JXLUnread) -> Float {
            let bits = read(16)
            let (exponent, fraction) = (bits >> 10 & 31, Float(bits & 1023) / 1024)
            guard exponent < 31 else { throw JXLUnread() }
            let size =
                exponent == 0 ? fraction / 16_384 : (1 + fraction) * Float(sign: .plus, exponent: exponent - 15, significand: 1)
            return bits >> 15 == 1 ? -size : size
        }

        /// 0 to 255, small ones in few bits.
        mutating func readSmall() -> Int { readSmall(3) }

        /// The number of bits has `width` bits.
        mutating func readSmall(_ width: Int) -> Int {
            guard readFlag() else { return 0 }
            let bits = read(width)
            return 1 << bits + read(bits)
        }
    }

    extension UInt32 {
        /// The sign is in the lowest bit.
        @inline(__always) var unpacked: Int { Int(self >> 1) ^ -Int(self & 1) }
    }
#endif
