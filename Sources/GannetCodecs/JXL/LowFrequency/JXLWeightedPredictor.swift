#if JXL
    /// Predicts a sample by four ways, weighted by how well they did nearby (ISO/IEC 18181-1, annex H). Works with eighths of a sample.
    struct JXLWeightedPredictor {
        /// What the stream may set.
        struct Settings {
            var first = 16
            var second = 10
            var third = [7, 7, 7, 0, 0]
            var weights: SIMD4<UInt32> = [13, 12, 12, 12]

            init(_ bits: inout JXLCodeBits) {
                guard !bits.readFlag() else { return }
                first = bits.read(5)
                second = bits.read(5)
                for index in 0..<5 { third[index] = bits.read(5) }
                for index in 0..<4 { weights[index] = UInt32(bits.read(4)) }
            }
        }

        private let first: Int
        private let second: Int
        private let third: (Int, Int, Int, Int, Int)
        private let weights: SIMD4<UInt32>
        private let width: Int
        /// 2²⁴ divided by 1 to 64.
        private let reciprocals: [UInt32]
        /// Errors of the four in this row and in the one above, with a place beyond each end.
        private var errors: [SIMD4<UInt32>]
        /// Of what was predicted in the end.
        private var trueErrors: [Int]
        private var row = 0
        private var above = 0
        private var predictions = SIMD4<Int>.zero
        private var prediction = 0
        /// The largest error around the sample: a property.
        private(set) var largestError = 0

        init(_ settings: Settings, width: Int) {
            (first, second, weights) = (settings.first, settings.second, settings.weights)
            let own = settings.third
            third = (own[0], own[1], own[2], own[3], own[4])
            self.width = width
            reciprocals = (1...64).map { (1 << 24) / $0 }
            errors = Array(repeating: .zero, count: 2 * (width + 2))
            trueErrors = Array(repeating: 0, count: 2 * (width + 2))
        }

        mutating func begin(row y: Int) { (row, above) = y & 1 == 0 ? (width + 2, 0) : (0, width + 2) }

        /// The names say where the samples lie: north is above.
        @inline(__always) mutating func predict(
            _ x: Int, north: Int, west: Int, northEast: Int, northWest: Int, north2: Int
        ) -> Int {
            let place = above &+ x
            let east = x < width &- 1 ? place &+ 1 : place
            let left = x > 0 ? place &- 1 : place
            let sums = errors[place] &+ errors[east] &+ errors[left]
            let (n, w) = (north &<< 3, west &<< 3)
            let (ne, nw, nn) = (northEast &<< 3, northWest &<< 3, north2 &<< 3)
            let errorW = x == 0 ? 0 : trueErrors[row &+ x &- 1]
            let (errorN, errorNW, errorNE) = (trueErrors[place], trueErrors[left], trueErrors[east])
            var largest = errorW
            if errorN.magnitude > largest.magnitude { largest = errorN }
            if errorNW.magnitude > largest.magnitude { largest = errorNW }
            if errorNE.magnitude > largest.magnitude { largest = errorNE }
            largestError = largest
            let both = errorN &+ errorW
            let fourth = errorNW &* third.0 &+ errorN &* third.1 &+ errorNE &* third.2
            let slopes = (nn &- n) &* third.3 &+ (nw &- w) &* third.4
            predictions = SIMD4(
                w &+ ne &- n, n &- ((both &+ errorNE) &* first) &>> 5, w &- ((both &+ errorNW) &* second) &>> 5,
                n &- (fourth &+ slopes) &>> 5)
            prediction = average(sums)
            // Errors of one sign: the samples around are no bounds.
            if (errorN ^ errorW) | (errorN ^ errorNW) <= 0 {
                prediction = max(min(w, ne, n), min(max(w, ne, n), prediction))
            }
            return (prediction &+ 3) &>> 3
        }

        @inline(__always) private func weight(_ error: UInt32, _ most: UInt32) -> UInt32 {
            let shift = max(0, 26 &- (error &+ 1).leadingZeroBitCount)
            return 4 &+ (most &* reciprocals[Int(error &>> UInt32(shift)) & 63]) &>> UInt32(shift)
        }

        @inline(__always) private func average(_ errors: SIMD4<UInt32>) -> Int {
            var all = SIMD4(
                weight(errors.x, weights.x), weight(errors.y, weights.y), weight(errors.z, weights.z),
                weight(errors.w, weights.w))
            let sum = all.x &+ all.y &+ all.z &+ all.w
            all = all &>> UInt32(max(0, 27 &- sum.leadingZeroBitCount))
            let rest = all.x &+ all.y &+ all.z &+ all.w
            var total = Int(rest &>> 1) &- 1
            total = total &+ predictions.x &* Int(all.x) &+ predictions.y &* Int(all.y)
            total = total &+ predictions.z &* Int(all.z) &+ predictions.w &* Int(all.w)
            return (total &* Int(reciprocals[Int(rest &- 1) & 63])) &>> 24
        }

        /// Learns from the sample that was predicted last.
        @inline(__always) mutating func learn(_ x: Int, _ sample: Int) {
            let value = sample &<< 3
            trueErrors[row &+ x] = Int(Int32(truncatingIfNeeded: prediction &- value))
            let error = SIMD4(
                distance(predictions.x, value), distance(predictions.y, value), distance(predictions.z, value),
                distance(predictions.w, value))
            errors[row &+ x] = error
            errors[above &+ x &+ 1] &+= error
        }

        @inline(__always) private func distance(_ prediction: Int, _ value: Int) -> UInt32 {
            UInt32(truncatingIfNeeded: ((prediction &- value).magnitude &+ 3) &>> 3)
        }
    }
#endif
