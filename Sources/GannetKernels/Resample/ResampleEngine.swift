import CGannetKernels
import GannetCore
import Glibc

/// The second and third step of a plan: rows of the output's width, then finished output rows from the rows that the caller
/// keeps.
///
/// Works along the rows first: a large image is read once, from top to bottom, and the rows kept between the steps are narrow.
struct ResampleEngine: ~Copyable {
    let plan: ResamplePlan
    let kernels: UnsafePointer<gannet_resample_kernels>
    /// A row that is narrower than a window, with room behind it.
    private let padded: PixelMemory
    /// Addresses of the rows of one window.
    private let addresses: PixelMemory

    /// Bytes of one row between the steps, rounded up.
    var rowBytes: Int { (plan.output.width * (plan.format == .rgba8 ? 8 : 16) + 63) & ~63 }
    /// Bytes of one averaged row with the room that ``narrow(averaged:into:)`` reads behind it, rounded up.
    var averagedRowBytes: Int { (max(plan.shrunk.width, plan.horizontal.taps) * 8 + 63) & ~63 }

    init(
        from: PixelSize, covered: SampledExtent? = nil, to: PixelSize, keeping: PixelRect?, format: PixelFormat,
        filter: ResampleFilter, pool: PixelPool,
        kernels: UnsafePointer<gannet_resample_kernels> = gannet_resample_best()
    ) throws(ImageError) {
        let all = PixelRect(x: 0, y: 0, width: to.width, height: to.height)
        guard let kept = (keeping ?? all).clipped(to: to) else {
            throw ImageError(.misuse, stage: .transform, "The part to keep lies outside of the image of \(to).")
        }
        let plan = ResamplePlan(from: from, covered: covered, to: to, keeping: kept, format: format, filter: filter)
        // Samples beyond the end get weight zero.
        let padded = try pool.allocate(plan.horizontal.taps * 8)
        memset(padded.base, 0, plan.horizontal.taps * 8)
        let addresses = try pool.allocate((plan.vertical.taps + 1) * 8)
        self.plan = plan
        self.kernels = kernels
        self.padded = padded
        self.addresses = addresses
    }

    /// `count` ≤ 4 rows of the source, `stride` bytes apart, into rows of ``rowBytes`` with the given addresses.
    func narrow(
        _ rows: UnsafePointer<UInt8>, stride: Int, count: Int, into target: (Int) -> UnsafeMutableRawPointer
    ) {
        guard plan.shrunk.width >= plan.horizontal.taps else {
            for index in 0..<count {
                memcpy(padded.base, rows + index * stride, plan.shrunk.width * plan.format.bytesPerPixel)
                narrowWide(padded.base.assumingMemoryBound(to: UInt8.self), stride: 0, count: 1) { _ in target(index) }
            }
            return
        }
        narrowWide(rows, stride: stride, count: count, into: target)
    }

    private func narrowWide(
        _ rows: UnsafePointer<UInt8>, stride: Int, count: Int, into target: (Int) -> UnsafeMutableRawPointer
    ) {
        withWindows { windows in
            if plan.format == .rgba8 {
                withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: 4) { sources in
                    withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Int16>?.self, capacity: 4) { targets in
                        for index in 0..<count {
                            sources.initializeElement(at: index, to: rows + index * stride)
                            targets.initializeElement(at: index, to: target(index).assumingMemoryBound(to: Int16.self))
                        }
                        kernels.pointee.horizontal_u8(targets.baseAddress, sources.baseAddress, count, windows)
                    }
                }
            } else {
                for index in 0..<count {
                    let row = UnsafeRawPointer(rows + index * stride).assumingMemoryBound(to: UInt16.self)
                    kernels.pointee.horizontal_u16(target(index).assumingMemoryBound(to: Float.self), row, windows)
                }
            }
        }
    }

    /// The same for one averaged row, which has ``averagedRowBytes``.
    func narrow(averaged row: UnsafeMutableRawPointer, into target: UnsafeMutableRawPointer) {
        let numbers = row.assumingMemoryBound(to: Int16.self)
        withWindows { kernels.pointee.horizontal_i16(target.assumingMemoryBound(to: Int16.self), numbers, $0) }
    }

    /// `source` answers with the address of row number i of those between the steps.
    func write(row y: Int, into buffer: inout PixelBuffer, source: (Int) -> UnsafeRawPointer) {
        let start = Int(plan.vertical.starts[y])
        let count = Int(plan.vertical.counts[y])
        let taps = (count + 1) & ~1
        let pointers = addresses.base.assumingMemoryBound(to: UnsafeRawPointer?.self)
        for index in 0..<taps { (pointers + index).initialize(to: source(start + min(index, count - 1))) }
        let (stride, offset, samples) = (buffer.bytesPerRow, y * plan.vertical.taps, plan.output.width * 4)
        buffer.withUnsafeRows { base, _ in
            let out = base + y * stride
            if plan.format == .rgba8 {
                plan.vertical.fixed.withUnsafeBufferPointer { weights in
                    guard let weights = weights.baseAddress.map({ $0 + offset }) else { return }
                    pointers.withMemoryRebound(to: UnsafePointer<Int16>?.self, capacity: taps) {
                        kernels.pointee.vertical_i16(out, $0, weights, taps, samples)
                    }
                }
            } else {
                plan.vertical.floats.withUnsafeBufferPointer { weights in
                    guard let weights = weights.baseAddress.map({ $0 + offset }) else { return }
                    let wide = UnsafeMutableRawPointer(out).assumingMemoryBound(to: UInt16.self)
                    pointers.withMemoryRebound(to: UnsafePointer<Float>?.self, capacity: taps) {
                        kernels.pointee.vertical_u16(wide, $0, weights, taps, samples)
                    }
                }
            }
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
