import CGannetKernels
import GannetCore
import Testing

@testable import GannetKernels

/// Pairs of sizes: smaller, larger, mixed, whole and broken factors, extremes.
private let sizePairs: [(PixelSize, PixelSize)] = [
    (Picture.size(8, 8), Picture.size(4, 4)), (Picture.size(13, 7), Picture.size(5, 3)),
    (Picture.size(3, 5), Picture.size(9, 11)),
    (Picture.size(17, 4), Picture.size(6, 9)), (Picture.size(40, 33), Picture.size(3, 4)),
    (Picture.size(1, 1), Picture.size(7, 5)),
    (Picture.size(9, 6), Picture.size(1, 1)), (Picture.size(21, 20), Picture.size(20, 21)),
]

private func stream(
    _ bitmap: Bitmap, to size: PixelSize, keeping: PixelRect? = nil, filter: ResampleFilter
) throws(ImageError) -> Bitmap {
    var resampler = try RowResampler(
        from: bitmap.size, to: size, keeping: keeping, format: bitmap.layout.format, filter: filter)
    var buffer = try PixelBuffer(
        PixelLayout(size: resampler.outputSize, format: bitmap.layout.format, alpha: bitmap.layout.alpha))
    for y in 0..<bitmap.height { resampler.push(bitmap.row(y), into: &buffer) }
    #expect(resampler.rowsWritten == buffer.size.height)
    return buffer.freeze()
}

@Suite("Resampling")  // TR-02
struct ResampleTests {
    /// If pixels are averaged first, the last average may cover fewer pixels than the others: its weight is reduced accordingly.
    @Test(arguments: [(129, 64, true), (129, 64, false), (1025, 64, true), (1025, 64, false), (33, 1, true), (33, 1, false)])
    func anEdgeWeighsAsMuchAsItIsWide(from: Int, to: Int, isAcross: Bool) throws {
        let size = isAcross ? Picture.size(from, 1) : Picture.size(1, from)
        let picture = try Picture.make(size.width, size.height) { x, y in
            let isLast = (isAcross ? x : y) == from - 1
            return isLast ? [0, 0, 0, 255] : [255, 255, 255, 255]
        }
        let wanted = isAcross ? Picture.size(to, 1) : Picture.size(1, to)
        let small = try resample(picture, to: wanted, filter: .automatic)
        let exact = try resampleTwin(picture, to: wanted, filter: .automatic)
        let last = isAcross ? (to - 1, 0) : (0, to - 1)
        let (got, wish) = (small.pixel(last.0, last.1)[0], exact.pixel(last.0, last.1)[0])
        #expect(abs(Int(got) - Int(wish)) <= 6, "\(got), \(wish)")
    }

    /// Sums of whole pixels have a sign to lose.
    @Test(arguments: [(65_535, 256, 1, 1), (65_536, 250, 1, 1), (66_000, 512, 1, 1), (65_536, 128, 1, 2)])
    func extremeRatiosKeepTheColour(width: Int, height: Int, toWidth: Int, toHeight: Int) throws {
        var buffer = try PixelBuffer(PixelLayout(size: Picture.size(width, height), alpha: .premultiplied))
        buffer.fill(255)
        let white = buffer.freeze()
        for filter in [ResampleFilter.automatic, .area, .box] {
            let small = try resample(white, to: Picture.size(toWidth, toHeight), filter: filter)
            #expect(small.packedBytes().allSatisfy { $0 == 255 }, "\(filter)")
        }
    }

    // TR-02
    @Test("agrees with the definition", arguments: ResampleFilter.allCases)
    func twin(_ filter: ResampleFilter) throws {
        for (from, to) in sizePairs where filter != .automatic || (from.width < to.width * 4 && from.height < to.height * 4) {
            let picture = try Picture.noise(from.width, from.height, seed: 3)
            let difference = largestDifference(
                try resample(picture, to: to, filter: filter), try resampleTwin(picture, to: to, filter: filter))
            #expect(difference <= 1, "\(from) to \(to)")
            let deep = try Picture.noise16(from.width, from.height, seed: 4)
            let deepDifference = largestDifference(
                try resample(deep, to: to, filter: filter), try resampleTwin(deep, to: to, filter: filter))
            #expect(deepDifference <= 2, "\(from) to \(to), 16 bit")
        }
    }

    @Test("row by row gives the same pixels as the whole picture", arguments: ResampleFilter.allCases)
    func streaming(_ filter: ResampleFilter) throws {
        for (from, to) in sizePairs {
            let picture = try Picture.noise(from.width, from.height)
            let whole = try resample(picture, to: to, filter: filter)
            #expect(try stream(picture, to: to, filter: filter).packedBytes() == whole.packedBytes(), "\(from) to \(to)")
            let deep = try Picture.noise16(from.width, from.height)
            let deepWhole = try resample(deep, to: to, filter: filter)
            #expect(try stream(deep, to: to, filter: filter).packedBytes() == deepWhole.packedBytes(), "\(from) to \(to), 16 bit")
        }
    }

