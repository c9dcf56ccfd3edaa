#if CommandLine && Server
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

    struct RedisAddressTests {
        @Test func whatIsUnderstood() throws {
            func parsed(_ text: String) throws -> RedisAddress { try RedisAddress(parsing: text) }
            var wanted = RedisAddress(.network(host: "a.org", port: 6379))
            #expect(try parsed("redis://a.org") == wanted && (try parsed("redis://a.org/")) == wanted)
            wanted.database = 7
            #expect(try parsed("REDIS://a.org:6379/7") == wanted)
            (wanted.user, wanted.password) = ("me", "a:b@/")
            #expect(try parsed("redis://me:a%3Ab%40%2F@a.org/7") == wanted)
            wanted.user = nil
            #expect(try parsed("redis://:a%3Ab%40%2F@a.org/7") == wanted)
            #expect(try parsed("redis://[::1]:7000") == RedisAddress(.network(host: "::1", port: 7000)))
            #expect(try parsed("redis://[::1]") == RedisAddress(.network(host: "::1", port: 6379)))
            #expect(
                try parsed("redis://a.org:7000,[::1],b.org:7001")
                    == RedisAddress(
                        .network(host: "a.org", port: 7000), .network(host: "::1", port: 6379),
                        .network(host: "b.org", port: 7001)))
            var socket = RedisAddress(.socket(path: "/run/redis.sock"))
            #expect(try parsed("unix:/run/redis.sock") == socket && (try parsed("unix:///run/redis.sock")) == socket)
            socket.database = 2
            #expect(try parsed("unix:/run/redis.sock?db=2") == socket)
        }

        @Test(
            arguments: [
                "", "a.org", "redis://", "redis://:6379", "redis://secret@a.org", "redis://me:secret@a.org:x",
                "redis://me:secret@a.org:0", "redis://me:secret@a.org/x", "redis://me:secret@a.org/-1", "redis://me:@a.org",
                "rediss://me:secret@a.org", "redis://me:secret#@a.org", "redis://me:secret@a b.org", "redis://me:%zz@a.org",
                "redis://a.org,", "redis://a.org,b.org/1", "redis://" + Array(repeating: "a", count: 17).joined(separator: ","),
                "unix:", "unix:secret", "unix:/", "unix:/a?secret", "unix:/a?db=x", "http://me:secret@a.org",
            ])
        func whatIsRefusedIsNotRepeated(text: String) {
            let error = #expect(throws: ImageError.self) { try RedisAddress(parsing: text) }
            #expect(error?.code == .misuse && error?.message.contains("secret") == false)
        }

        @Test func passwordsAreNotShown() throws {
            let address = try RedisAddress(parsing: "redis://me:secret@a.org/7")
            var dumped = ""
            dump(address, to: &dumped)
            for text in ["\(address)", String(reflecting: address), dumped] {
                #expect(text.contains("a.org:6379") && !text.contains("secret"))
            }
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
    }
#endif
