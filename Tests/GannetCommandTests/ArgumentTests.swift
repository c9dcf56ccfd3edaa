#if CommandLine
    import ArgumentParser
    import GannetCore
    import GannetSupport
    import Testing

    @testable import gannet

    struct ArgumentTests {
        @Test(arguments: [("40x30", 40, 30), ("1x16777215", 1, 16_777_215)])
        func boxes(text: String, width: Int, height: Int) throws {
            let box = try #require(Box(text))
            #expect(box.width == width && box.height == height)
        }

        @Test(arguments: ["", "x", "4x", "x4", "0x4", "4x4x4", "-1x4", "99999999x1", "4X4", "4 x 4"])
        func boxesThatAreNone(text: String) { #expect(Box(text) == nil) }

        @Test(arguments: [
            ("90", 90.0), ("90s", 90), ("15m", 900), ("12h", 43_200), ("7d", 604_800), ("2w", 1_209_600), ("0.5h", 1800),
            ("0", 0),
        ])
        func durations(text: String, seconds: Double) throws {
            let argument = try DurationArgument(parsing: text)
            #expect(argument.duration == .seconds(seconds))
        }

        @Test(arguments: ["", "s", "-1s", "nan", "infd", "1y", "1e99d", "7 d d"])
        func durationsThatAreNone(text: String) { #expect(throws: ValidationError.self) { try DurationArgument(parsing: text) } }

        @Test(arguments: [
            ("0", 0), ("512", 512), ("100KB", 100_000), ("20mb", 20_000_000), ("1GiB", 1 << 30), ("1.5k", 1500), ("7B", 7),
        ])
        func byteCounts(text: String, bytes: Int) throws {
            let argument = try ByteCountArgument(parsing: text)
            #expect(argument.bytes == bytes)
        }

        @Test(arguments: ["", "KB", "-1", "nan", "1TB", "1e30"])
        func byteCountsThatAreNone(text: String) {
            #expect(throws: ValidationError.self) { try ByteCountArgument(parsing: text) }
        }

        @Test(arguments: [("7", 7), ("300M", 300_000_000), ("1.5k", 1500), ("2G", 2_000_000_000), ("10m", 10_000_000)])
        func counts(text: String, count: Int) throws { #expect(try NumberArgument.count(text) == count) }

        @Test(arguments: ["", "M", "1T", "-1M", "nank", "1e30k", "3 M"]) func countsThatAreNone(text: String) {
            #expect(throws: ValidationError.self) { try NumberArgument.count(text) }
        }

        @Test func onlyHostsThatAreNamedNeedNoCertificate() {
            let sources = ["https://A.org/x", "b.png", "http://c.org:80/"]
            var asking = AskingOptions()
            asking.insecure = true
            #expect(asking.blindlyTrustedHosts(sources) == ["a.org", "c.org"])
            asking.insecure = false
            #expect(asking.blindlyTrustedHosts(sources).isEmpty)
        }

        @Test func headers() throws {
            let header = try #require(HeaderArgument(argument: "X-A:  b: c"))
            #expect(header.name == "X-A" && header.value == "b: c")
        }

        @Test(arguments: ["", ":", ": b", "no colon", "A B: c", "A: b\r\nC: d", "A: \u{0}"])
        func headersThatAreNone(text: String) { #expect(HeaderArgument(argument: text) == nil) }

        @Test(arguments: [
            ("https://example.org/a/b.jpg?x=1#y", "b.jpg"), ("https://example.org/", "example.org"),
            ("/tmp/x/.hidden.png", ".hidden.png"), ("sp ace.png", "sp ace.png"), ("-dash.png", "-dash.png"),
            ("a\tb\\.png", "a\tb\\.png"),
            ("-", "stdin"), ("data:image/png;base64,AAAA", "data"), ("a b:c.png", "a b:c.png"),
            ("file:///tmp/a%20b.png", "a b.png"), ("..", "image"),
            ("https://example.org/..%2f..%2fetc", "_.._etc"),
            ("https://example.org/my%20photo%FF.png", "my photo\u{10F7FF}.png"),
            ("https://example.org/my%20photo.png", "my photo.png"), ("https://example.org/%E2%9C%93.png", "✓.png"),
            ("100%25.png", "100%25.png"),
        ])
        func namesOfFiles(source: String, name: String) { #expect(OutputName.name(for: source) == name) }

        @Test func equalNamesDoNotOverwriteEachOther() throws {
            let names = OutputNames(path: nil, folder: "/tmp", replacing: .noImage)
            #expect(try names.path(for: "http://a/p.jpg", format: .jpeg) == "/tmp/p.jpg")
            #expect(try names.path(for: "http://b/p.jpg", format: .jpeg) == "/tmp/p-2.jpg")
            #expect(try names.path(for: "http://b/p.jpg", format: .png) == "/tmp/p.png")
            #expect(try names.path(for: "http://b/q.JPEG", format: .jpeg) == "/tmp/q.JPEG")
            #expect(try names.path(for: "http://b/q.v1", format: .gif) == "/tmp/q.v1.gif")
        }

        private static func names(_ sources: [String], _ format: ImageFormat? = nil) -> OutputNames {
            OutputNames(
                path: nil, folder: "/tmp", sources: sources.map { SourceItem(text: $0) }, format: format, replacing: .noImage)
        }

        /// File systems keep them apart, though they look equal.
        @Test func namesThatLookEqualAreTwo() throws {
            let sources = ["/a/\u{E9}.png", "/a/e\u{301}.png"]
            let names = Self.names(sources)
            for source in sources.reversed() {
                let path = try names.path(for: source, format: .png)
                #expect(Array(path.utf8) == Array(("/tmp/" + source.dropFirst(3)).utf8))
            }
        }

        @Test func namesAreCutOnlyIfNoFileCanHaveThem() throws {
            let long = String(repeating: "x", count: 251)
            let names = OutputNames(path: nil, folder: "/tmp", replacing: .noImage)
            #expect(try names.path(for: "/a/\(long).jpg", format: .jpeg) == "/tmp/\(long).jpg")
            #expect(try names.path(for: "/b/\(long).jpg", format: .jpeg) == "/tmp/\(long.dropLast(2))-2.jpg")
            #expect(try names.path(for: "/a/\(long).jpg", format: .webp) == "/tmp/\(long.dropLast()).webp")
        }

        /// Names follow the order of the list, whichever source finishes first and whatever extension it gets.
        @Test func equalNamesAreTheSameInTheNextRun() throws {
            let sources = ["http://a/p.jpg", "http://b/p.jpg", "http://a/p-2.jpg", "http://a/q", "http://b/q", "http://b/p.jpg"]
            let expected = ["p.jpg", "p-2.jpg", "p-2-2.jpg", "q.png", "q-2.png", "p-3.jpg"]
            for order in [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [2, 1, 4, 0, 5, 3]] {
                let names = Self.names(sources)
                var written: [Int: String] = [:]
                for index in order {
                    written[index] = try names.path(for: sources[index], format: sources[index].hasSuffix("q") ? .png : .jpeg)
                }
                // Of two that are the same source, either may have either.
                let pair = [written[1] ?? "", written[5] ?? ""].sorted()
                (written[1], written[5]) = (pair[0], pair[1])
                #expect((0..<6).map { written[$0] ?? "" } == expected.map { "/tmp/" + $0 })
            }
            let names = Self.names(["p.gif", "p.jpg"], .png)
            #expect(try names.path(for: "p.jpg", format: .png) == "/tmp/p-2.png")
            #expect(try names.path(for: "p.gif", format: .png) == "/tmp/p.png")
        }

        @Test func hashesLikeEveryoneElse() throws {
            let empty = try LibcryptoSHA256.hex([])
            #expect(empty == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
            let abc = try LibcryptoSHA256.hex(Array("abc".utf8))
            #expect(abc == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        }

        @Test func terminalsAreNotObeyed() {
            #expect(Console.clean("a\u{1B}[31mb\nc\u{9B}d\u{7F}") == "a [31mb c d ")
        }

        @Test func tablesAlign() {
            var table = Table("NAME", "SIZE")
            table.add("a", "10 B")
            table.add("long", "5 B")
            #expect(table.lines == ["NAME  SIZE", "a     10 B", "long   5 B"])
        }

        @Test(arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (999_949, "999.9 KB"), (999_950, "1.0 MB"), (5_100_000, "5.1 MB"),
        ])
        func bytesForPeople(count: Int, text: String) { #expect(Readable.bytes(count) == text) }
    }
#endif
