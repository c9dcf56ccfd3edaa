#if JP2
    import CGannetShims

    /// The ranges of L\*a\*b\* (ISO/IEC 15444-2, M.11.7.4.1, enumerated colour space 14). All of it counts as relative to D50, which is what
    /// files without numbers of their own have.
    struct JP2Lab: Equatable {
        /// How far lightness and both axes reach.
        private var ranges = [100, 170, 200]
        /// The sample that stands for zero; nil: that of the depth.
        private var offsets: [Int]?

        /// Reads the numbers that may follow that of the colour space: ranges and offsets in turn, then the illuminant.
        init(_ fields: inout BigEndianFields) {
            var numbers: [Int] = []
            while numbers.count < 6, let number = fields.next(4) { numbers.append(number) }
            guard numbers.count == 6 else { return }
            (ranges, offsets) = ([numbers[0], numbers[2], numbers[4]], [numbers[1], numbers[3], numbers[5]])
        }

        /// `bits`: of each of the three channels.
        func values(bits: [Int]) -> gannet_jp2_lab {
            let places = zip(ranges, zip(bits, 0...)).map { range, channel in
                let (bits, number) = channel
                let last = Double(1 << bits - 1)
                let usual = number == 0 ? 0 : number == 1 ? Double(1 << bits) / 2 : Double(1 << bits) * 3 / 8
                return (least: -Double(range) * (offsets.map { Double($0[number]) } ?? usual) / last, range: Double(range))
            }
            return gannet_jp2_lab(
                least: (places[0].least, places[1].least, places[2].least),
                range: (places[0].range, places[1].range, places[2].range))
        }
    }
#endif
