#if Redis
    import Testing

    @testable import GannetSharedCaches

    struct RedisSlotTests {
        /// The value in the Redis Cluster Specification's appendix, and what `CLUSTER KEYSLOT` of Redis 7.0.15 says.
        @Test func slotsAreThoseOfTheSpecification() {
            #expect(RedisSlot.crc16(Array("123456789".utf8)) == 0x31C3)
            for (key, slot) in [
                ("foo", 12_182), ("{foo}bar", 12_182), ("a{foo}b{bar}", 12_182), ("", 0),
            ] {
                #expect(RedisSlot.of(key) == slot)
            }
            // Nothing between the first braces: the whole key.
            #expect(RedisSlot.of("foo{}{bar}") == Int(RedisSlot.crc16(Array("foo{}{bar}".utf8))) % RedisSlot.count)
            #expect(RedisSlot.of("foo{{bar}}zap") == RedisSlot.of("{bar"))
        }

        private let asked = RedisAddress.Endpoint.network(host: "10.0.0.1", port: 7000)

        @Test func refusalsAreUnderstood() {
            func endpoint(_ host: String, _ port: Int = 7001) -> RedisAddress.Endpoint { .network(host: host, port: port) }
            for (text, refusal) in [
                ("MOVED 3999 10.0.0.2:7001", .moved(slot: 3999, endpoint("10.0.0.2"))),
                ("MOVED 3999 ::1:7001", .moved(slot: 3999, endpoint("::1"))),
                ("MOVED 3999 fe80::1:7001", .moved(slot: 3999, endpoint("fe80::1"))),
                ("MOVED 3999 [::1]:7001", .moved(slot: 3999, endpoint("::1"))),
                ("MOVED 3999 a.example.org:7001", .moved(slot: 3999, endpoint("a.example.org"))),
                ("MOVED 0 :7001", .moved(slot: 0, endpoint("10.0.0.1"))), ("ASK 16383 10.0.0.2:7001", .ask(endpoint("10.0.0.2"))),
                ("ASK 1 :7001", .ask(endpoint("10.0.0.1"))),
                ("TRYAGAIN Multiple keys request during rehashing of slot", .slotUnusable),
                ("CLUSTERDOWN Hash slot not served", .slotUnusable), ("CLUSTERDOWN The cluster is down", .other),
                ("WRONGTYPE Operation", .wrongType), ("MOVED", .other), ("MOVED 16384 a:1", .other), ("MOVED 1 a", .other),
                ("MOVED 1 a:0", .other), ("MOVED 1 a:65536", .other), ("MOVED 1 ?:7001", .other), ("MOVED x a:1", .other),
                ("MOVED -1 a:1", .other), ("ASK 1 a:b:c", .other), ("", .other), ("ERR", .other),
            ] as [(String, RedisRefusal)] {
                #expect(RedisRefusal(text, asked: asked) == refusal, "\(text)")
            }
            let socket = RedisAddress.Endpoint.socket(path: "/run/redis.sock")
            #expect(RedisRefusal("ASK 1 :7001", asked: socket) == .ask(endpoint("127.0.0.1")))
        }

        private func node(_ host: RedisReply, _ port: Int) -> RedisReply {
            .list([host, .number(port), .bytes(Array("id".utf8)), .list([])])
        }

        @Test func slotsOfNodesAreRead() throws {
            let host = RedisReply.bytes(Array("10.0.0.2".utf8))
            let reply = RedisReply.list([
                .list([.number(0), .number(99), node(host, 7001), node(host, 9999)]),
                .list([.number(100), .number(100), node(.nothing, 7002)]), .list([.number(101), .number(200), node(host, 7001)]),
            ])
            var slots = try #require(RedisSlots(reply, asked: asked))
            #expect(slots.endpoints == [.network(host: "10.0.0.2", port: 7001), .network(host: "10.0.0.1", port: 7002)])
            #expect(slots[0] == slots.endpoints[0] && slots[99] == slots.endpoints[0] && slots[100] == slots.endpoints[1])
            #expect(slots[200] == slots.endpoints[0] && slots[201] == nil && slots[16_383] == nil)
            slots.set(201, to: slots.endpoints[1])
            slots.set(0, to: .network(host: "new", port: 1))
            #expect(slots[201] == slots.endpoints[1] && slots[0] == slots.endpoints[2] && slots[1] == slots.endpoints[0])
        }

        @Test func nonsenseIsNoSlots() {
            let host = RedisReply.bytes(Array("a".utf8))
            let wrong: [RedisReply] = [
                .nothing, .bytes([]), .refusal("ERR"), .list([.nothing]), .list([.list([])]),
                .list([.list([.number(0), .number(16_384), node(host, 1)])]),
                .list([.list([.number(-1), .number(1), node(host, 1)])]),
                .list([.list([.number(2), .number(1), node(host, 1)])]), .list([.list([.number(0), .number(1), node(host, 0)])]),
                .list([.list([.number(0), .number(1), .list([host])])]),
                .list([.list([.number(0), .number(1), node(.number(1), 1)])]),
                .list([.list([.number(0), .number(1), node(.bytes(Array("?".utf8)), 1)])]),
                .list(
                    (0...RedisSlots.maximumNodes).map { .list([.number($0), .number($0), node(host, $0 + 1)]) }),
            ]
            for reply in wrong { #expect(RedisSlots(reply, asked: asked) == nil) }
            #expect(RedisSlots(.list([]), asked: asked) != nil)
        }
    }
#endif
