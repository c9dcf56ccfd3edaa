#if CommandLine && Server
    import GannetCore
    import GannetFetch
    import GannetPlatform
    import GannetSupport
    import GannetTesting
    import Testing

    @testable import GannetServer

    /// What a purge covers.
    struct PurgeScopeTests {
        private func boundaries(_ source: String) -> [String] { PurgeScopes.boundaries(of: ImageSource(source).keyText) }

        @Test func prefixesEndAtNames() throws {
            #expect(
                boundaries("https://a.org/b/c.jpg?d=/e#f") == [
                    "https://a.org", "https://a.org/b", "https://a.org/b/c.jpg",
                ])
            #expect(boundaries("https://a.org") == ["https://a.org"])
            #expect(boundaries("https://a.org/b/") == ["https://a.org", "https://a.org/b"])
            #expect(boundaries("local:///b/c.jpg") == ["local://", "local:///b", "local:///b/c.jpg"])
            #expect(boundaries("s3://bucket/c.jpg") == ["s3://bucket", "s3://bucket/c.jpg"])
            #expect(boundaries("memory:a/b") == [] && PurgeScopes(ofSource: "memory:a/b").digests.count == 1)
            let prefix = try PurgeScope.ofPrefix("https://a.org/b")
            for (source, isCovered) in [
                ("https://a.org/b", true), ("https://a.org/b/", true), ("https://a.org/b?c", true),
                ("https://a.org/b/c/d.jpg", true),
                ("https://a.org/bc", false), ("https://a.org/b%2Fc", false), ("https://a.org/", false), ("http://a.org/b", false),
                ("https://a.org:8443/b", false), ("https://a.orgb/b", false), ("HTTPS://A.ORG:443/b/c", true),
            ] {
                let key = ImageSource(source).keyText
                #expect(prefix.covers(key, tags: []) == isCovered, "\(source)")
                #expect(PurgeScopes(ofSource: key).digests.contains(prefix.digests[0]) == isCovered, "\(source)")
            }
        }

        /// Spellings of one prefix are one, and escapes stay as they are written.
        @Test func spellings() throws {
            for text in ["https://a.org/b/", "https://A.org:443/b//", "HTTPS://a.org/b"] {
                #expect(try PurgeScope.ofPrefix(text) == .prefix("https://a.org/b"), "\(text)")
            }
            #expect(try PurgeScope.ofPrefix("https://a.org") == .prefix("https://a.org"))
            #expect(try PurgeScope.ofPrefix("https://a.org/a%20b") == PurgeScope.ofPrefix("https://a.org/a b"))
            #expect(try PurgeScope.ofPrefix("https://a.org/%61") != PurgeScope.ofPrefix("https://a.org/a"))
            #expect(try PurgeScope.ofSource("HTTPS://a.org:443/b#c") == .source("https://a.org/b"))
            let deep = "https://a.org" + String(repeating: "/a", count: 63)
            #expect(PurgeScopes(ofSource: deep + "/b/c").digests.contains(try PurgeScope.ofPrefix(deep).digests[0]))
            for wrong in [
                "", "a.org/b", "https://a.org/b?c", "https://a.org/#c", deep + "/a", String(repeating: "a", count: 5000),
            ] {
                #expect(throws: ImageError.self, "\(wrong)") { try PurgeScope.ofPrefix(wrong) }
            }
            #expect(throws: ImageError.self) { try PurgeScope.ofSource("") }
            for wrong in ["", "a b", "a,b", "é", "*", String(repeating: "a", count: 257)] {
                #expect(throws: ImageError.self, "\(wrong)") { try PurgeScope.ofTag(wrong) }
            }
        }

        /// No scope of one kind is one of another.
        @Test func kindsAreApart() throws {
            let text = "https://a.org/b"
            #expect(Set([PurgeScope.source(text), .prefix(text), .tag(text)].map { $0.digest }).count == 3)
        }

        @Test func tagsOfResponses() {
            func tags(_ fields: (String, String)...) -> [String] { ResponseTags.tags(of: HTTPHeaders(fields)) }
            #expect(tags() == [])
            #expect(tags(("Cache-Tag", "a, b,,c d"), ("Surrogate-Key", " b e ")) == ["a", "b", "*", "e"])
            #expect(tags(("cache-tag", "a"), ("Cache-Tag", "a")) == ["a"])
            #expect(tags(("Cache-Tag", String(repeating: "x", count: 257))) == ["*"])
            let long = (0..<8).map { String(repeating: "\($0)", count: 200) }
            #expect(tags(("Cache-Tag", long.joined(separator: ","))) == long.prefix(5) + ["*"])
            let many = tags(("Surrogate-Key", (0..<1000).map { "t\($0)" }.joined(separator: " ")))
            #expect(many.count == ResponseTags.maximumCount + 1 && many.last == "*" && many[63] == "t63")
        }
    }

    struct PurgeLogTests {
        private let log = PurgeLog()
        private let source = PurgeScopes(ofSource: "https://a.org/b/c.jpg")
        private let other = PurgeScopes(ofSource: "https://a.org/bb/c.jpg")

        private func freshness(_ asked: Int64?, _ tags: [String] = []) -> Freshness {
            var freshness = Freshness()
            freshness.requestedAt = asked.map { Timestamp(milliseconds: $0) }
            freshness.tags = tags
            return freshness
        }

        private func learn(_ scope: PurgeScope, _ number: Int64, at now: Int64) {
            log.learn(scope.digests.map { PurgeRecord(scope: $0, number: number) }, at: Timestamp(milliseconds: now))
        }

        @Test func olderIsVoid() throws {
            #expect(!log.isVoid(source, freshness(nil)) && !log.isVoid(source, freshness(1)))
            learn(try .ofPrefix("https://a.org/b"), 5, at: 1000)
            for asked in [nil, 1, 999, 1000] as [Int64?] {
                #expect(log.isVoid(source, freshness(asked)) && !log.isVoid(other, freshness(asked)))
            }
            #expect(!log.isVoid(source, freshness(1001)))
            learn(.source("https://a.org/bb/c.jpg"), 6, at: 2000)
            #expect(log.isVoid(other, freshness(1500)) && !log.isVoid(source, freshness(1500)) && log.last == 6)
            // Told again, and in another order.
            learn(try .ofPrefix("https://a.org/b"), 5, at: 3000)
            learn(try .ofPrefix("https://a.org/b"), 4, at: 3000)
            #expect(!log.isVoid(source, freshness(1500)) && log.count == 2)
            learn(try .ofPrefix("https://a.org/b"), 7, at: 4000)
            #expect(log.isVoid(source, freshness(1500)) && log.count == 2)
        }

        @Test func tags() {
            learn(.tag("a"), 5, at: 1000)
            #expect(log.isVoid(source, freshness(900, ["b", "a"])) && !log.isVoid(source, freshness(900, ["b"])))
            #expect(!log.isVoid(source, freshness(900)) && log.isVoid(source, freshness(900, ["b", "*"])))
            #expect(!log.isVoid(source, freshness(1100, ["a", "*"])))
        }

        @Test func everything() {
            learn(.tag("a"), 5, at: 1000)
            log.learn([], floor: 6, at: Timestamp(milliseconds: 2000))
            #expect(log.isVoid(source, freshness(1500)) && !log.isVoid(source, freshness(2001)) && log.count == 0)
            #expect(log.imported(source, freshness(5)) == nil && log.imported(source, freshness(6)) != nil)
        }

        /// What other machines stored is compared by number: their clocks say nothing.
        @Test func numbersBetweenMachines() throws {
            let far = PurgeLog()
            far.learn([], floor: 1, at: Timestamp(milliseconds: 9_000_000))
            let sent = try #require(far.exported(source, freshness(9_000_001)))
            learn(.source("https://a.org/b/c.jpg"), 7, at: 1000)
            #expect(sent.requestedAt?.milliseconds == 1 && log.imported(source, sent) == nil)
            #expect(log.imported(other, sent) != nil)
            // It has learned of the purge before it asked.
            far.learn([PurgeRecord(scope: source.digests[0], number: 7)], at: Timestamp(milliseconds: 9_500_000))
            #expect(far.exported(source, freshness(9_500_000)) == nil)
            let newer = try #require(far.exported(source, freshness(9_500_001)))
            let kept = try #require(log.imported(source, newer))
            #expect(!log.isVoid(source, kept))
            // What is learned later makes it void, whatever this machine's clock says.
            learn(.source("https://a.org/b/c.jpg"), 8, at: 500)
            #expect(log.isVoid(source, kept) && log.imported(source, newer) == nil)
        }

        /// A calendar that was set back hides no purge.
        @Test func aClockThatIsSetBack() {
            log.note(Timestamp(milliseconds: 50_000))
            learn(.source("https://a.org/b/c.jpg"), 7, at: 1000)
            #expect(log.isVoid(source, freshness(49_999)))
        }

        @Test func whatIsForgottenTakesAllOlderWithIt() {
            let log = PurgeLog(maximumCount: 16)
            for number in 1...17 as ClosedRange<Int64> {
                log.learn([PurgeRecord(scope: Digest128("\(number)"), number: number)], at: Timestamp(milliseconds: number * 10))
            }
            #expect(log.count == 12)
            #expect(log.isVoid(source, freshness(50)) && !log.isVoid(source, freshness(51)))
            #expect(log.imported(source, freshness(4)) == nil && log.imported(source, freshness(5)) != nil)
            // The forgotten ones are not learned again.
            log.learn([PurgeRecord(scope: Digest128("1"), number: 1)], at: Timestamp(milliseconds: 1000))
            #expect(log.count == 12)
        }
    }

    struct PurgeFileTests {
        private let record = PurgeRecord(scope: Digest128("a"), number: 7)

        @Test func itIsReadAgain() throws {
            let folder = try TemporaryPurgeFolder()
            let (file, second) = (PurgeFile(folder: folder.path), PurgeFile(folder: folder.path))
            #expect(try file.readChanges() == nil)
            let nonce = PurgeFile.Nonce(digest: Digest128("n"), end: Timestamp(milliseconds: 99))
            try file.append([record], floor: 3, learned: 11, nonce: nonce)
            let found = try #require(try second.readChanges())
            #expect(found.records.map { $0.0 } == [record] && found.records[0].learned == 11 && found.nonces == [nonce])
            #expect(found.floor == PurgeMoment(number: 3, learned: 11))
            #expect(try second.readChanges() == nil)
            // Another process.
            try second.append([PurgeRecord(scope: Digest128("b"), number: 8)], floor: 0, learned: 12, nonce: nil)
            #expect(try file.readChanges()?.records.count == 2)
        }

        /// A record that was cut off by a kill is left out; later ones are read.
        @Test func aLineThatWasCutOff() throws {
            let whole = PurgeFile.text(of: PurgeFile.Contents(records: [(record, 11)]))
            for count in 0..<whole.count {
                #expect(PurgeFile.contents(of: Array(whole[..<count])).records.isEmpty)
                let both = PurgeFile.contents(of: Array(whole[..<count]) + [10] + whole).records.map { $0.0 }
                #expect(both == [record] || both == [record, record], "\(count)")
            }
            #expect(PurgeFile.contents(of: Array("r -1 2 x\nr\n\nq 1 2 3\nr 1 2 ABC\n".utf8)).records.isEmpty)
        }

        @Test func itIsWrittenAnew() throws {
            let folder = try TemporaryPurgeFolder()
            let file = PurgeFile(folder: folder.path)
            for number in 1...20 as ClosedRange<Int64> {
                try file.append([PurgeRecord(scope: Digest128("a"), number: number)], floor: 0, learned: number, nonce: nil)
            }
            try file.compact { contents in
                #expect(contents.records.count == 20)
                return PurgeFile.Contents(records: [contents.records[19]])
            }
            #expect(try file.readChanges()?.records.map { $0.0.number } == [20])
            try file.append([record], floor: 0, learned: 1, nonce: nil)
            #expect(try PurgeFile(folder: folder.path).readChanges()?.records.count == 2)
        }
    }

    struct PurgeRequestTests {
        private let keys = SigningKeys(keys: [SigningKeys.Key(secret: Array("0123456789abcdef".utf8))])
        private let now = Timestamp(milliseconds: 1_767_225_600_000)
        private let nonce = "0123456789abcdef"

        private func code(_ target: String, _ keys: SigningKeys? = nil) -> ImageError.Code? {
            do throws(ImageError) { _ = try PurgeRequest(target, keys: keys ?? self.keys, now: now) } catch { return error.code }
            return nil
        }

        private func signed(_ query: String) throws -> String { try keys.signed(query: "/purge?" + query) }

        @Test func scopesOfARequest() throws {
            let target = try PurgeRequest.target(
                [
                    ("source", "https://a.org/a b.jpg?c=d&e"), ("prefix", "https://a.org/p/"), ("tag", "product-17"),
                    ("everything", "1"),
                ],
                keys: keys, now: now)
            let request = try PurgeRequest(target, keys: keys, now: now)
            #expect(
                request.scopes == [
                    try .ofSource("https://a.org/a b.jpg?c=d&e"), .prefix("https://a.org/p"), .tag("product-17"), .everything,
                ])
            #expect(request.expires == now.milliseconds / 1000 + 60 && request.nonce.count >= 16)
        }

        @Test func signaturesAndTimes() throws {
            let end = now.milliseconds / 1000 + 10
            let right = try signed("tag=a&expires=\(end)&nonce=\(nonce)")
            #expect(code(right) == nil)
            let other = SigningKeys(keys: [SigningKeys.Key(secret: Array("fedcba9876543210".utf8))])
            #expect(code(right, other) == .blocked && code(right, SigningKeys(keys: other.keys + keys.keys)) == nil)
            for wrong in [
                "/purge", "/purge?tag=a&expires=\(end)&nonce=\(nonce)", right.uppercased(), String(right.dropLast()), right + "0",
                right + "&tag=b", right.replacing("tag=a", with: "tag=b"), right + "&sig=" + right.suffix(64),
            ] {
                #expect(code(wrong) == .blocked, "\(wrong)")
            }
            #expect(code(try signed("tag=a&expires=\(end - 10)&nonce=\(nonce)")) == .blocked)
            for query in [
                "tag=a&expires=\(end + 1000)&nonce=\(nonce)", "tag=a&nonce=\(nonce)", "tag=a&expires=\(end)",
                "tag=a&expires=\(end)&nonce=short", "tag=a&expires=\(end)&nonce=0123456789abcde_",
                "expires=\(end)&nonce=\(nonce)",
                "tag=a&tags=b&expires=\(end)&nonce=\(nonce)", "tag=a&expires=\(end)&expires=\(end)&nonce=\(nonce)",
                "everything=yes&expires=\(end)&nonce=\(nonce)", "tag=a%20b&expires=\(end)&nonce=\(nonce)",
                "prefix=a&expires=\(end)&nonce=\(nonce)", "tag=a&expires=\(end)&nonce=\(nonce)&",
                "tag=a&expires=x&nonce=\(nonce)",
            ] {
                #expect(code(try signed(query)) == .misuse, "\(query)")
            }
        }
    }

    /// Removed with this object.
    final class TemporaryPurgeFolder: Sendable {
        private let folder: TemporaryFolder
        var path: String { folder.path + "/cache" }

        init() throws { folder = try TemporaryFolder() }
        deinit { folder.remove() }
    }
#endif
