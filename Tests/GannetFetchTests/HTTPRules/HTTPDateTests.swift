import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import Testing

/// RFC 9110 §5.6.7: three forms, and nothing else; an invalid date counts as in the past (RFC 9111 §5.3).
@Suite struct HTTPDateTests {
    private let now = Timestamp(milliseconds: 1_767_225_600_000)

    @Test(arguments: [
        "Thu, 18 Aug 2050 02:01:18 GMT", "Thu, 18 AUG 2050 02:01:18 GMT", "THU, 18 aug 2050 02:01:18 gmt",
        "Thursday, 18-Aug-50 02:01:18 GMT", "thursday, 18-AUG-50 02:01:18 GMT", "Thu Aug 18 02:01:18 2050",
        "Thu aug 18 02:01:18 2050",
    ])
    func `The forms, in upper and lower case`(_ text: String) {
        #expect(HTTPDate.parse(text, now: now) == Timestamp(milliseconds: 2_544_400_878_000))
    }

    @Test func `One digit stands behind a space, and a leap day is one`() {
        #expect(HTTPDate.parse("Sun Nov  6 08:49:37 1994", now: now) == Timestamp(milliseconds: 784_111_777_000))
        #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: now) == Timestamp(milliseconds: 784_111_777_000))
        // 50 years ahead to the day, and a day more.
        #expect(HTTPDate.parse("Wednesday, 01-Jan-76 00:00:00 GMT", now: now) == Timestamp(milliseconds: 3_345_062_400_000))
        #expect(HTTPDate.parse("Friday, 02-Jan-76 00:00:00 GMT", now: now) == Timestamp(milliseconds: 189_388_800_000))
        #expect(HTTPDate.parse("Thu, 29 Feb 2024 00:00:00 GMT", now: now) == Timestamp(milliseconds: 1_709_164_800_000))
        #expect(HTTPDate.parse("Sun, 29 Feb 2026 00:00:00 GMT", now: now) == nil)
    }

    @Test(arguments: [
        "Thu,  18 Aug 2050 02:01:18 GMT", "Thu,18 Aug 2050 02:01:18 GMT", "Thu,, 18 Aug 2050 02:01:18 GMT",
        "123, 18 Aug 2050 02:01:18 GMT", "Thu, 18-Aug-50 02:01:18 GMT", "Thu, 31 Feb 2050 02:01:18 GMT",
        "Thu, 18 Aug 2050 02:01:18 CET", "Thu, 18 Aug 2050 02:01:18", "Thu 18 Aug 2050 02:01:18 GMT",
        "Thu, 18 Aug 2050 2:01:18 GMT", "Thu, 18 Aug 2050 02-01-18 GMT", "Thu, 18 Agu 2050 02:01:18 GMT",
        "Thu, 18 Aug 2050 24:01:18 GMT", "Thu, 00 Aug 2050 02:01:18 GMT", "Thu, +8 Aug 2050 02:01:18 GMT",
        "Thursday, 18-Aug-2050 02:01:18 GMT", "Thursday,18-Aug-50 02:01:18 GMT", "Someday, 18-Aug-50 02:01:18 GMT",
        "Thu Aug  18 02:01:18 2050", "Thu, Aug 18 02:01:18 2050", "Thu Aug 18 02:01:18 2050 GMT", "0", "", ",", "Thursday,",
    ])
    func `Anything else is no date`(_ text: String) { #expect(HTTPDate.parse(text, now: now) == nil) }
}
