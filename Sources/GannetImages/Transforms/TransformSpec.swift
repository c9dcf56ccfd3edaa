public import GannetCore
import GannetKernels

extension StandardTransformer {
    /// A transformer written as text, for command lines and configuration: `resize:100x50`, `crop:0,0,10,10`, `rotate:90`,
    /// `flip:h`, `round:8`, `circle`, `tint:ff000080`, `blur:4`, `gray`, `border:2,000000ff`, `color:brightness=0.1,contrast=1.2`,
    /// and also `sharpen[:RADIUS,AMOUNT]`, `flatten[:RRGGBB]`, `overlay:RRGGBBAA,FRACTION`, `pixelate:SIDE`, `trim[:THRESHOLD,RRGGBB]`,
    /// `invert`, `bw`. Throws `misuse`; the message says what was expected.
    public init(parsing text: String) throws(ImageError) { self = try TransformSpec.parse(text) }
}

/// The words of transformers that are written as text.
private enum TransformSpec {
    static func parse(_ text: String) throws(ImageError) -> StandardTransformer {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        let arguments = Arguments(spec: text, name: parts[0], text: parts.count > 1 ? parts[1] : nil)
        switch parts[0] {
        case "resize": return try resize(arguments)
        case "crop":
            let values = try arguments.integers(4, "crop:X,Y,W,H")
            guard values[2] > 0, values[3] > 0 else { throw arguments.wrong("a width and height above 0") }
            return .crop(x: values[0], y: values[1], width: values[2], height: values[3])
        case "rotate": return .rotate(degrees: try arguments.numbers(1...1, "rotate:DEGREES")[0])
        case "flip":
            guard let text = arguments.text, ["h", "v", "hv", "vh"].contains(text) else {
                throw arguments.wrong("flip:h, flip:v or flip:hv")
            }
            return .flip(horizontal: text.contains("h"), vertical: text.contains("v"))
        case "round":
            return .roundCorners(radius: try arguments.positive("round:RADIUS"))
        case "circle": return try arguments.none { .circle }
        case "tint": return .tint(try arguments.color(arguments.text, "tint:RRGGBBAA"))
        case "blur": return .blur(radius: try arguments.positive("blur:RADIUS"))
        case "gray", "grey": return try arguments.none { .grayscale }
        case "invert": return try arguments.none { .invert }
        case "bw": return try arguments.none { .blackAndWhite }
        case "border":
            let fields = try arguments.fields(2, "border:WIDTH,RRGGBBAA")
            guard let width = Double(fields[0]), width >= 0, width.isFinite else {
                throw arguments.wrong("border:WIDTH,RRGGBBAA")
            }
            return .border(width: width, color: try arguments.color(fields[1], "border:WIDTH,RRGGBBAA"))
        case "color": return try colorControls(arguments)
        case "sharpen":
            let values = arguments.text == nil ? [] : try arguments.numbers(1...2, "sharpen[:RADIUS[,AMOUNT]]")
            return .sharpen(radius: values.first ?? 1, amount: values.count > 1 ? values[1] : 0.5)
        case "flatten":
            return .flatten(arguments.text == nil ? .white : try arguments.color(arguments.text, "flatten[:RRGGBB]"))
        case "pixelate":
            let side = try arguments.positive("pixelate:SIDE")
            guard side >= 1, side == side.rounded(), side <= Double(PixelSize.maximumSide) else {
                throw arguments.wrong("a whole number of pixels")
            }
            return .pixelate(size: Int(side))
        case "trim":
            let fields = arguments.text?.split(separator: ",", omittingEmptySubsequences: false).map { String($0) } ?? ["10"]
            guard (1...2).contains(fields.count), let threshold = Double(fields[0]), (0...255).contains(threshold) else {
                throw arguments.wrong("trim[:THRESHOLD[,RRGGBB]]")
            }
            let color = fields.count > 1 ? try arguments.color(fields[1], "trim[:THRESHOLD[,RRGGBB]]") : nil
            return .trim(threshold: threshold, color: color)
        case "overlay":
            let fields = try arguments.fields(2, "overlay:RRGGBBAA,FRACTION")
            guard let fraction = Double(fields[1]), (0...1).contains(fraction) else { throw arguments.wrong("a fraction 0 … 1") }
            return .overlay(try arguments.color(fields[0], "overlay:RRGGBBAA,FRACTION"), fraction: fraction)
        default:
            throw ImageError(
                .misuse, stage: .transform,
                "There is no transform \"\(parts[0])\". Known: resize, crop, rotate, flip, round, circle, tint, blur, gray, border, color, sharpen, flatten, overlay, pixelate, trim, invert, bw."
            )
        }
    }

