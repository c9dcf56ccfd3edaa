package import GannetCore

extension Bitmap {
    /// Calls `body` with one band of rows after the other, the address of row 0 and the distance of rows in bytes; looks for
    /// cancellation before each. `height` is the number of rows to go through, by default the image's.
    package func eachBand(
        of height: Int? = nil,
        _ body: (_ rows: Range<Int>, _ base: UnsafePointer<UInt8>, _ bytesPerRow: Int) throws(ImageError) -> Void
    ) throws(ImageError) {
        let height = height ?? self.height
        try withUnsafeRows { (base, stride) throws(ImageError) in
            for top in Swift.stride(from: 0, to: height, by: BandLooks.rows) {
                try ImageError.checkCancellation(stage: .transform)
                try body(top..<min(top + BandLooks.rows, height), base, stride)
            }
        }
    }
}

/// Looks for cancellation where the work comes in unequal steps: once for every 64 rows that are read or written.
struct BandLooks {
    static let rows = 64
    private var left = 0

    /// Tells of `rows` rows that are to be worked on next.
    mutating func before(_ rows: Int) throws(ImageError) {
        left -= rows
        guard left < 0 else { return }
        left = Self.rows
        try ImageError.checkCancellation(stage: .transform)
    }
}
