import CGannetKernels
package import GannetCore
import Glibc

/// Changes the size of an image whose rows come one by one, top to bottom, while it is decoded.
///
/// Holds a few rows of the result's width (as many as the filter is high), never the image. Rows are `rgba8` or `rgba16`,
/// premultiplied or opaque. Pixel centres are at halves, so nothing shifts; weights at the edges add up to one.
package struct RowResampler: ~Copyable {
    private let engine: ResampleEngine
    /// Rows of the output's width, the newest `slots` of them.
    private let ring: PixelMemory
    private let slots: Int
    private let slotBytes: Int
    /// One averaged row.
    private let averaged: PixelMemory
    /// Sums of the source rows that make the next averaged row.
    private let sums: PixelMemory
    private var summed = 0
    private var nextSource = 0
    private var nextSlot = 0
    private var nextOutput = 0

    /// Finished rows at the top of the output.
    package var rowsWritten: Int { nextOutput }
    /// The size that the buffer given to ``push(_:into:)`` must have.
    package var outputSize: PixelSize { engine.plan.output }

    /// - Parameters:
    ///   - from: Size of the source.
    ///   - to: Size of the result, larger or smaller, each side for itself.
    ///   - keeping: The part of the result that is wanted, clipped to it; nil is all. The rest costs nothing.
    ///   - pool: Where the working memory comes from.
    /// - Throws: `limitExceeded` if there is no memory; `misuse` if `keeping` lies outside of the result.
    package init(
        from: PixelSize, to: PixelSize, keeping: PixelRect? = nil, format: PixelFormat = .rgba8,
        filter: ResampleFilter = .automatic, pool: PixelPool = .shared
    ) throws(ImageError) {
        try self.init(from: from, covered: nil, to: to, keeping: keeping, format: format, filter: filter, pool: pool)
    }

    /// `covered`: how much of the source's samples lies within the image; nil: all.
    package init(
        from: PixelSize, covered: SampledExtent?, to: PixelSize, keeping: PixelRect? = nil, format: PixelFormat = .rgba8,
        filter: ResampleFilter = .automatic, pool: PixelPool = .shared
    ) throws(ImageError) {
        let engine = try ResampleEngine(
            from: from, covered: covered, to: to, keeping: keeping, format: format, filter: filter, pool: pool)
        let isShrinking = engine.plan.isShrinking
        let slots = engine.plan.vertical.depth
        let slotBytes = engine.rowBytes
        let ring = try pool.allocate(slots * slotBytes)
        let averaged = try pool.allocate(isShrinking ? engine.averagedRowBytes : 1)
        if isShrinking { memset(averaged.base, 0, engine.averagedRowBytes) }
        let sums = try pool.allocate(isShrinking ? from.width * 8 : 1)
        self.engine = engine
        self.slots = slots
        self.slotBytes = slotBytes
        self.ring = ring
        self.averaged = averaged
        self.sums = sums
    }

    /// The next row of the source; writes all output rows that are finished by it into `buffer`.
    ///
    /// - Precondition: `row` is as long as the source is wide, `buffer` has ``outputSize`` and the same format, and not more
    ///   rows are pushed than the source has.
    package mutating func push(_ row: Span<UInt8>, into buffer: inout PixelBuffer) {
        let plan = engine.plan
        precondition(row.count == plan.source.width * plan.format.bytesPerPixel, "a row of another width")
        precondition(nextSource < plan.source.height, "more rows than the source has")
        precondition(buffer.size == plan.output && buffer.layout.format == plan.format, "a buffer of another size or format")
        row.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            if plan.isShrinking {
                average(base)
            } else {
                engine.narrow(base, stride: 0, count: 1) { _ in slot(nextSlot) }
                nextSlot += 1
            }
        }
        nextSource += 1
        emit(into: &buffer)
    }

    private func slot(_ index: Int) -> UnsafeMutableRawPointer { ring.base.advanced(by: index % slots * slotBytes) }

    private mutating func average(_ row: UnsafePointer<UInt8>) {
        let plan = engine.plan
        let samples = plan.source.width * 4
        let sum = sums.base.assumingMemoryBound(to: UInt16.self)
        if summed == 0 { sum.initialize(repeating: 0, count: samples) }
        engine.kernels.pointee.box_add_row(sum, row, samples)
        summed += 1
        guard summed == plan.shrinkY || nextSource == plan.source.height - 1 else { return }
        let means = averaged.base.assumingMemoryBound(to: Int16.self)
        engine.kernels.pointee.box_finish(means, sum, plan.source.width, plan.shrinkX, summed)
        engine.narrow(averaged: averaged.base, into: slot(nextSlot))
        nextSlot += 1
        summed = 0
    }

    private mutating func emit(into buffer: inout PixelBuffer) {
        while nextOutput < engine.plan.output.height, engine.plan.vertical.end(of: nextOutput) <= nextSlot {
            let (ring, slots, slotBytes) = (ring.base, slots, slotBytes)
            engine.write(row: nextOutput, into: &buffer) { UnsafeRawPointer(ring.advanced(by: $0 % slots * slotBytes)) }
            nextOutput += 1
        }
    }
}
