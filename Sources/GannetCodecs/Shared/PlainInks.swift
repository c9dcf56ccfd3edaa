/// Converts inks without a profile: red is the light that cyan and black leave, and so on.
enum PlainInks {
    /// Converts `count` pixels of cyan, magenta, yellow and black (0 is no ink) to opaque RGBA, in place.
    static func convert(_ row: inout MutableSpan<UInt8>, count: Int) {
        for x in 0..<count {
            let black = 255 - UInt32(row[4 * x + 3])
            for channel in 4 * x..<4 * x + 3 {
                let product = (255 - UInt32(row[channel])) * black + 128
                row[channel] = UInt8(truncatingIfNeeded: (product + product >> 8) >> 8)
            }
            row[4 * x + 3] = 255
        }
    }
}
