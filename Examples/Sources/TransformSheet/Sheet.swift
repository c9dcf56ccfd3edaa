import GannetCore
import GannetImages

/// Numbered tiles on a chequered ground.
struct Sheet {
    static let columns = 5
    static let tile = PixelSize(clamping: 200, 210)
    var tiles: [Bitmap]

    func draw() throws(ImageError) -> Bitmap {
        let rows = (tiles.count + Self.columns - 1) / Self.columns
        var sheet = try ground(width: Self.columns * Self.tile.width, height: rows * Self.tile.height)
        for (index, image) in tiles.enumerated() {
            let left = index % Self.columns * Self.tile.width
            let top = index / Self.columns * Self.tile.height
            let number = try digits(index + 1)
            sheet = try place(
                image, on: sheet, left + (Self.tile.width - image.width) / 2, top + 20 + (190 - image.height) / 2)
            sheet = try place(number, on: sheet, left + 6, top + 5)
        }
        return sheet
    }

    /// Through `stamp`, whose anchors divide the spare length.
    private func place(_ image: Bitmap, on sheet: Bitmap, _ x: Int, _ y: Int) throws(ImageError) -> Bitmap {
        try sheet.stamped(
            with: image, anchorX: Double(x) / Double(sheet.width - image.width),
            anchorY: Double(y) / Double(sheet.height - image.height))
    }

    private func ground(width: Int, height: Int) throws(ImageError) -> Bitmap {
        var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height), alpha: .opaque))
        for y in 0..<height {
            var row = buffer.mutableRow(y)
            for x in 0..<width {
                let isLine = x % Self.tile.width == 0 || y % Self.tile.height == 0
                let value: UInt8 = isLine ? 150 : (x / 8 + y / 8) % 2 == 0 ? 255 : 232
                for channel in 0..<3 { row[x * 4 + channel] = value }
                row[x * 4 + 3] = 255
            }
        }
        return buffer.freeze()
    }

    /// A number in figures of 3 × 5 squares.
    private func digits(_ number: Int) throws(ImageError) -> Bitmap {
        let shapes = [
            "111101101101111", "010110010010111", "111001111100111", "111001111001111", "101101111001001", "111100111001111",
            "111100111101111", "111001010010010", "111101111101111", "111101111001111",
        ].map { Array($0) }
        let text = Array(String(number))
        var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: text.count * 8 - 2, 10)))
        for y in 0..<10 {
            var row = buffer.mutableRow(y)
            for x in 0..<(text.count * 8 - 2) {
                let column = x % 8 / 2
                let isInk = column < 3 && shapes[text[x / 8].wholeNumberValue ?? 0][y / 2 * 3 + column] == "1"
                for channel in 0..<4 { row[x * 4 + channel] = isInk && channel == 3 ? 255 : 0 }
            }
        }
        return buffer.freeze()
    }
}
