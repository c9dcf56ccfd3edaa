/// Writes values of a request or a reply one after the other: integers as eight bytes, little-endian; texts and bytes with their
/// count in front.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ value: Int) { withUnsafeBytes(of: Int64(value).littleEndian) { bytes.append(contentsOf: $0) } }
    mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }
    mutating func put(_ value: Double) { put(Int(bitPattern: UInt(value.bitPattern))) }
    mutating func put(_ value: String) { put(Array(value.utf8)) }

    mutating func put(_ value: [UInt8]) {
        put(value.count)
        bytes.append(contentsOf: value)
    }

    mutating func put(_ value: Duration) {
        let (seconds, attoseconds) = value.components
        put(Int(seconds))
        put(Int(attoseconds))
    }

    /// A byte that says whether there is a value, and the value.
    mutating func put<Value>(_ value: Value?, _ write: (inout WireWriter, Value) -> Void) {
        put(value != nil)
        if let value { write(&self, value) }
    }
}

/// Reads what ``WireWriter`` wrote, as if an attacker had written it: every count is checked against the bytes that are there.
struct WireReader {
    /// The bytes are not of the expected form.
    struct Malformed: Error {}

    private let bytes: [UInt8]
    private var position = 0
    /// The bytes are an error of the decoder, not a result.
    var isError = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func int() throws(Malformed) -> Int {
        guard bytes.count - position >= 8 else { throw Malformed() }
        var value: UInt64 = 0
        for index in 0..<8 { value |= UInt64(bytes[position + index]) << (8 * index) }
        position += 8
        return Int(Int64(bitPattern: value))
    }

    mutating func int(in range: ClosedRange<Int>) throws(Malformed) -> Int {
        let value = try int()
        guard range.contains(value) else { throw Malformed() }
        return value
    }

    mutating func bool() throws(Malformed) -> Bool {
        guard position < bytes.count, bytes[position] < 2 else { throw Malformed() }
        defer { position += 1 }
        return bytes[position] == 1
    }

    mutating func double() throws(Malformed) -> Double { Double(bitPattern: UInt64(UInt(bitPattern: try int()))) }

    mutating func bytes(upTo limit: Int) throws(Malformed) -> [UInt8] {
        let count = try int(in: 0...min(limit, bytes.count - position))
        guard bytes.count - position >= count else { throw Malformed() }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// At most `limit` bytes; what is not UTF-8 is replaced.
    mutating func text(upTo limit: Int = 4096) throws(Malformed) -> String {
        String(decoding: try bytes(upTo: limit), as: UTF8.self)
    }

    mutating func duration() throws(Malformed) -> Duration {
        let seconds = try int(in: -(1 << 40)...1 << 40)
        return Duration(
            secondsComponent: Int64(seconds),
            attosecondsComponent: Int64(try int(in: -999_999_999_999_999_999...999_999_999_999_999_999)))
    }

    mutating func optional<Value>(_ read: (inout WireReader) throws(Malformed) -> Value) throws(Malformed) -> Value? {
        try bool() ? try read(&self) : nil
    }

    mutating func value<Value: RawRepresentable>(_ type: Value.Type) throws(Malformed) -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: try text()) else { throw Malformed() }
        return value
    }

    mutating func small<Value: RawRepresentable>(_ type: Value.Type) throws(Malformed) -> Value where Value.RawValue == UInt8 {
        guard let value = Value(rawValue: UInt8(try int(in: 0...255))) else { throw Malformed() }
        return value
    }

    /// Nothing may follow.
    func end() throws(Malformed) { guard position == bytes.count else { throw Malformed() } }
}
