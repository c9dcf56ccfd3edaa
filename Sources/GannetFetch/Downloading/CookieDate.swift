import GannetCore

/// A cookie's expiry date, RFC 6265 §5.1.1. Servers write many forms, most often with dashes and a four-digit year, which HTTP
/// itself does not allow.
enum CookieDate {
    /// Nil: the date is invalid and ignored.
    static func parse(_ text: String) -> Timestamp? {
        var clock: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for word in text.utf8.split(whereSeparator: isDelimiter) {
            if clock == nil, let found = time(word) {
                clock = found
            } else if day == nil, let found = number(word, digits: 1...2) {
                day = found
            } else if month == nil, let found = Self.month(word) {
                month = found
            } else if year == nil, let found = number(word, digits: 2...4) {
                year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
            }
        }
        guard let clock, let day, let month, let year, year >= 1601, clock.second < 60 else { return nil }
        return HTTPDate.make(
            day: day, month: month, year: year, hour: clock.hour, minute: clock.minute, second: clock.second)
    }

    /// Any byte but letters, digits and the colon.
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 9, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// The leading digits; nil if there are more or fewer.
    private static func number(_ word: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int? {
        let beginning = word.prefix { (48...57).contains($0) }
        guard digits.contains(beginning.count) else { return nil }
        return beginning.reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    private static func month(_ word: some Collection<UInt8>) -> Int? {
        let beginning = String(decoding: word.prefix(3), as: UTF8.self).lowercased()
        return HTTPDate.months.firstIndex { $0.lowercased() == beginning }.map { $0 + 1 }
    }

    /// 8:49:37
    private static func time(_ word: some Collection<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
        let parts = word.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count <= 2, parts[1].count <= 2, let hour = number(parts[0], digits: 1...2),
            let minute = number(parts[1], digits: 1...2), let second = number(parts[2], digits: 1...2),
            parts[0].allSatisfy({ (48...57).contains($0) }), parts[1].allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return (hour, minute, second)
    }
}
