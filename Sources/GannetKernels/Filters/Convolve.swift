import CGannetKernels
import GannetCore
import Glibc

/// Small Gaussians, row by row: what is blurred can be used at once, while it is in the cache, and need not be stored.
struct Convolver: ~Copyable {
    /// `weights[k]` for distance k, 14 fractional bits.
    private let weights: [Int16]
    private let kernels: UnsafePointer<gannet_convolve_kernels>
    private let bitmap: Bitmap
    /// One row between the passes, with its edges repeated `reach` times.
    private let between: PixelMemory
    private let addresses: PixelMemory

    private var reach: Int { weights.count - 1 }

    /// 8-bit premultiplied or opaque pixels. Pixels behind the edge repeat the edge.
    init(
        _ bitmap: Bitmap, sigma: Double, pool: PixelPool, kernels: UnsafePointer<gannet_convolve_kernels>? = nil
    ) throws(ImageError) {
        precondition(bitmap.layout.format == .rgba8 && bitmap.layout.alpha != .straight, "8-bit premultiplied pixels only")
        guard let kernels = kernels ?? gannet_convolve_at(Int32(gannet_level_best().rawValue)) else {
            throw ImageError(.unsupported, stage: .transform, "This processor cannot blur; build for another one.")
        }
        let weights = Self.weights(sigma: sigma)
        let between = try pool.allocate((bitmap.width + 2 * weights.count) * 8)
        let addresses = try pool.allocate((2 * weights.count + 1) * 8)
        self.bitmap = bitmap
        self.weights = weights
        self.kernels = kernels
        self.between = between
        self.addresses = addresses
    }

    /// Ends where less than a thousandth is left; adds up to exactly 16384.
    private static func weights(sigma: Double) -> [Int16] {
        let exact = (0...Int((3 * sigma).rounded(.up))).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = 2 * exact.reduce(0, +) - exact[0]
        var weights = exact.map { Int16(($0 / sum * 16384).rounded()) }
        // Twice the sum does not fit 16 bits where the middle has nearly everything.
        let rounded = weights.reduce(0) { $0 + Int($1) } * 2 - Int(weights[0])
        weights[0] += Int16(16384 - rounded)
        return weights
    }

    /// Writes row `y` to `out`.
    func write(row y: Int, to out: UnsafeMutablePointer<UInt8>) {
        let (reach, width, last) = (reach, bitmap.width, bitmap.height - 1)
        let pointers = addresses.base.assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
        let row = between.base.assumingMemoryBound(to: Int16.self) + reach * 4
        bitmap.withUnsafeRows { base, stride in
            for index in 0...2 * reach {
                (pointers + index).initialize(to: base + min(max(y + index - reach, 0), last) * stride)
            }
            kernels.pointee.vertical(row, pointers, weights, reach, width * 4)
        }
        for distance in stride(from: 1, through: reach, by: 1) {
            memcpy(row - distance * 4, row, 8)
            memcpy(row + (width - 1 + distance) * 4, row + (width - 1) * 4, 8)
        }
        kernels.pointee.horizontal(out, row, weights, reach, width * 4)
    }
}
