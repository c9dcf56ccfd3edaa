#if Redis
    import GannetCore
    import Testing

    @testable import GannetSharedCaches

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
#endif
