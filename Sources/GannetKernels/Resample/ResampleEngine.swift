import CGannetKernels
import GannetCore
import Glibc

/// The second and third step of a plan: finished output rows from rows that somebody else keeps.
struct ResampleEngine: ~Copyable {
    let plan: ResamplePlan
    let kernels: UnsafePointer<gannet_resample_kernels>
    /// One row between the steps, as wide as the averaged source.
    private let between: PixelMemory
    /// Addresses of the rows of one window.
    private let addresses: PixelMemory

    /// Bytes of one averaged row, rounded up.
    var averagedRowBytes: Int { (plan.shrunk.width * 8 + 63) & ~63 }

    init(
        from: PixelSize, to: PixelSize, keeping: PixelRect?, format: PixelFormat, filter: ResampleFilter, pool: PixelPool,
        kernels: UnsafePointer<gannet_resample_kernels> = gannet_resample_best()
    ) throws(ImageError) {
        let all = PixelRect(x: 0, y: 0, width: to.width, height: to.height)
        guard let kept = (keeping ?? all).clipped(to: to) else {
            throw ImageError(.misuse, stage: .transform, "The part to keep lies outside of the picture of \(to).")
        }
        try self.init(
            plan: ResamplePlan(from: from, to: to, keeping: kept, format: format, filter: filter), pool: pool, kernels: kernels)
    }

    init(
        plan: ResamplePlan, pool: PixelPool, kernels: UnsafePointer<gannet_resample_kernels> = gannet_resample_best()
    ) throws(ImageError) {
        // Padding windows read up to `taps` pixels behind the end, weighted with zero: zeros there, because float garbage may
        // be NaN, and NaN times zero is NaN.
        let bytes = (plan.shrunk.width + plan.horizontal.taps) * (plan.format == .rgba8 ? 8 : 16) + 64
        let between = try pool.allocate(bytes)
        memset(between.base, 0, bytes)
        let addresses = try pool.allocate((plan.vertical.taps + 1) * 8)
        self.plan = plan
        self.kernels = kernels
        self.between = between
        self.addresses = addresses
    }

    /// `source` answers with the address of averaged row (or source row) number i.
    func write(row y: Int, into buffer: inout PixelBuffer, source: (Int) -> UnsafeRawPointer) {
        let start = Int(plan.vertical.starts[y])
        let count = Int(plan.vertical.counts[y])
        let taps = (count + 1) & ~1
        let pointers = addresses.base.assumingMemoryBound(to: UnsafeRawPointer?.self)
        for index in 0..<taps { (pointers + index).initialize(to: source(start + min(index, count - 1))) }
        let (stride, offset) = (buffer.bytesPerRow, y * plan.vertical.taps)
        buffer.withUnsafeRows { base, _ in
            if plan.format == .rgba8 {
                weigh8(base + y * stride, pointers, offset: offset, taps: taps)
            } else {
                weigh16(base + y * stride, pointers, offset: offset, taps: taps)
            }
        }
    }

    private func weigh8(
        _ out: UnsafeMutablePointer<UInt8>, _ rows: UnsafeMutablePointer<UnsafeRawPointer?>, offset: Int, taps: Int
    ) {
        let row = between.base.assumingMemoryBound(to: Int16.self)
        let samples = plan.shrunk.width * 4
        plan.vertical.fixed.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress.map({ $0 + offset }) else { return }
            if plan.isShrinking {
                rows.withMemoryRebound(to: UnsafePointer<Int16>?.self, capacity: taps) {
                    kernels.pointee.vertical_i16(row, $0, weights, taps, samples)
                }
            } else {
                rows.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: taps) {
                    kernels.pointee.vertical_u8(row, $0, weights, taps, samples)
                }
            }
        }
        withWindows { kernels.pointee.horizontal_u8(out, row, $0) }
    }

    private func weigh16(
        _ out: UnsafeMutablePointer<UInt8>, _ rows: UnsafeMutablePointer<UnsafeRawPointer?>, offset: Int, taps: Int
    ) {
        let row = between.base.assumingMemoryBound(to: Float.self)
        plan.vertical.floats.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress.map({ $0 + offset }) else { return }
            rows.withMemoryRebound(to: UnsafePointer<UInt16>?.self, capacity: taps) {
                kernels.pointee.vertical_u16(row, $0, weights, taps, plan.shrunk.width * 4)
            }
        }
        out.withMemoryRebound(to: UInt16.self, capacity: plan.output.width * 4) { out in
            withWindows { kernels.pointee.horizontal_u16(out, row, $0) }
        }
    }

    private func withWindows(_ body: (UnsafePointer<gannet_windows>) -> Void) {
        let horizontal = plan.horizontal
        horizontal.starts.withUnsafeBufferPointer { starts in
            horizontal.fixed.withUnsafeBufferPointer { fixed in
                horizontal.floats.withUnsafeBufferPointer { floats in
                    var windows = gannet_windows(
                        starts: starts.baseAddress, weights: fixed.baseAddress, float_weights: floats.baseAddress,
                        taps: horizontal.taps, count: plan.output.width)
                    body(&windows)
                }
            }
        }
    }
}
