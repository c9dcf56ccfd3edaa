package import GannetCore

/// Stretches samples of the narrow range of video, in which black is 16 and white 235 of 255 (ITU-T H.273, equations 13 to 15), to all numbers.
/// What is darker than black, or brighter than white, becomes that. Pixels with any alpha, which stays.
package func makeFullRange(_ buffer: inout PixelBuffer) throws(ImageError) {
    let isPremultiplied = buffer.layout.alpha == .premultiplied
    if isPremultiplied { unpremultiply(&buffer) }
    let count = buffer.size.width * 4
    let bytes = (0..<256).map { UInt8(full($0, black: 16, white: 235, most: 255)) }
    for y in 0..<buffer.size.height {
        if y & 63 == 0 { try ImageError.checkCancellation(stage: .decode) }
        let isDeep = buffer.layout.format == .rgba16
        var row = buffer.mutableRow(y)
        for sample in 0..<count where sample & 3 != 3 {
            if isDeep {
                let value = Int(row[2 * sample]) | Int(row[2 * sample + 1]) << 8
                let stretched = full(value, black: 16 << 8, white: 235 << 8, most: 65_535)
                (row[2 * sample], row[2 * sample + 1]) = (UInt8(stretched & 255), UInt8(stretched >> 8))
            } else {
                row[sample] = bytes[Int(row[sample])]
            }
        }
    }
    if isPremultiplied { premultiply(&buffer) }
}

private func full(_ sample: Int, black: Int, white: Int, most: Int) -> Int {
    ((min(max(sample, black), white) - black) * most + (white - black) / 2) / (white - black)
}
