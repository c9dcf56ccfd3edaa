import GannetCore

/// A colour in sRGB with straight alpha, 0 … 255 each.
public struct PixelColor: Hashable, Sendable {
    /// Not multiplied by alpha.
    public var red: UInt8
    /// Not multiplied by alpha.
    public var green: UInt8
    /// Not multiplied by alpha.
    public var blue: UInt8
    /// 0 is clear, 255 opaque.
    public var alpha: UInt8

    /// Opaque by default.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// `RGB`, `RGBA`, `RRGGBB` or `RRGGBBAA` in hexadecimal, with or without `#` before it; nil for anything else.
    public init?(hex: String) {
        let digits = (hex.hasPrefix("#") ? hex.dropFirst() : hex[...]).map { $0.isASCII ? $0.hexDigitValue : nil }
        let values = digits.compactMap { $0 }
        guard values.count == digits.count else { return nil }
        var bytes: [UInt8]
        switch values.count {
        case 3, 4: bytes = values.map { UInt8($0 * 17) }
        case 6, 8: bytes = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] * 16 + values[$0 + 1]) }
        default: return nil
        }
        if bytes.count == 3 { bytes.append(255) }
        self.init(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes[3])
    }

    /// Fully transparent: black with alpha 0.
    public static let clear = PixelColor(red: 0, green: 0, blue: 0, alpha: 0)
    /// `#000000`, opaque.
    public static let black = PixelColor(red: 0, green: 0, blue: 0)
    /// `#ffffff`, opaque.
    public static let white = PixelColor(red: 255, green: 255, blue: 255)
    /// `#ff0000`, opaque.
    public static let red = PixelColor(red: 255, green: 0, blue: 0)
    /// `#00ff00`, opaque; the `lime` of CSS.
    public static let green = PixelColor(red: 0, green: 255, blue: 0)
    /// `#0000ff`, opaque.
    public static let blue = PixelColor(red: 0, green: 0, blue: 255)
    /// Legible on light and on dark.
    public static let middleGray = PixelColor(red: 128, green: 128, blue: 128)

    /// `#rrggbbaa`.
    public var hex: String {
        "#" + Hexadecimal.text(of: [red, green, blue, alpha])
    }

    /// The colour as a premultiplied pixel, red in the lowest byte.
    var premultiplied: UInt32 {
        let bytes = [red, green, blue].map { (UInt32($0) * UInt32(alpha) * 2 + 255) / 510 } + [UInt32(alpha)]
        return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24
    }
}

extension PixelColor: CustomStringConvertible {
    public var description: String { hex }
}
