/// Header fields in the order they were sent or are to be sent; names compare without regard to ASCII case.
///
///     request.download.headers = ["X-Album": "birds"]
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One line of a message's head.
    public struct Field: Hashable, Sendable {
        /// The name as written; case does not count in comparisons.
        public var name: String
        /// The value as written; nothing is checked or trimmed here.
        public var value: String

        /// Taken as they are.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields in order; a name may occur several times.
    public private(set) var fields: [Field]

    /// Fields in this order; names may repeat.
    public init(_ fields: [(String, String)] = []) { self.fields = fields.map { Field(name: $0.0, value: $0.1) } }

    /// Fields in the order of the literal.
    public init(dictionaryLiteral fields: (String, String)...) { self.init(fields) }

    package init(fields: [Field]) { self.fields = fields }

    /// True if there is no field.
    public var isEmpty: Bool { fields.isEmpty }

    /// Adds a field at the end, beside fields of the same name.
    public mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// All fields of the name replaced by one.
    public mutating func set(_ name: String, _ value: String) {
        remove(name)
        add(name, value)
    }

    /// All fields of the name; nothing happens if there is none.
    public mutating func remove(_ name: String) {
        // Looked for first: a copy is only made where something goes.
        guard index(of: name) != nil else { return }
        fields.removeAll { Self.equal($0.name, name) }
    }

    package mutating func remove(anyOf names: [String]) {
        // Lengths first: hardly any field is as long as one of the names.
        var lengths: UInt64 = 0
        for name in names { lengths |= 1 &<< UInt64(name.utf8.count) }
        func isNamed(_ field: Field) -> Bool {
            lengths & 1 &<< UInt64(field.name.utf8.count) != 0 && names.contains { Self.equal($0, field.name) }
        }
        guard fields.contains(where: isNamed) else { return }
        fields.removeAll(where: isNamed)
    }

    /// The first field of the name.
    public subscript(_ name: String) -> String? { index(of: name).map { fields[$0].value } }

    /// Every field of the name, in order.
    public func all(_ name: String) -> [String] {
        var values: [String] = []
        var next = index(of: name)
        while let index = next {
            values.append(fields[index].value)
            next = self.index(of: name, from: index + 1)
        }
        return values
    }

    /// All fields of the name as one list, RFC 9110 §5.3; nil if there is none.
    public func combined(_ name: String) -> String? {
        guard let first = index(of: name) else { return nil }
        guard index(of: name, from: first + 1) != nil else { return fields[first].value }
        return all(name).joined(separator: ", ")
    }

    /// A field of the name is there, whatever its value.
    public func contains(_ name: String) -> Bool { index(of: name) != nil }

    /// Names are compared by their lengths first, which tells nearly all of them apart.
    private func index(of name: String, from start: Int = 0) -> Int? {
        let length = name.utf8.count
        return fields.withUnsafeBufferPointer { fields in
            for index in start..<max(start, fields.count)
            where fields[index].name.utf8.count == length && Self.haveSameLetters(fields[index].name, name) {
                return index
            }
            return nil
        }
    }

    /// Compares names: ASCII case does not count, other letters must be the same bytes.
    public static func equal(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && haveSameLetters(left, right)
    }

    /// Compares texts of equal length.
    private static func haveSameLetters(_ left: String, _ right: String) -> Bool {
        let answer = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in
                for index in 0..<left.count where left[index] != right[index] && lower(left[index]) != lower(right[index]) {
                    return false
                }
                return true
            }
        }
        if let answer = answer ?? nil { return answer }
        return left.utf8.elementsEqual(right.utf8) { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
}

extension HTTPHeaders {
    /// The fields as part of a key: names in clear, values as one sealed text.
    package func sealed(_ key: ScopeKey) -> String {
        fields.map { $0.name.lowercased() }.joined(separator: ",") + "=" + key.seal(fields.map(\.value))
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The fields without values that may be secret.
    public var description: String { fields.map(\.description).joined(separator: ", ") }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Redaction.mirror(of: self) }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `Name: value` where the field never holds a secret, else `Name: …`.
    public var description: String {
        name + ": " + (Redaction.harmlessFields.contains(name.lowercased()) ? value : "…")
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Redaction.mirror(of: self) }
}