    /// Exactly WxH; with one side missing (`100x`, `x50`) it follows in proportion; `,fit` and `,fill` keep the proportions.
    private static func resize(_ arguments: Arguments) throws(ImageError) -> StandardTransformer {
        let usage = "resize:WxH[,fit|fill|stretch]"
        let fields = (arguments.text ?? "").split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        let sides = fields[0].lowercased().split(separator: "x", omittingEmptySubsequences: false).map { String($0) }
        guard fields.count <= 2, sides.count == 2, sides != ["", ""] else { throw arguments.wrong(usage) }
        var lengths: [Int?] = []
        for side in sides {
            if side.isEmpty {
                lengths.append(nil)
            } else if let length = Int(side), (1...PixelSize.maximumSide).contains(length) {
                lengths.append(length)
            } else {
                throw arguments.wrong(usage)
            }
        }
        guard let mode = TargetSize.Mode(rawValue: fields.count > 1 ? fields[1] : "stretch") else { throw arguments.wrong(usage) }
        return .resize(width: lengths[0], height: lengths[1], mode: mode)
    }

    private static func colorControls(_ arguments: Arguments) throws(ImageError) -> StandardTransformer {
        let usage = "color:brightness=…,contrast=…,saturation=…,exposure=…"
        var controls = ColorControlsTransformer()
        guard let text = arguments.text, !text.isEmpty else { throw arguments.wrong(usage) }
        for field in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = field.split(separator: "=", maxSplits: 1).map { String($0) }
            guard pair.count == 2, let value = Double(pair[1]), value.isFinite else { throw arguments.wrong(usage) }
            switch pair[0] {
            case "brightness": controls.brightness = value
            case "contrast": controls.contrast = value
            case "saturation": controls.saturation = value
            case "exposure": controls.exposure = value
            default: throw arguments.wrong(usage)
            }
        }
        return StandardTransformer(controls)
    }
}

/// The arguments after a specification's colon.
private struct Arguments {
    let spec: String
    let name: String
    let text: String?

    func wrong(_ expected: String) -> ImageError {
        ImageError(.misuse, stage: .transform, "The transform \"\(spec)\" is not understood; expected \(expected).")
    }

    func fields(_ count: Int, _ usage: String) throws(ImageError) -> [String] {
        let fields = (text ?? "").split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        guard fields.count == count else { throw wrong(usage) }
        return fields
    }

    func integers(_ count: Int, _ usage: String) throws(ImageError) -> [Int] {
        let values = try fields(count, usage).map { Int($0) }
        guard !values.contains(nil) else { throw wrong(usage) }
        return values.compactMap { $0 }
    }

    func numbers(_ count: ClosedRange<Int>, _ usage: String) throws(ImageError) -> [Double] {
        let fields = (text ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let values = fields.compactMap { Double(String($0)) }.filter { $0.isFinite }
        guard count.contains(fields.count), values.count == fields.count else { throw wrong(usage) }
        return values
    }

    func positive(_ usage: String) throws(ImageError) -> Double {
        let value = try numbers(1...1, usage)[0]
        guard value >= 0 else { throw wrong(usage) }
        return value
    }

    func color(_ text: String?, _ usage: String) throws(ImageError) -> PixelColor {
        guard let text, let color = PixelColor(hex: text) else { throw wrong(usage) }
        return color
    }

    func none(_ make: () -> StandardTransformer) throws(ImageError) -> StandardTransformer {
        guard text == nil else { throw wrong("\(name) without arguments") }
        return make()
    }
}
