#if CommandLine && Server
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTesting
    import Glibc
    import Testing

    @testable import GannetServer
    @testable import gannet

    struct StoredResponseCodingTests {
        private func key(_ width: Int) throws -> ResponseKey {
            let address = try ThumbnailAddress("/\(width)x1/fit?url=http://a.org/")
            return ResponseKey(
                address, FormatChoice(address.options, accept: "", preferred: [], coders: CodersManager([])), of: .plain)
        }

        private let now = Timestamp(milliseconds: 1_767_225_600_000)

        @Test func everythingComesBack() throws {
            let full = Freshness(
                freshUntil: now, etag: "W/\"a\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", unreachableUntil: .distantFuture,
                staleIfErrorUntil: now)
            for freshness in [full, .unknown, Freshness(freshUntil: .distantPast)] {
                for bytes in [[], [1, 2, 3], [UInt8](repeating: 7, count: 70_000)] {
                    let answer = StoredResponse(mimeType: "image/png", bytes: bytes, freshness: freshness)
                    let coded = try #require(StoredResponseCoding.encode(answer, for: try key(1), at: now))
                    let again = try #require(StoredResponseCoding.decode(coded, for: try key(1)))
                    #expect(again.bytes == bytes && again.mimeType == "image/png" && again.freshness == freshness)
                    #expect(again.tag == answer.tag)
                    #expect(StoredResponseCoding.decode(coded, for: try key(2)) == nil)
                }
            }
        }

        /// Every byte that is cut off, added or changed makes it no answer, or, in the times of the entry that no answer has,
        /// the same one.
        @Test func damageIsNoAnswer() throws {
            let answer = StoredResponse(
                mimeType: "image/png", bytes: [UInt8](0..<100), freshness: Freshness(freshUntil: now, etag: "\"1\""))
            let coded = try #require(StoredResponseCoding.encode(answer, for: try key(1), at: now))
            for count in 0..<coded.count { #expect(StoredResponseCoding.decode(Array(coded[..<count]), for: try key(1)) == nil) }
            #expect(StoredResponseCoding.decode(coded + [0], for: try key(1)) == nil)
            var same = 0
            for index in coded.indices {
                for bit in 0..<8 as Range<UInt8> {
                    var damaged = coded
                    damaged[index] ^= 1 << bit
                    guard let found = StoredResponseCoding.decode(damaged, for: try key(1)) else { continue }
                    same += 1
                    #expect(found.bytes == answer.bytes && found.freshness == answer.freshness && found.mimeType == "image/png")
                }
            }
            #expect(same < coded.count)
        }
    }

    /// Options of the command, which a shell's history and a terminal show.
    struct SharedOptionTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        @Test func wrongAddressesAreExplainedAtOnce() async throws {
            let outcome = try await tool.run("serve", "--allow", "a.org", "--redis", "redis://me:secret@a.org:x")
            #expect(outcome.status == 64 && outcome.errors.contains("--redis: the port is 1 to 65535."))
            #expect(!outcome.errors.contains("secret"))
        }

        /// The service runs without it, and says so once.
        @Test func aServerThatIsDownIsNoReasonToStop() async throws {
            let running = try tool.start([
                "serve", "--allow", "a.org", "--port", "0", "--cache-dir", tool.path("cache"), "--redis",
                "unix:" + tool.path("none.sock"),
            ])
            let folder = tool
            #expect(
                await eventually {
                    folder.names("").contains {
                        $0.hasSuffix(".out") && ((try? folder.read($0)) ?? []).starts(with: Array("Serving on".utf8))
                    }
                })
            running.signal(SIGTERM)
            let outcome = try await running.wait()
            #expect(outcome.errors.split(separator: "\n").filter { $0.contains("cannot be used") }.count == 1)
            #expect(outcome.errors.contains("Redis at \(tool.path("none.sock")) cannot be used"))
        }

        @Test func optionsOfBucketsAreCheckedAtOnce() async throws {
            let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret"]
            let missing = try await tool.run("serve", "--allow", "a.org", "--s3", "abc", variables: ["AWS_ACCESS_KEY_ID": ""])
            #expect(missing.status == 64 && missing.errors.contains("AWS_SECRET_ACCESS_KEY"))
            let wrong = try await tool.run("serve", "--allow", "a.org", "--s3", "a", variables: keys)
            #expect(wrong.status == 64 && wrong.errors.contains("--s3: a bucket has 3 to 63") && !wrong.errors.contains("secret"))
            let alone = try await tool.run("serve", "--allow", "a.org", "--s3-endpoint", "http://a.org", variables: keys)
            #expect(alone.status == 64 && alone.errors.contains("--s3-endpoint needs --s3 or --source-bucket."))
        }
    }
#endif
