#if PNG
    import CGannetKernels
    import Testing

    @testable import GannetCodecs

    /// The vector code against the plain C twin, and that against a filter written in Swift.
    @Suite("PNG filters") struct PNGKernelTests {
        private func random(_ count: Int, _ seed: inout UInt64) -> [UInt8] {
            (0..<count).map { _ in
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: seed >> 33)
            }
        }

        @Test("Undoing filters, any number of rows", arguments: [1, 2, 3, 4, 6, 8])
        func unfilter(distance: Int) {
            var seed = UInt64(distance)
            for pixels in [1, 2, 3, 7, 8, 9, 10, 11, 12, 17, 40] {
                for rows in 1...9 {
                    for onlySlow in [false, true] {
                        let count = pixels * distance
                        var bytes = random(rows * (count + 1), &seed)
                        for y in 0..<rows {
                            let filter = bytes[y * (count + 1)]
                            bytes[y * (count + 1)] = onlySlow ? 3 + filter % 2 : filter % 5
                        }
                        let above = random(count, &seed)
                        var (fast, plain) = (bytes, bytes)
                        #expect(gannet_png_unfilter_rows(&fast, above, count, rows, UInt32(distance)) == rows)
                        #expect(gannet_png_unfilter_rows_plain(&plain, above, count, rows, UInt32(distance)) == rows)
                        #expect(fast == plain, "\(pixels) pixels, \(rows) rows")
                        #expect(refiltered(plain, above, count, distance) == bytes)
                    }
                }
            }
        }

        private func refiltered(_ bytes: [UInt8], _ above: [UInt8], _ count: Int, _ distance: Int) -> [UInt8] {
            var above = above
            var result: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: count + 1) {
                let row = Array(bytes[start + 1..<start + 1 + count])
                result.append(bytes[start])
                result += PNGSample.filtered(row, above, distance: distance, Int(bytes[start]))
                above = row
            }
            return result
        }

        @Test func unknownFiltersStopTheWork() {
            var bytes = [UInt8](repeating: 0, count: 5 * 25)
            bytes[3 * 25] = 9
            let above = [UInt8](repeating: 0, count: 24)
            #expect(gannet_png_unfilter_rows(&bytes, above, 24, 5, 3) == 3)
            #expect(!gannet_png_unfilter_row(&bytes, above, 24, 3, 5))
        }

        @Test("The chosen filter has the smallest sum, and is undone")
        func filter() {
            var seed: UInt64 = 5
            for distance in [1, 3, 4, 8] {
                let count = distance * 21
                let (row, above) = (random(count, &seed), random(count, &seed))
                var filtered = [UInt8](repeating: 0, count: count + 1)
                var scratch = [UInt8](repeating: 0, count: count * 2)
                gannet_png_filter_row(&filtered, row, above, count, UInt32(distance), 0b11111, &scratch)
                func sum(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 + abs(Int(Int8(bitPattern: $1))) } }
                let sums = (0..<5).map { sum(PNGSample.filtered(row, above, distance: distance, $0)) }
                #expect(sums[Int(filtered[0])] == sums.min())
                #expect(sum(filtered.dropFirst()) == sums.min())
                #expect(gannet_png_unfilter_rows(&filtered, above, count, 1, UInt32(distance)) == 1)
                #expect(Array(filtered.dropFirst()) == row)
            }
        }

        @Test func premultiplyingRoundsToNearest() {
            var straight: [UInt8] = []
            var expected: [UInt8] = []
            for alpha in stride(from: 0, through: 255, by: 3) {
                for value in stride(from: 0, through: 255, by: 5) {
                    straight += [UInt8(value), UInt8(255 - value), 7, UInt8(alpha)]
                    expected += [value, 255 - value, 7].map { UInt8((Double($0 * alpha) / 255).rounded()) } + [UInt8(alpha)]
                }
            }
            var result = [UInt8](repeating: 0, count: straight.count)
            gannet_png_premultiply8(&result, straight, straight.count / 4)
            #expect(result == expected)
        }
    }
#endif