    @Test(
        "every instruction set of this processor gives the same bytes",
        arguments: [1, 2, 3].filter { gannet_resample_at($0) != nil })
    func levels(_ level: Int32) throws {
        let kernels = try #require(gannet_resample_at(level))
        let plain = try #require(gannet_resample_at(0))
        var noise = Noise(seed: 9)
        for samples in [32, 36, 60, 64, 100, 132] {
            let rows = (0..<6).map { _ in (0..<samples).map { _ in UInt8(noise.below(256)) } }
            let deep = (0..<6).map { _ in (0..<samples).map { _ in Int16(noise.below(18000) - 1000) } }
            #expect(vertical(kernels, deep) == vertical(plain, deep))
            #expect(box(kernels, rows) == box(plain, rows))
            for taps in [4, 8, 12] {
                for count in 1...4 {
                    #expect(along(kernels, rows, count, taps: taps) == along(plain, rows, count, taps: taps))
                }
                #expect(along(kernels, deep[0], taps: taps) == along(plain, deep[0], taps: taps))
            }
        }
    }

    @Test("a part of the result is that part", arguments: ResampleFilter.allCases)
    func keeping(_ filter: ResampleFilter) throws {
        let picture = try Picture.noise(60, 50)
        for size in [Picture.size(12, 10), Picture.size(70, 80)] {
            let part = PixelRect(x: 3, y: 2, width: 6, height: 7)
            let whole = try resample(picture, to: size, filter: filter)
            let kept = try resample(picture, to: size, keeping: part, filter: filter)
            #expect(kept.size == Picture.size(6, 7))
            for y in 0..<7 { for x in 0..<6 { #expect(kept.pixel(x, y) == whole.pixel(x + 3, y + 2)) } }
            #expect(try stream(picture, to: size, keeping: part, filter: filter).packedBytes() == kept.packedBytes())
        }
    }

    @Test("a region is scaled as if it were cut out first")
    func region() throws {
        let picture = try Picture.noise(40, 30)
        let region = PixelRect(x: 7, y: 5, width: 22, height: 18)
        let cut = try Picture.make(22, 18) { x, y in picture.pixel(x + 7, y + 5).map { UInt8($0) } }
        for filter in ResampleFilter.allCases {
            let scaled = try resample(picture, region: region, to: Picture.size(4, 5), filter: filter)
            #expect(try scaled.packedBytes() == resample(cut, to: Picture.size(4, 5), filter: filter).packedBytes())
        }
    }

    @Test("flat colour stays what it is, at every size", arguments: ResampleFilter.allCases)
    func flat(_ filter: ResampleFilter) throws {
        for color: [UInt8] in [[255, 255, 255, 255], [7, 100, 33, 128], [0, 0, 0, 0], [1, 1, 1, 1]] {
            for (from, to) in sizePairs + [
                (Picture.size(300, 2), Picture.size(2, 2)), (Picture.size(2, 600), Picture.size(1, 2)),
            ] {
                let picture = try Picture.make(from.width, from.height) { _, _ in color }
                let result = try resample(picture, to: to, filter: filter)
                #expect(result.pixels.allSatisfy { $0 == color.map { Int($0) } }, "\(from) to \(to)")
            }
        }
    }

    @Test("colour never gets above alpha, where filters ring", arguments: ResampleFilter.allCases)
    func ringing(_ filter: ResampleFilter) throws {
        let picture = try Picture.make(16, 16) { x, y in x < 8 ? (y < 8 ? [255, 255, 255, 255] : [0, 0, 0, 255]) : [0, 0, 0, 0] }
        for side in [5, 16, 23, 31] {
            let result = try resample(picture, to: Picture.size(side, side), filter: filter)
            #expect(result.pixels.allSatisfy { max($0[0], $0[1], $0[2]) <= $0[3] && $0[3] <= 255 })
        }
    }

    @Test("nothing shifts: mirrored in, mirrored out", arguments: ResampleFilter.allCases)
    func symmetry(_ filter: ResampleFilter) throws {
        guard filter != .box else { return }  // Half-open: a centre on the border belongs to one side.
        for (from, to) in sizePairs where !(filter == .automatic && from.width >= 4 * to.width) {
            let picture = try Picture.noise(from.width, from.height, seed: 8)
            let mirror = try Picture.make(from.width, from.height) { x, y in
                picture.pixel(from.width - 1 - x, from.height - 1 - y).map { UInt8($0) }
            }
            let result = try resample(picture, to: to, filter: filter)
            let mirrored = try resample(mirror, to: to, filter: filter)
            let back = try Picture.make(to.width, to.height) { x, y in
                mirrored.pixel(to.width - 1 - x, to.height - 1 - y).map { UInt8($0) }
            }
            #expect(largestDifference(result, back) <= 1, "\(from) to \(to)")
        }
    }

    @Test("the same size is the same picture")
    func identity() throws {
        let picture = try Picture.noise(9, 7)
        #expect(try resample(picture, to: picture.size).identity == picture.identity)
        for filter in ResampleFilter.allCases {
            #expect(try stream(picture, to: picture.size, filter: filter).packedBytes() == picture.packedBytes())
        }
    }

    @Test("misuse is told")
    func misuse() throws {
        let picture = try Picture.noise(4, 4)
        let outside = PixelRect(x: 9, y: 0, width: 1, height: 1)
        #expect { try resample(picture, to: Picture.size(2, 2), keeping: outside) } throws: {
            ($0 as? ImageError)?.code == .misuse
        }
        #expect { try resample(picture, region: outside, to: Picture.size(2, 2)) } throws: {
            ($0 as? ImageError)?.code == .misuse
        }
        let straight = try Picture.make(2, 2, alpha: .straight) { _, _ in [1, 2, 3, 0] }
        #expect { try resample(straight, to: Picture.size(1, 1)) } throws: { ($0 as? ImageError)?.code == .misuse }
    }
}

