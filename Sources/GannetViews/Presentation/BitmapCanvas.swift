import GannetCore
import GannetImages
import GannetKernels

/// Draws scenes in plain Swift: for tests, for terminals, and as the reference that toolkits are compared with. Not fast.
struct BitmapCanvas: ~Copyable {
    private var buffer: PixelBuffer
    private let size: PixelSize
    /// Pixels for each layout point.
    private let scale: Double

    init(_ view: LayoutSize, scale: Double) throws(ImageError) {
        let size = try Self.size(of: view, scale)
        var buffer = try PixelBuffer(PixelLayout(size: size, alpha: .premultiplied))
        buffer.fill(0)
        self.size = size
        self.scale = scale
        self.buffer = buffer
    }

    private static func size(of view: LayoutSize, _ scale: Double) throws(ImageError) -> PixelSize {
        let (width, height) = ((view.width * scale).rounded(), (view.height * scale).rounded())
        guard width.isFinite, height.isFinite else {
            throw ImageError(.misuse, "The view's size or scale is not a finite number; nothing can be drawn.")
        }
        return PixelSize(clamping: whole(width), whole(height))
    }

    /// Numbers that are beyond all images are made smaller.
    private static func whole(_ number: Double) -> Int { number.isNaN ? 0 : Int(min(max(number, -1e9), 1e9)) }

    consuming func finish() -> Bitmap { buffer.freeze() }

    mutating func draw(_ scene: Scene) throws(ImageError) {
        for layer in scene.layers { try draw(layer) }
    }

    private mutating func draw(_ layer: Scene.Layer) throws(ImageError) {
        switch layer.content {
        case .bitmap(let bitmap): try draw(narrowed(bitmap), layer)
        case .color(let color): fill(color, layer) { _, _ in true }
        case .dot(let color):
            let radius = layer.frame.width / 2
            let (x, y) = (layer.frame.x + radius, layer.frame.y + radius)
            fill(color, layer) { px, py in (px - x) * (px - x) + (py - y) * (py - y) <= radius * radius }
        case .view(let view):
            if let view = view as? HeadlessMark { fill(view.color, layer) { _, _ in true } }
        }
    }

    /// Pixels whose centre is inside.
    private func pixels(_ rect: LayoutRect) -> (x: Range<Int>, y: Range<Int>) {
        func range(_ start: Double, _ length: Double, _ limit: Int) -> Range<Int> {
            let low = min(max(Self.whole((start * scale - 0.5).rounded(.up)), 0), limit)
            let high = min(max(Self.whole(((start + length) * scale - 0.5).rounded(.up)), low), limit)
            return low..<high
        }
        return (range(rect.x, rect.width, size.width), range(rect.y, rect.height, size.height))
    }

    private mutating func fill(_ color: PixelColor, _ layer: Scene.Layer, where isInside: (Double, Double) -> Bool) {
        let (columns, rows) = pixels(layer.frame.intersection(layer.clip))
        let alpha = Double(color.alpha) / 255
        let scale = scale
        let parts = [Double(color.red) * alpha, Double(color.green) * alpha, Double(color.blue) * alpha, 255 * alpha]
        for y in rows {
            var row = buffer.mutableRow(y)
            for x in columns where isInside((Double(x) + 0.5) / scale, (Double(y) + 0.5) / scale) {
                Self.blend(&row, x * 4, parts[0], parts[1], parts[2], parts[3], layer.opacity)
            }
        }
    }

    /// Nearest pixel; straight and premultiplied images of 8 bits.
    private mutating func draw(_ bitmap: Bitmap, _ layer: Scene.Layer) {
        let (columns, rows) = pixels(layer.frame.intersection(layer.clip))
        let frame = layer.frame
        let scale = scale
        for y in rows {
            let sourceY = Self.whole(((Double(y) + 0.5) / scale - frame.y) / frame.height * Double(bitmap.height))
            let source = bitmap.row(min(max(sourceY, 0), bitmap.height - 1))
            var row = buffer.mutableRow(y)
            for x in columns {
                let sourceX = Self.whole(((Double(x) + 0.5) / scale - frame.x) / frame.width * Double(bitmap.width))
                let at = min(max(sourceX, 0), bitmap.width - 1) * 4
                let alpha = bitmap.layout.alpha == .opaque ? 255 : Double(source[at + 3])
                let factor = bitmap.layout.alpha == .straight ? alpha / 255 : 1
                Self.blend(
                    &row, x * 4, Double(source[at]) * factor, Double(source[at + 1]) * factor, Double(source[at + 2]) * factor,
                    alpha, layer.opacity)
            }
        }
    }

    private static func blend(
        _ row: inout MutableSpan<UInt8>, _ at: Int, _ r: Double, _ g: Double, _ b: Double, _ a: Double, _ opacity: Double
    ) {
        let rest = 1 - a * opacity / 255
        row[at] = UInt8(min(r * opacity + Double(row[at]) * rest + 0.5, 255))
        row[at + 1] = UInt8(min(g * opacity + Double(row[at + 1]) * rest + 0.5, 255))
        row[at + 2] = UInt8(min(b * opacity + Double(row[at + 2]) * rest + 0.5, 255))
        row[at + 3] = UInt8(min(a * opacity + Double(row[at + 3]) * rest + 0.5, 255))
    }
}
