#if Lottie
    import GannetCore

    /// Reads JSON (RFC 8259) from one end to the other, without a tree: unused values are checked and skipped over.
    ///
    /// Memory does not depend on the text, and depth has a bound.
    struct JSONReader {
        enum Fault: Error {
            /// The text ends within a value.
            case ended
            /// The byte that breaks the rules.
            case damaged(Int)
            case deep
        }

        enum Kind { case object, array, string, number, word }

        static let maximumDepth = 256

        let bytes: [UInt8]
        private(set) var position: Int
        private let end: Int
        private var depth = 0

        /// Begins behind a byte order mark.
        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            end = bytes.count
        }

        /// Only this part of the text.
        init(_ bytes: [UInt8], in part: Range<Int>) {
            self.bytes = bytes
            position = part.lowerBound
            end = part.upperBound
        }

        // MARK: Values

        /// The kind of the next value, by its first character.
        mutating func next() throws(Fault) -> Kind {
            switch try character() {
            case UInt8(ascii: "{"): return .object
            case UInt8(ascii: "["): return .array
            case UInt8(ascii: "\""): return .string
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
            case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return .word
            default: throw .damaged(position)
            }
        }

        /// Calls for each member of an object; `body` reads or skips its value. A name with escapes is damage: it could be read as
        /// another name by another parser.
        mutating func members(_ body: (inout JSONReader, String) throws(Fault) -> Void) throws(Fault) {
            try enter(UInt8(ascii: "{"))
            var isFirst = true
            while try goesOn(to: UInt8(ascii: "}"), isFirst) {
                isFirst = false
                let start = position + 1
                try skipName(mayEscape: false)
                let name = bytes[start..<(bytes[start...].firstIndex(of: UInt8(ascii: "\"")) ?? start)]
                try body(&self, String(decoding: name, as: UTF8.self))
            }
        }

        /// Calls for each element of an array; `body` reads or skips it.
        mutating func elements(_ body: (inout JSONReader) throws(Fault) -> Void) throws(Fault) {
            try enter(UInt8(ascii: "["))
            var isFirst = true
            while try goesOn(to: UInt8(ascii: "]"), isFirst) {
                isFirst = false
                try body(&self)
            }
        }

        /// The next value as a number; nil for a value of another kind, which is skipped.
        mutating func number() throws(Fault) -> Double? {
            guard try next() == .number else {
                try skip()
                return nil
            }
            let start = position
            try skipNumber()
            return Double(String(decoding: bytes[start..<position], as: UTF8.self))
        }

        /// The next value as a text; nil for a value of another kind, which is skipped.
        mutating func string() throws(Fault) -> String? {
            guard try next() == .string else {
                try skip()
                return nil
            }
            let start = position + 1
            try skipString()
            return JSONText.unescaped(bytes[start..<position - 1])
        }

        /// The place of the next value, which is skipped.
        mutating func place() throws(Fault) -> Range<Int> {
            _ = try next()
            let start = position
            try skip()
            return start..<position
        }

        /// Throws unless nothing but white space follows.
        mutating func finish() throws(Fault) {
            skipSpace()
            if position < end { throw .damaged(position) }
        }

        // MARK: Skipping

        /// Checks a value of any kind, and passes over it.
        mutating func skip() throws(Fault) {
            // True for an object.
            var open: [Bool] = []
            repeat {
                switch try next() {
                case .string: try skipString()
                case .number: try skipNumber()
                case .word: try skipWord()
                case .object:
                    try begin(&open, isObject: true)
                    if try !closes(&open) {
                        try skipName(mayEscape: true)
                        continue
                    }
                case .array:
                    try begin(&open, isObject: false)
                    if try !closes(&open) { continue }
                }
                while let isObject = open.last {
                    if try closes(&open) { continue }
                    guard try character() == UInt8(ascii: ",") else { throw .damaged(position) }
                    position += 1
                    if isObject { try skipName(mayEscape: true) }
                    break
                }
            } while !open.isEmpty
        }

        private mutating func begin(_ open: inout [Bool], isObject: Bool) throws(Fault) {
            guard depth + open.count < Self.maximumDepth else { throw .deep }
            open.append(isObject)
            position += 1
        }

        /// Passes over the bracket that ends the innermost value, if it is next.
        private mutating func closes(_ open: inout [Bool]) throws(Fault) -> Bool {
            guard try character() == (open.last == true ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
            position += 1
            open.removeLast()
            return true
        }

        private mutating func skipName(mayEscape: Bool) throws(Fault) {
            guard try character() == UInt8(ascii: "\"") else { throw .damaged(position) }
            try skipString(mayEscape: mayEscape)
            guard try character() == UInt8(ascii: ":") else { throw .damaged(position) }
            position += 1
        }

        private mutating func skipString(mayEscape: Bool = true) throws(Fault) {
            position += 1
            while position < end {
                switch bytes[position] {
                case UInt8(ascii: "\""):
                    position += 1
                    return
                case UInt8(ascii: "\\"):
                    guard mayEscape else { throw .damaged(position) }
                    try skipEscape()
                case 0..<0x20: throw .damaged(position)
                default: position += 1
                }
            }
            throw .ended
        }

        private mutating func skipEscape() throws(Fault) {
            guard position + 1 < end else { throw .ended }
            let letter = bytes[position + 1]
            guard letter == UInt8(ascii: "u") || JSONText.escapes[letter] != nil else { throw .damaged(position + 1) }
            position += 2
            guard letter == UInt8(ascii: "u") else { return }
            for _ in 0..<4 {
                guard position < end else { throw .ended }
                guard Hexadecimal.digit(bytes[position]) != nil else { throw .damaged(position) }
                position += 1
            }
        }

        private mutating func skipNumber() throws(Fault) {
            if bytes[position] == UInt8(ascii: "-") { position += 1 }
            let start = position
            try skipDigits()
            if bytes[start] == UInt8(ascii: "0"), position > start + 1 { throw .damaged(start) }
            if position < end, bytes[position] == UInt8(ascii: ".") {
                position += 1
                try skipDigits()
            }
            if position < end, bytes[position] | 0x20 == UInt8(ascii: "e") {
                position += 1
                if position < end, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") { position += 1 }
                try skipDigits()
            }
        }

        private mutating func skipDigits() throws(Fault) {
            let start = position
            while position < end, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) { position += 1 }
            if position == start { throw position < end ? .damaged(position) : .ended }
        }

        private mutating func skipWord() throws(Fault) {
            let words: [StaticString] = ["true", "false", "null"]
            for word in words where bytes[position] == word.utf8Start.pointee {
                for index in 0..<word.utf8CodeUnitCount {
                    guard position < end else { throw .ended }
                    guard bytes[position] == word.utf8Start[index] else { throw .damaged(position) }
                    position += 1
                }
                return
            }
        }

        // MARK: Structure

        private mutating func enter(_ bracket: UInt8) throws(Fault) {
            guard try character() == bracket else { throw .damaged(position) }
            guard depth < Self.maximumDepth else { throw .deep }
            depth += 1
            position += 1
        }

        /// Passes over a comma, or over the bracket that ends the value; false in that case.
        private mutating func goesOn(to bracket: UInt8, _ isFirst: Bool) throws(Fault) -> Bool {
            let next = try character()
            if next == bracket {
                position += 1
                depth -= 1
                return false
            }
            if isFirst { return true }
            guard next == UInt8(ascii: ",") else { throw .damaged(position) }
            position += 1
            _ = try character()
            return true
        }

        private mutating func character() throws(Fault) -> UInt8 {
            skipSpace()
            guard position < end else { throw .ended }
            return bytes[position]
        }

        private mutating func skipSpace() {
            while position < end {
                switch bytes[position] {
                case 0x20, 0x0A, 0x0D, 0x09: position += 1
                default: return
                }
            }
        }
    }
#endif
