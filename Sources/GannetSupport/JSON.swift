import GannetCore

/// A JSON value (RFC 8259) whose objects keep their order.
package indirect enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    /// Written with at most three digits after the point; not a number and infinities become null.
    case number(Double)
    /// Written with at most seven digits after the point: of a degree on the earth that is a centimetre.
    case fine(Double)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])

    package static func optional(_ value: Int?) -> JSON { value.map { .integer($0) } ?? .null }
    package static func optional(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }

    /// One line, without spaces.
    package var text: String {
        var result = ""
        write(to: &result)
        return result
    }

    /// The same without passwords.
    package var redacted: JSON {
        switch self {
        case .null, .bool, .integer, .number, .fine: self
        case .string(let value): .string(TextRedaction.text(value))
        case .array(let values): .array(values.map(\.redacted))
        case .object(let fields): .object(fields.map { ($0.0, $0.1.redacted) })
        }
    }

    private func write(to result: inout String) {
        switch self {
        case .null: result += "null"
        case .bool(let value): result += value ? "true" : "false"
        case .integer(let value): result += String(value)
        case .number(let value): result += value.isFinite ? value.decimal(places: 3) : "null"
        case .fine(let value): result += value.isFinite ? value.decimal(places: 7) : "null"
        case .string(let value): Self.write(value, to: &result)
        case .array(let values):
            result += "["
            for (index, value) in values.enumerated() {
                if index > 0 { result += "," }
                value.write(to: &result)
            }
            result += "]"
        case .object(let fields):
            result += "{"
            for (index, field) in fields.enumerated() {
                if index > 0 { result += "," }
                Self.write(field.0, to: &result)
                result += ":"
                field.1.write(to: &result)
            }
            result += "}"
        }
    }

    private static func write(_ value: String, to result: inout String) {
        result += "\""
        for scalar in ByteText.shown(value).unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            // The second range also contains terminal control characters.
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        result += "\""
    }

    package static func == (left: JSON, right: JSON) -> Bool { left.text == right.text }
}
