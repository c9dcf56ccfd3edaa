/// A text that may contain URLs, and the parameters of their queries and fragments.
///
/// URLs may be percent-encoded within others, several times over: the `?`, `&` and `=` of such a URL count as its own.
struct QueryText {
    struct Parameter {
        /// The name without escapes.
        var name: [UInt8]
        var valueStart: Int
        /// How many times its query is percent-encoded.
        var depth: Int
    }

    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// One character, which may be escaped.
    private struct Unit {
        var byte: UInt8
        var end: Int
        /// How many times it is percent-encoded.
        var depth: Int
    }

    /// The parameters in the order of the text. The value of a parameter may contain others.
    var parameters: [Parameter] {
        var found: [Parameter] = []
        /// The name that is being read.
        var (name, depth): ([UInt8]?, Int) = (nil, 0)
        var index = 0
        while index < bytes.count {
            let unit = unit(at: index)
            switch unit.byte {
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"):
                (name, depth) = ([], unit.depth)
            case UInt8(ascii: "="):
                if let ended = name, !ended.isEmpty {
                    found.append(Parameter(name: ended, valueStart: unit.end, depth: depth))
                }
                name = nil
            case _ where Self.endsWord(unit): name = nil
            default: name?.append(unit.byte)
            }
            index = unit.end
        }
        return found
    }

    func valueEnd(of parameter: Parameter) -> Int {
        var index = parameter.valueStart
        while index < bytes.count {
            let unit = unit(at: index)
            let separates = unit.byte == UInt8(ascii: "&") || unit.byte == UInt8(ascii: "#")
            if separates && unit.depth <= parameter.depth { return index }
            if Self.endsWord(unit) { break }
            index = unit.end
        }
        // The marks of the sentence, as after `see URL.`
        while index > parameter.valueStart, ".:,;')".utf8.contains(bytes[index - 1]) { index -= 1 }
        return index
    }

    /// True for bytes that no URL contains unescaped: they end a URL in a sentence, and a part of a key.
    private static func endsWord(_ unit: Unit) -> Bool {
        unit.depth == 0 && (unit.byte <= 0x20 || unit.byte == 0x7F || "\"<>".utf8.contains(unit.byte))
    }

    /// `%253D` is a `=` that was encoded twice.
    private func unit(at index: Int) -> Unit {
        let plain = Unit(byte: bytes[index], end: index + 1, depth: 0)
        guard plain.byte == UInt8(ascii: "%"), var byte = escaped(at: index + 1) else { return plain }
        var (end, depth) = (index + 3, 1)
        while byte == UInt8(ascii: "%"), let inner = escaped(at: end) { (byte, end, depth) = (inner, end + 2, depth + 1) }
        return Unit(byte: byte, end: end, depth: depth)
    }

    private func escaped(at index: Int) -> UInt8? {
        guard index + 1 < bytes.count, let high = Self.digit(bytes[index]), let low = Self.digit(bytes[index + 1]) else {
            return nil
        }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): (byte | 0x20) - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
