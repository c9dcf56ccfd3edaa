import FoundationEssentials
import GannetCore
import Testing

/// URLs as their text has them, whatever their escapes mean.
@Suite struct URLPartsTests {
    /// Scheme, user, host, port, path, query, fragment; `-` for a part that is not there.
    @Test(arguments: [
        ("http://u:p@h:80/a/b?c=d#e", "http u:p h 80 /a/b c=d e"), ("http://h/caf%E9.png?x=1", "http - h - /caf%E9.png x=1 -"),
        ("http://[::1]:8080", "http - [::1] 8080  - -"), ("http://[::1]/", "http - [::1] - / - -"),
        ("http://h:?#", "http - h    "),
        ("http://a@b@c/d@e", "http a@b c - /d@e - -"), ("file:///tmp/%FF", "file -  - /tmp/%FF - -"),
        ("file:a/b", "file - - - a/b - -"), ("data:image/png;base64,a/b", "data - - - image/png;base64,a/b - -"),
        ("a/b:c", "- - - - a/b:c - -"), ("//h/a", "- - h - /a - -"), ("?a/b:c", "- - - -  a/b:c -"), ("#a?b", "- - - -  - a?b"),
        ("", "- - - -  - -"), (":a", "- - - - :a - -"), ("http://h?a#b?c", "http - h -  a b?c"),
    ])
    func `A URL and its parts`(_ text: String, _ expected: String) {
        let parts = URLParts(text)
        let all = [parts.scheme, parts.userInfo, parts.host, parts.port, parts.path, parts.query, parts.fragment]
        #expect(all.map { $0.map { String($0) } ?? "-" }.joined(separator: " ") == expected)
        #expect(parts.text == text)
    }

    @Test(arguments: [
        ("http://h", "/"), ("http://h?a", "/?a"), ("http://h/%E9/?%E9#%E9", "/%E9/?%E9"), ("http://h//a", "//a"),
        ("http://h/a%00b", "/a%00b"),
    ])
    func `The target of a request`(_ text: String, _ target: String) throws {
        #expect(try #require(URL(string: text)).parts.target == target)
    }

    /// URL standard, §4.4.
    @Test(arguments: [
        " http://h/a.png", "http://h/a.png\n", "\u{0}\t http://h/a.png \r\n\u{1F}", "ht\ntp://h/\ta.png", "http://h/a.p\r\nng",
    ])
    func `White space around and line ends in a URL are no part of it`(_ text: String) {
        guard case .url(let url) = ImageSource(text) else {
            Issue.record("no URL")
            return
        }
        #expect(url.absoluteString == "http://h/a.png")
    }

    @Test func `Spaces in a name are part of it`() {
        guard case .file(" a b\n") = ImageSource(" a b\n"), case .file(" /a:b") = ImageSource(" /a:b") else {
            Issue.record("changed")
            return
        }
        #expect(ImageSource("http://h/a b.png").keyText == "http://h/a%20b.png")
    }

    @Test(
        arguments: [
            ("file:///tmp/caf%E9.png", [0xE9]), ("FILE://localhost/tmp/caf%83%5C.png?a#b", [0x83, 0x5C]),
            ("file:///tmp/caf%C3%A9.png", [0xC3, 0xA9]), ("file:///tmp/caf%F4%8F%9F%A9.png", [0xF4, 0x8F, 0x9F, 0xA9]),
        ] as [(String, [UInt8])])
    func `A file URL names its bytes`(_ text: String, _ name: [UInt8]) {
        guard case .file(let path) = ImageSource(text) else {
            Issue.record("no file")
            return
        }
        #expect(ByteText.bytes(of: path) == Array("/tmp/caf".utf8) + name + Array(".png".utf8))
    }

    @Test func `Different names that are no UTF-8 have different keys`() {
        let keys = Set((0x80...0xFF).map { ImageSource("file:///%" + String($0, radix: 16)).keyText })
        #expect(keys.count == 128)
        #expect(ImageSource("file:///a%E9").description == "/a\\xE9")
    }

    /// Also of the scalars that stand for bytes, and of beginnings of longer sequences.
    @Test func `No byte of a text is lost`() {
        let tails: [[UInt8]] = [
            [], [0x41], [0x80], [0xA9], [0x8F, 0x9E, 0x80], [0x8F, 0x9F, 0xBF], [0x8F, 0x9F], [0xA0, 0x80],
        ]
        for first in UInt8.min...UInt8.max {
            for second in tails {
                let bytes = [0x61, first] + second + [0x62]
                let text = ByteText.text(of: bytes)
                #expect(ByteText.bytes(of: text) == bytes && !text.unicodeScalars.contains("\u{FFFD}"), "\(bytes)")
                #expect(text.withPath { String(cString: $0) } == String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
            }
        }
        #expect(ByteText.text(of: Array("\u{1F600}é".utf8)) == "\u{1F600}é")
    }
}
