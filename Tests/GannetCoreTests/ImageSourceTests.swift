import FoundationEssentials
import GannetCore
import Testing

/// How strings are parsed as sources.
@Suite struct ImageSourceTests {
    @Test(arguments: [
        ("http://h/a%20b.png", "http://h/a%20b.png"), ("http://h/a%20b ä.png", "http://h/a%20b%20%C3%A4.png"),
        ("http://h/?q=%20ä", "http://h/?q=%20%C3%A4"), ("http://h/?a[]=%201", "http://h/?a%5B%5D=%201"),
        ("http://[::1]:80/a[1]%20", "http://[::1]:80/a%5B1%5D%20"), ("http://h/a#b#c%20", "http://h/a#b%23c%20"),
        ("http://h/100%", "http://h/100%25"), ("http://h/%zz%4", "http://h/%25zz%254"), ("http://h/%c3%A4", "http://h/%c3%A4"),
        ("http://h/a|b^c`{}\"<>\\%20", "http://h/a%7Cb%5Ec%60%7B%7D%22%3C%3E%5C%20"),
        ("http://h?[%20", "http://h?%5B%20"), ("http://h/a;b=c,d'e(f)!*$&+@:~", "http://h/a;b=c,d'e(f)!*$&+@:~"),
        ("data:image/svg+xml,<a b='%23f'/>", "data:image/svg+xml,%3Ca%20b='%23f'/%3E"),
    ])
    func `Escapes stay, and what no URL may have is escaped`(text: String, expected: String) {
        guard case .url(let url) = ImageSource(text) else {
            Issue.record("\(text) is no URL")
            return
        }
        #expect(url.absoluteString == expected)
    }

    @Test func `Bytes in memory come as a rope, as an array and as Data`() {
        let all = [
            ImageSource.data(ByteRope([1, 2]), identifier: "x"), .data([1, 2], identifier: "x"),
            .data(Data([1, 2]), identifier: "x"),
        ]
        for source in all {
            guard case .data(let rope, "x") = source else {
                Issue.record("\(source) is something else")
                continue
            }
            #expect(rope.contiguous() == [1, 2] && source.keyText == "memory:x")
        }
    }

    /// CX-26: servers never see it (RFC 9110 §7.1).
    @Test(arguments: [
        ("https://h/a.png#b", "https://h/a.png"), ("HTTP://h/?q=1#b?c", "http://h/?q=1"), ("https://h/a%23b", "https://h/a%23b"),
        ("ftp://h/a#b", "ftp://h/a#b"),
    ])
    func `A fragment is no part of the key`(text: String, expected: String) { #expect(ImageSource(text).keyText == expected) }

    @Test func `Sources for different users differ, with one key text`() {
        let (one, other): (ImageSource, ImageSource) = ("http://Me:Secret@H/a", "http://You:Secret@h/a")
        #expect(one.keyText == "http://h/a" && one.keyText == other.keyText)
        #expect(one != other && one == "http://Me:Secret@h:80/a" && one != "http://h/a")
    }

    /// RFC 9110 §4.2.3.
    @Test(arguments: [
        ("HTTP://Example.ORG:80/A?B", "http://example.org/A?B"), ("https://h:443", "https://h/"),
        ("https://h?a=B", "https://h/?a=B"),
        ("http://h:/a", "http://h/a"), ("https://h:80/a", "https://h:80/a"), ("http://h:8080/a", "http://h:8080/a"),
        ("http://[::1]:80/a", "http://[::1]/a"),
        ("http://[::80]/a", "http://[::80]/a"), ("http://[FE80::1]/a", "http://[fe80::1]/a"),
        ("https://h/HTTP://H:80", "https://h/HTTP://H:80"),
        ("http://h:80", "http://h/"), ("https://h#a", "https://h/"), ("ftp://H:21/a", "ftp://H:21/a"),
    ])
    func `Equivalent addresses have one key`(text: String, expected: String) {
        #expect(ImageSource(text).keyText == expected)
        #expect(ImageSource(text) == ImageSource(expected))
    }

    @Test func `A file's name has no fragment`() { #expect(ImageSource.file("/a#b").keyText == "file:///a#b") }
}