private typealias Kernels = UnsafePointer<gannet_resample_kernels>

/// Rows of one array, one behind the other.
private func withRows<T, R>(_ rows: [[T]], _ body: ([UnsafePointer<T>?]) -> R) -> R {
    rows.flatMap { $0 }.withUnsafeBufferPointer { flat in
        body(rows.indices.map { index in flat.baseAddress.map { $0 + index * rows[0].count } })
    }
}

private func vertical(_ kernels: Kernels, _ rows: [[Int16]]) -> [UInt8] {
    let weights: [Int16] = [-900, 3000, 9000, 6000, -1100, 384]
    var out = [UInt8](repeating: 0, count: rows[0].count)
    withRows(rows) { kernels.pointee.vertical_i16(&out, $0, weights, weights.count, rows[0].count) }
    return out
}

/// Windows of eight pixels that begin at each pixel, as far as eight are left.
private func withWindows(_ pixels: Int, _ taps: Int, _ body: (UnsafePointer<gannet_windows>) -> Void) {
    let starts: [Int32] = (0..<Int32(max(pixels - taps + 1, 0))).map { $0 }
    let all: [Int16] = [-1000, 9000, 9384, -1000, 3000, -3000, 500, -500, 700, -900, 400, -200]
    let weights: [Int16] = starts.flatMap { _ in all[..<taps] }
    starts.withUnsafeBufferPointer { starts in
        weights.withUnsafeBufferPointer { weights in
            var windows = gannet_windows(
                starts: starts.baseAddress, weights: weights.baseAddress, float_weights: nil, taps: taps, count: starts.count)
            body(&windows)
        }
    }
}

private func along(_ kernels: Kernels, _ rows: [[UInt8]], _ count: Int, taps: Int) -> [Int16] {
    let length = rows[0].count
    var out = [Int16](repeating: 0, count: length * count)
    withWindows(length / 4, taps) { windows in
        out.withUnsafeMutableBufferPointer { out in
            let outs = (0..<count).map { row in out.baseAddress.map { $0 + row * length } }
            withRows(rows) { kernels.pointee.horizontal_u8(outs, $0, count, windows) }
        }
    }
    return out
}

private func along(_ kernels: Kernels, _ row: [Int16], taps: Int) -> [Int16] {
    var out = [Int16](repeating: 0, count: row.count)
    withWindows(row.count / 4, taps) { kernels.pointee.horizontal_i16(&out, row, $0) }
    return out
}

private func box(_ kernels: Kernels, _ rows: [[UInt8]]) -> [Int16] {
    let count = rows[0].count
    var sums = [UInt16](repeating: 0, count: count)
    kernels.pointee.box_sum_rows(&sums, rows.flatMap { $0 }, count, rows.count, count)
    var added = [UInt16](repeating: 0, count: count)
    for row in rows { kernels.pointee.box_add_row(&added, row, count) }
    #expect(sums == added)
    var out: [Int16] = []
    for factor in [1, 2, 3, 5] {
        var means = [Int16](repeating: 0, count: count)
        kernels.pointee.box_finish(&means, sums, count / 4, factor, rows.count)
        out += means
    }
    return out
}
