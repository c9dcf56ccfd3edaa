package import GannetCore

/// The three date forms of RFC 9110 §5.6.7, all in GMT.
package enum HTTPDate {
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// Nil for anything that is not one of the forms: callers then treat the moment as past. `now` decides the century of
    /// two-digit years.
    package static func parse(_ text: String, now: Timestamp) -> Timestamp? {
        var text = text
        return text.withUTF8 { fixdate($0) } ?? parseWords(text, now)
    }

    /// IMF-fixdate as nearly every server writes it, without taking it apart: Sun, 06 Nov 1994 08:49:37 GMT
    private static func fixdate(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        guard text.count == 29, text[3] == UInt8(ascii: ","), text[19] == UInt8(ascii: ":"), text[22] == UInt8(ascii: ":"),
            text[4] == space, text[7] == space, text[11] == space, text[16] == space, text[25] == space,
            isLetter(text[0]), isLetter(text[1]), isLetter(text[2]),
            text[26] == UInt8(ascii: "G"), text[27] == UInt8(ascii: "M"), text[28] == UInt8(ascii: "T"),
            let month = month(text[8], text[9], text[10])
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for index in range {
                guard (48...57).contains(text[index]) else { return nil }
                value = value * 10 + Int(text[index]) - 48
            }
            return value
        }
        guard let day = number(5..<7), let year = number(12..<16), let hour = number(17..<19), let minute = number(20..<22),
            let second = number(23..<25)
        else { return nil }
        return make(day: day, month: month, year: year, hour: hour, minute: minute, second: second)
    }

    private static let space = UInt8(ascii: " ")

    private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xDF) }

    /// 1 … 12
    private static func month(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int? {
        var number = 1
        for name in monthNames {
            if name == (first, second, third) { return number }
            number += 1
        }
        return nil
    }

    private static let monthNames = months.map { name in
        let bytes = Array(name.utf8)
        return (bytes[0], bytes[1], bytes[2])
    }

    private static func parseWords(_ text: String, _ now: Timestamp) -> Timestamp? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
        guard let weekday = words.first else { return nil }
        let hasComma = text.dropFirst(weekday.count).first == ","
        if words.count == 6, words[5].uppercased() == "GMT", hasComma {
            // IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT
            guard weekday.count == 3, words[1].count == 2, words[3].count == 4 else { return nil }
            return make(day: words[1], month: words[2], year: Int(digits: words[3]), time: words[4])
        }
        if words.count == 4, words[3].uppercased() == "GMT", hasComma {
            // RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, parts[0].count == 2, parts[2].count == 2, let short = Int(digits: parts[2]) else {
                return nil
            }
            let current = civil(days: Int(floorDivide(now.milliseconds, 86_400_000))).year
            var year = current / 100 * 100 + short
            if year > current + 50 { year -= 100 }
            return make(day: parts[0], month: parts[1], year: year, time: words[2])
        }
        if words.count == 5, weekday.count == 3, !hasComma {
            // asctime: Sun Nov  6 08:49:37 1994
            return make(day: words[2], month: words[1], year: Int(digits: words[4]), time: words[3])
        }
        return nil
    }

    /// IMF-fixdate.
    package static func format(_ moment: Timestamp) -> String {
        let seconds = floorDivide(moment.milliseconds, 1000)
        let day = Int(floorDivide(seconds, 86_400))
        let rest = Int(seconds - Int64(day) * 86_400)
        let date = civil(days: day)
        let weekday = days[((day % 7) + 7) % 7]
        return "\(weekday), \(two(date.day)) \(months[date.month - 1]) \(four(date.year)) "
            + "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
    }

    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    private static func four(_ value: Int) -> String { String(repeating: "0", count: max(0, 4 - "\(value)".count)) + "\(value)" }

    private static func make(day: String, month: String, year: Int?, time: String) -> Timestamp? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let day = Int(digits: day), let year,
            let month = months.firstIndex(where: { $0 == month }), clock.count == 3, clock.allSatisfy({ $0.count == 2 }),
            let hour = Int(digits: clock[0]), let minute = Int(digits: clock[1]), let second = Int(digits: clock[2])
        else { return nil }
        return make(day: day, month: month + 1, year: year, hour: hour, minute: minute, second: second)
    }

    static func make(day: Int, month: Int, year: Int, hour: Int, minute: Int, second: Int) -> Timestamp? {
        guard (1...31).contains(day), (1...9999).contains(year), hour < 24, minute < 60, second <= 60 else { return nil }
        let total = Int64(daysFromCivil(year: year, month: month, day: day)) * 86_400
        return Timestamp(milliseconds: (total + Int64(hour * 3600 + minute * 60 + second)) * 1000)
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar; years are counted from March, so that the leap day is last.
    static func daysFromCivil(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }
}

extension Int {
    /// ASCII digits only: no sign, no space. Saturates at `Int.max`. Nil for anything else.
    package init?(digits text: some StringProtocol) {
        guard !text.isEmpty else { return nil }
        var value = 0
        for byte in text.utf8 {
            guard (48...57).contains(byte) else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow2) = product.addingReportingOverflow(Int(byte) - 48)
            value = overflow || overflow2 ? .max : sum
        }
        self = value
    }
}
