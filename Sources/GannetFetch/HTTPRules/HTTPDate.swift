package import GannetCore

/// The three date forms of RFC 9110 §5.6.7, all in GMT.
package enum HTTPDate {
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// Nil unless the text matches one of the forms exactly, apart from case: callers then treat the date as past. `now`
    /// decides the century of two-digit years.
    package static func parse(_ text: String, now: Timestamp) -> Timestamp? {
        var text = text
        return text.withUTF8 { fixdate($0) ?? obsolete($0, now) ?? asctime($0) }
    }

    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// The usual form: Sun, 06 Nov 1994 08:49:37 GMT
    private static func fixdate(_ text: Bytes) -> Timestamp? {
        guard text.count == 29, isLetter(text[0]), isLetter(text[1]), isLetter(text[2]), text[3] == comma, text[4] == space,
            text[7] == space, text[11] == space, text[16] == space, text[25] == space, isGMT(text, at: 26)
        else { return nil }
        return make(day: number(text, 5..<7), month: month(text, at: 8), year: number(text, 12..<16), clock: text, at: 17)
    }

    /// RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
    private static func obsolete(_ text: Bytes, _ now: Timestamp) -> Timestamp? {
        guard let end = text.firstIndex(of: comma), text.count == end + 24,
            longDays.contains(where: { equal($0, text[..<end]) }), text[end + 1] == space, text[end + 4] == dash,
            text[end + 8] == dash, text[end + 11] == space, text[end + 20] == space, isGMT(text, at: end + 21),
            let short = number(text, (end + 9)..<(end + 11))
        else { return nil }
        let current = civil(days: Int(floorDivide(now.milliseconds, 86_400_000)))
        let year = current.year / 100 * 100 + short
        let (day, month) = (number(text, (end + 2)..<(end + 4)), month(text, at: end + 5))
        // More than 50 years ahead, to the day: it is in the previous century.
        let isFar = (year, month ?? 0, day ?? 0) > (current.year + 50, current.month, current.day)
        return make(day: day, month: month, year: isFar ? year - 100 : year, clock: text, at: end + 12)
    }

    /// The form of C's asctime: Sun Nov  6 08:49:37 1994
    private static func asctime(_ text: Bytes) -> Timestamp? {
        guard text.count == 24, isLetter(text[0]), isLetter(text[1]), isLetter(text[2]), text[3] == space, text[7] == space,
            text[10] == space, text[19] == space
        else { return nil }
        let day = number(text, (text[8] == space ? 9 : 8)..<10)
        return make(day: day, month: month(text, at: 4), year: number(text, 20..<24), clock: text, at: 11)
    }

    private static let longDays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    private static let space = UInt8(ascii: " ")
    private static let comma = UInt8(ascii: ",")
    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    private static func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(lower(byte)) }

    private static func isGMT(_ text: Bytes, at start: Int) -> Bool {
        lower(text[start]) == UInt8(ascii: "g") && lower(text[start + 1]) == UInt8(ascii: "m")
            && lower(text[start + 2]) == UInt8(ascii: "t")
    }

    private static func equal(_ name: String, _ text: Slice<Bytes>) -> Bool { name.utf8.elementsEqual(text.lazy.map(lower)) }

    /// Digits only.
    private static func number(_ text: Bytes, _ range: Range<Int>) -> Int? {
        var value = 0
        for index in range {
            guard (48...57).contains(text[index]) else { return nil }
            value = value * 10 + Int(text[index]) - 48
        }
        return value
    }

    /// 1 … 12
    private static func month(_ text: Bytes, at start: Int) -> Int? {
        let wanted = (lower(text[start]), lower(text[start + 1]), lower(text[start + 2]))
        var number = 1
        for name in monthNames {
            if name == wanted { return number }
            number += 1
        }
        return nil
    }

    private static let monthNames = months.map { name in
        let bytes = Array(name.lowercased().utf8)
        return (bytes[0], bytes[1], bytes[2])
    }

    /// `clock`: 08:49:37 from `start` on.
    private static func make(day: Int?, month: Int?, year: Int?, clock: Bytes, at start: Int) -> Timestamp? {
        guard clock[start + 2] == colon, clock[start + 5] == colon, let day, let month, let year,
            let hour = number(clock, start..<(start + 2)), let minute = number(clock, (start + 3)..<(start + 5)),
            let second = number(clock, (start + 6)..<(start + 8))
        else { return nil }
        return make(day: day, month: month, year: year, hour: hour, minute: minute, second: second)
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

    static func make(day: Int, month: Int, year: Int, hour: Int, minute: Int, second: Int) -> Timestamp? {
        guard (1...31).contains(day), (1...9999).contains(year), hour < 24, minute < 60, second <= 60 else { return nil }
        let number = daysFromCivil(year: year, month: month, day: day)
        // An invalid day of the month would silently become a day of the next.
        guard civil(days: number).day == day else { return nil }
        let total = Int64(number) * 86_400
        return Timestamp(milliseconds: (total + Int64(hour * 3600 + minute * 60 + second)) * 1000)
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar. Years start in March, so that the leap day is last.
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
    /// ASCII digits only: no sign, no space. Saturates at `Int.max`. Nil for any other text.
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
