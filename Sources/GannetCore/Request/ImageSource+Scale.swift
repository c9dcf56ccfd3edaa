import FoundationEssentials
import Glibc

extension ImageSource {
    /// Pixels for each point of the layout as the source's name says it: 2 for `bird@2x.png`, also where the sign is written `%40`.
    /// Nil if it says nothing. - SDWebImage: SDImageScaleFactorForKey
    public var scaleOfName: Double? {
        var text: String
        switch self {
        case .url(let url): text = url.absoluteString
        case .file(let path): text = path
        case .data, .provider: return nil
        }
        return text.withUTF8 { Self.scale($0) }
    }

    /// The scale in the last part of a path: a sign, a digit, `x` and the dot of the extension.
    private static func scale(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        // Nearly every address ends here. `base` is the text's storage, which outlives the call.
        guard let base = text.baseAddress,
            memchr(base, Int32(UInt8(ascii: "@")), text.count) != nil || memchr(base, Int32(UInt8(ascii: "%")), text.count) != nil
        else { return nil }
        var end = text.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? text.count
        while end > 2, text[end - 1] != UInt8(ascii: "/") {
            end -= 1
            guard text[end] == UInt8(ascii: "."), text[end - 1] == UInt8(ascii: "x"),
                (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(text[end - 2])
            else { continue }
            let before = text[..<(end - 2)]
            guard before.last == UInt8(ascii: "@") || before.suffix(3).elementsEqual("%40".utf8) else { continue }
            return Double(text[end - 2] - UInt8(ascii: "0"))
        }
        return nil
    }
}
