import GannetCore

/// One challenge of `WWW-Authenticate`, RFC 9110 §11.6.1: a scheme and its parameters.
package struct AuthenticationChallenge: Hashable {
    /// Lower case.
    package var scheme: String
    /// Names in lower case, values without quotes; of duplicates, the first.
    package var parameters: [String: String] = [:]

    /// All challenges of all fields. A syntax error ends its field.
    package static func parse(_ fields: [String]) -> [AuthenticationChallenge] {
        var result: [AuthenticationChallenge] = []
        for field in fields {
            var scanner = Scanner(bytes: Array(field.utf8))
            while let (name, value) = scanner.next() {
                switch value {
                case .scheme: result.append(AuthenticationChallenge(scheme: name))
                case .parameter(let text):
                    guard !result.isEmpty else { continue }
                    let last = result.count - 1
                    if result[last].parameters[name] == nil { result[last].parameters[name] = text }
                }
            }
        }
        return result
    }

    /// Whether the response asks for a credential of this kind.
    static func ask(for credential: Credential, in head: HTTPResponseHead) -> Bool {
        let asksDigest = DigestChallenge.best(of: head) != nil
        let schemes = parse(head.headers.all("WWW-Authenticate")).map(\.scheme)
        return switch credential {
        case .basic: asksDigest || schemes.contains("basic")
        case .digest: asksDigest
        case .bearer: schemes.contains("bearer")
        }
    }

    /// Schemes, parameters and bare credentials (`token68`) share one list; the text after a word decides which it is.
    private struct Scanner {
        enum Item {
            case scheme
            case parameter(String)
        }

        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func next() -> (String, Item)? {
            skip { $0 == 32 || $0 == 9 || $0 == UInt8(ascii: ",") }
            let name = word()
            guard !name.isEmpty else { return nil }
            skip { $0 == 32 || $0 == 9 }
            if peek == UInt8(ascii: "=") {
                index += 1
                skip { $0 == 32 || $0 == 9 }
                return (name.lowercased(), .parameter(peek == UInt8(ascii: "\"") ? quoted() : word()))
            }
            skipToken68()
            return (name.lowercased(), .scheme)
        }

        private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

        private mutating func skip(_ isSkipped: (UInt8) -> Bool) { while let byte = peek, isSkipped(byte) { index += 1 } }

        private mutating func word() -> String {
            let start = index
            skip { Self.isWord($0) }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }

        private static func isWord(_ byte: UInt8) -> Bool {
            byte > 32 && byte < 127 && !Array("()<>@,;:\\\"/[]?={}".utf8).contains(byte)
        }

        private mutating func quoted() -> String {
            index += 1
            var plain: [UInt8] = []
            while let byte = peek, byte != UInt8(ascii: "\"") {
                index += 1
                if byte == UInt8(ascii: "\\"), let escaped = peek {
                    index += 1
                    plain.append(escaped)
                } else {
                    plain.append(byte)
                }
            }
            // An unclosed text ends with the field.
            if peek != nil { index += 1 }
            return String(decoding: plain, as: UTF8.self)
        }

        /// Skips a bare credential after a scheme: a word that ends the list item is no parameter.
        private mutating func skipToken68() {
            let start = index
            skip { Self.isWord($0) || $0 == UInt8(ascii: "/") }
            skip { $0 == UInt8(ascii: "=") }
            skip { $0 == 32 || $0 == 9 }
            if let byte = peek, byte != UInt8(ascii: ",") { index = start }
        }
    }
}
