import FoundationEssentials
import GannetCore
import Testing

/// Base64, base 16 and percent-encoding.
struct EncodingTests {
    @Test func base64HasOneSpelling() {
        for count in 0...9 {
            let bytes = (0..<UInt8(count)).map { $0 &* 41 &+ 200 }
            #expect(Base64.bytes(ofURLText: Base64.urlText(of: bytes)) == bytes)
        }
        #expect(Base64.urlText(of: [0xFB, 0xFF]) == "-_8" && Base64.bytes(ofURLText: "-_8") == [0xFB, 0xFF])
        for wrong in ["A", "AB", "-_9", "+/8", "-_8=", "A B"] { #expect(Base64.bytes(ofURLText: wrong) == nil, "\(wrong)") }
        #expect(Base64.bytes(ofURLText: "-_8=", allowsPadding: true) == [0xFB, 0xFF])
        #expect(Base64.bytes(ofURLText: "-_=8", allowsPadding: true) == nil)
    }

    @Test func base64OfImagesIsForgiving() {
        for text in ["+/8=", "-_8", " - _\n8\t=\r\u{C}", "-_9", "+_8=="] {
            #expect(Base64.decoded(Array(text.utf8)) == [0xFB, 0xFF], "\(text)")
        }
        #expect(Base64.decoded([]) == [])
        for wrong in ["A", "AAAAA", "AA=A", "AAA===", "A*==", "=", "AAé="] {
            #expect(Base64.decoded(Array(wrong.utf8)) == (wrong == "=" ? [] : nil), "\(wrong)")
        }
        for count in 0...300 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 89) }
            #expect(Base64.decoded(Array(Data(bytes).base64EncodedString().utf8)) == bytes)
        }
    }

    @Test func hexadecimalDigits() {
        let all = Array(UInt8.min...UInt8.max)
        #expect(Hexadecimal.text(of: all).hasPrefix("000102") && Hexadecimal.text(of: all).hasSuffix("fdfeff"))
        #expect(Hexadecimal.bytes(of: Hexadecimal.text(of: all).utf8) == all)
        #expect(Hexadecimal.bytes(of: "aBFf".utf8) == [0xAB, 0xFF] && Hexadecimal.bytes(of: "".utf8) == [])
        for wrong in ["a", "abc", "0x", "+1", "g0", " 1"] { #expect(Hexadecimal.bytes(of: wrong.utf8) == nil, "\(wrong)") }
    }

    @Test func strictPercentDecoding() {
        for (text, decoded) in [("", ""), ("a%20b", "a b"), ("%C3%a9", "é"), ("%2541", "%41")] {
            #expect(PercentEncoding.strictlyDecoded(text) == decoded)
        }
        for wrong in ["%", "%4", "a%zz", "%%41", "%+1", "%E9", "%41%"] {
            #expect(PercentEncoding.strictlyDecoded(wrong) == nil, "\(wrong)")
        }
    }
}
