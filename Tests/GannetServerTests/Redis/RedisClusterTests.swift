#if CommandLine && Server && PNG
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// Answers and leases in a real cluster.
    @Suite(.enabled(if: RedisServer.isThere, "there is no /usr/bin/redis-server"), .timeLimit(.minutes(10)))
    struct RedisClusterTests {
        private func key(_ source: Int, width: Int = 1) throws -> ResponseKey {
            let address = try ThumbnailAddress("/\(width)x1/fit?url=http://a.org/\(source)")
            return ResponseKey(
                address, FormatChoice(address.options, accept: "", preferred: [], coders: CodersManager([])), of: .plain)
        }

        private func answer(_ byte: UInt8) -> StoredResponse {
            StoredResponse(mimeType: "image/png", bytes: [byte], freshness: .unknown)
        }

        /// Of each node so many, in the order of nodes.
        private func keys(_ count: Int, _ cluster: RedisCluster) throws -> [[ResponseKey]] {
            var keys: [[ResponseKey]] = [[], [], []]
            var source = 0
            while keys.contains(where: { $0.count < count }) {
                source += 1
                let key = try key(source)
                let port = cluster.node(of: RedisResponseStore.name(key)).port
                let index = try #require(cluster.nodes.firstIndex { $0.port == port })
                if keys[index].count < count { keys[index].append(key) }
            }
            return keys
        }

        @Test func allNodesHaveAnswersAndLeases() async throws {
            let cluster = try await RedisCluster()
            let (first, second) = (cluster.responses(), cluster.responses())
            let keys = try keys(10, cluster).flatMap { $0 }
            for key in keys {
                guard case .held(let lease) = await first.begin(key) else {
                    Issue.record("no lease")
                    return
                }
                #expect(await second.begin(key) == .taken)
                #expect(await first.renew(lease, of: key))
                #expect(await first.store(answer(7), for: key, number: lease.number))
                #expect(await second.look(at: key) == LeaseState(isHeld: true, number: lease.number))
                await first.end(lease, of: key)
                #expect(await second.look(at: key) == LeaseState(isHeld: false, number: lease.number))
                #expect(await second.response(for: key)?.bytes == [7])
            }
            #expect(first.counts.failures == 0 && second.counts.failures == 0)
            for node in cluster.nodes {
                guard case .number(let count) = try node.ask("DBSIZE") else { return }
                #expect(count >= 10)
            }
            // Each was told once that its first node is the wrong one, and has read the slots of all.
            #expect(try cluster.nodes.reduce(0) { $0 + (try $1.refusals("MOVED")) } == 2)
        }

        @Test func nodesThatNameNoHostAreAtTheHostThatWasAsked() async throws {
            let cluster = try await RedisCluster()
            for node in cluster.nodes {
                let reply = try node.ask("CONFIG", "SET", "cluster-preferred-endpoint-type", "unknown-endpoint")
                #expect(reply == .bytes(Array("OK".utf8)))
            }
            let answers = cluster.responses()
            for key in try keys(3, cluster).flatMap({ $0 }) {
                await answers.store(answer(1), for: key)
                #expect(await answers.response(for: key)?.bytes == [1])
            }
            #expect(answers.counts.failures == 0)
        }

        /// Keys go over one by one, while the slot is in use: those that have not gone are with the old node, all others with the
        /// new one.
        @Test func aSlotThatMovesWhileItIsInUse() async throws {
            let cluster = try await RedisCluster()
            let (source, target) = (cluster.nodes[0], cluster.nodes[1])
            let answers = cluster.responses()
            let old = try #require(try keys(1, cluster)[0].first)
            // Another width of the same source is in the same slot.
            let new = ResponseKey(
                try ThumbnailAddress("/9x9/fit?url=\(old.source)"),
                FormatChoice(
                    try ThumbnailAddress("/9x9/fit?url=\(old.source)").options, accept: "", preferred: [],
                    coders: CodersManager([])), of: .plain)
            let name = RedisResponseStore.name(old)
            let slot = "\(RedisSlot.of(name))"
            #expect(RedisSlot.of(RedisResponseStore.name(new)) == RedisSlot.of(name))
            await answers.store(answer(1), for: old)
            _ = try target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", try source.name)
            _ = try source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", try target.name)
            #expect(await answers.response(for: old)?.bytes == [1])
            await answers.store(answer(2), for: new)
            #expect(await answers.response(for: new)?.bytes == [2])
            #expect(answers.counts.failures == 0)
            #expect(try source.refusals("ASK") == 2 && (try source.refusals("MOVED")) == 0)
            // A lease needs several keys, some of which have gone: each replica works alone meanwhile.
            #expect(await answers.begin(old) == .unavailable)
            #expect(answers.counts.failures == 1 && !answers.counts.isOpen)
            #expect(
                try source.ask("MIGRATE", "127.0.0.1", "\(target.port)", name, "0", "60000") == .bytes(Array("OK".utf8)))
            #expect(await answers.response(for: old)?.bytes == [1])
            for node in [target, source] { _ = try node.ask("CLUSTER", "SETSLOT", slot, "NODE", try target.name) }
            #expect(await answers.response(for: old)?.bytes == [1])
            #expect(await answers.response(for: new)?.bytes == [2])
            guard case .held = await answers.begin(old) else {
                Issue.record("no lease")
                return
            }
            #expect(try source.refusals("MOVED") == 1)
            #expect(answers.counts.failures == 1 && !answers.counts.isOpen)
        }

        @Test func aNodeThatEndsCostsItsOwnSlotsAlone() async throws {
            let cluster = try await RedisCluster()
            let (time, reports) = (ManualTimeSource(), Reports())
            let answers = cluster.responses(time) { reports.add($0) }
            let keys = try keys(6, cluster)
            for key in keys.flatMap({ $0 }) { await answers.store(answer(1), for: key) }
            cluster.nodes[2].end()
            for (index, list) in keys.enumerated() {
                for key in list {
                    #expect(await answers.response(for: key)?.bytes == (index == 2 ? nil : [1]))
                    if index == 2 { #expect(await answers.begin(key) == .unavailable) }
                }
            }
            #expect(answers.counts.isOpen && reports.all.count == 1)
            #expect(reports.all.first?.contains("\(cluster.nodes[2].port)") == true)
            let failures = answers.counts.failures
            for (index, list) in keys.enumerated() {
                for key in list { #expect(await answers.response(for: key)?.bytes == (index == 2 ? nil : [1])) }
            }
            // It is left alone.
            #expect(answers.counts.failures == failures)
            // And no client sees an error.
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let service = try SharedService(SharedStores(redis: answers))
            for name in 0..<12 {
                #expect(await service.get("/_/w:12/f:png/plain/\(server.url("/\(name).png"))").status == 200)
            }
        }

        /// As after a fail-over: the others agree on it, and the client finds out when its old node is gone.
        @Test func aSlotOfADeadNodeIsAskedOfItsNewOne() async throws {
            let cluster = try await RedisCluster()
            let time = ManualTimeSource()
            let answers = cluster.responses(time)
            let keys = try keys(2, cluster)
            for key in keys.flatMap({ $0 }) { await answers.store(answer(1), for: key) }
            let lost = keys[2][0]
            cluster.nodes[2].end()
            for _ in 0..<3 { #expect(await answers.response(for: lost) == nil) }
            #expect(answers.counts.isOpen)
            let slot = "\(RedisSlot.of(RedisResponseStore.name(lost)))"
            for node in cluster.nodes.prefix(2) {
                _ = try node.ask("CLUSTER", "SETSLOT", slot, "NODE", try cluster.nodes[1].name)
            }
            time.advance(by: .milliseconds(1001))
            await answers.store(answer(2), for: lost)
            #expect(await answers.response(for: lost)?.bytes == [2])
        }

        /// Its node says so, and is well: others of its answers are found.
        @Test func aSlotThatNobodyHasIsNobodysFault() async throws {
            let cluster = try await RedisCluster()
            let answers = cluster.responses()
            let keys = try keys(2, cluster)[0]
            for key in keys { await answers.store(answer(1), for: key) }
            let lost = RedisResponseStore.name(keys[0])
            try #require(RedisSlot.of(lost) != RedisSlot.of(RedisResponseStore.name(keys[1])))
            _ = try cluster.nodes[0].ask("CLUSTER", "DELSLOTS", "\(RedisSlot.of(lost))")
            for _ in 0..<5 {
                #expect(await answers.response(for: keys[0]) == nil)
                #expect(await answers.response(for: keys[1])?.bytes == [1])
            }
            #expect(answers.counts.failures == 5 && !answers.counts.isOpen)
        }

        @Test func aDeadNodeAtTheStartIsNoProblem() async throws {
            let cluster = try await RedisCluster()
            let keys = try keys(3, cluster)
            cluster.nodes[0].end()
            let answers = RedisResponseStore(cluster.address, limits: .patient, time: ManualTimeSource())
            for key in keys[1] + keys[2] {
                await answers.store(answer(1), for: key)
                #expect(await answers.response(for: key)?.bytes == [1])
            }
        }

        @Test func slotsAreThoseOfTheServer() async throws {
            let cluster = try await RedisCluster()
            for key in [
                "", "a", "{", "}", "{}", "{}a", "}{a}", "{a", "{a}{b}", "a{b}c", "{{a}}", "gannet:{a3f}:answer:x", "ä{ö}ü",
            ] {
                #expect(try cluster.nodes[0].ask("CLUSTER", "KEYSLOT", key) == .number(RedisSlot.of(key)), "\(key)")
            }
        }
    }
#endif
