/// The tags of an XMP packet, with their places. Reads what XMP writes: no entities of its own, no DTD. Anything else ends it. One pass,
/// no recursion, nothing kept but the names in use.
struct XMPScanner {
    struct Name: Hashable {
        /// The namespace; empty if its prefix was not declared.
        var space: String
        var local: String

        init(_ space: String, _ local: String) { (self.space, self.local) = (space, local) }
    }

    struct Attribute {
        var name: Name
        var value: String
        /// With the space before it.
        var place: Range<Int>
    }

    enum Token {
        case start(Name, [Attribute], place: Range<Int>, isEmpty: Bool)
        case end(Name, place: Range<Int>)
        case text(String)
    }

    private let bytes: [UInt8]
    private var position = 0
    /// By prefix. Declarations count from where they stand to the end, which is how packets use them.
    private var spaces: [String: String] = [:]

    init(_ packet: [UInt8]) { bytes = packet }

    /// Nil at the end of what can be read.
    mutating func next() -> Token? {
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<") else { return text() }
            if starts(with: "<!--") {
                guard skip(past: "-->") else { return nil }
            } else if starts(with: "<?") {
                guard skip(past: "?>") else { return nil }
            } else if starts(with: "</") {
                return end()
            } else {
                return start()
            }
        }
        return nil
    }

    private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func skip(past text: String) -> Bool {
        while position < bytes.count {
            if starts(with: text) {
                position += text.utf8.count
                return true
            }
            position += 1
        }
        return false
    }

    private mutating func text() -> Token {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
        return .text(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func end() -> Token? {
        let start = position
        position += 2
        let name = word()
        skipSpace()
        guard take(">") else { return nil }
        return .end(resolved(name), place: start..<position)
    }

    private mutating func start() -> Token? {
        let start = position
        position += 1
        let tag = word()
        guard !tag.isEmpty else { return nil }
        var found: [(name: String, value: String, place: Range<Int>)] = []
        while true {
            let before = position
            skipSpace()
            let isEmpty = take("/")
            if take(">") {
                for (name, value, _) in found where name.hasPrefix("xmlns:") { spaces[String(name.dropFirst(6))] = value }
                let attributes = found.map { Attribute(name: resolved($0.name), value: $0.value, place: $0.place) }
                return .start(resolved(tag), attributes, place: start..<position, isEmpty: isEmpty)
            }
            let name = word()
            skipSpace()
            guard !isEmpty, !name.isEmpty, take("="), let value = quoted() else { return nil }
            found.append((name, value, before..<position))
        }
    }

    private mutating func quoted() -> String? {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") else {
            return nil
        }
        let quote = bytes[position]
        guard let end = bytes[(position + 1)...].firstIndex(of: quote) else { return nil }
        defer { position = end + 1 }
        return String(decoding: bytes[position + 1..<end], as: UTF8.self)
    }

    private mutating func word() -> String {
        let start = position
        let ends = Set(" \t\r\n/>=<\"'".utf8)
        while position < bytes.count, !ends.contains(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private func resolved(_ name: String) -> Name {
        guard let colon = name.firstIndex(of: ":") else { return Name("", name) }
        return Name(spaces[String(name[..<colon])] ?? "", String(name[name.index(after: colon)...]))
    }
}
