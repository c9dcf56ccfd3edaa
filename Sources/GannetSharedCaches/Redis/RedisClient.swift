#if Redis
    import GannetCore
    package import GannetPlatform
    import Synchronization

    /// Sends commands to a Redis or Valkey, or to the node of a cluster that has the key.
    ///
    /// A few threads have blocking connections. A server that hangs costs a command the times of the limits at most, and after some failures
    /// nothing: an open breaker refuses commands before they wait for a thread. Each node has its own breaker, so a failed node affects
    /// only its own keys.
    package final class RedisClient: Sendable {
        package let limits: RedisLimits
        package let time: any TimeSource
        package let tally = RemoteTally()
        let address: RedisAddress
        private let executor: BlockingExecutor
        /// Commands that run, or wait for a thread.
        private let questions = Atomic(0)
        let nodes: RedisNodes

        /// Connects to nothing yet. `report` gets a line when a server fails, and one when it is back.
        package init(
            _ address: RedisAddress, limits: RedisLimits, time: any TimeSource, report: @escaping @Sendable (String) -> Void
        ) {
            (self.address, self.limits, self.time) = (address, limits, time)
            executor = BlockingExecutor(name: "gannet-redis", threads: limits.connections)
            let tally = tally
            nodes = RedisNodes(address) { endpoint in
                let breaker = CircuitBreaker(
                    tally, server: "Redis at \(endpoint.text)", breaker: limits.breaker, time: time, report: report)
                return RedisNode(endpoint, address, limits, breaker)
            }
        }

        package var counts: RemoteCounts { tally.counts(isOpen: nodes.isAnyOpen) }
        var questionCount: Int { questions.load(ordering: .relaxed) }

        /// Reports at once if nothing is there. Never fails.
        package func check() async { _ = await ask([Array("PING".utf8)], key: nil, reportsAtOnce: true) }

        package func ask(_ command: [String], key: String?) async -> RedisReply? {
            await ask(command.map { Array($0.utf8) }, key: key)
        }

        /// Nil: it failed, or the breaker is open.
        ///
        /// - Parameter key: one of the command's keys, which are all of one slot; nil: any node will do.
        package func ask(_ command: [[UInt8]], key: String?, reportsAtOnce: Bool = false) async -> RedisReply? {
            await inTurn { [self] in perform(command, slot: key.map { RedisSlot.of($0) }, reportsAtOnce: reportsAtOnce) }
        }

        /// Nil also if too many wait.
        private func inTurn<R: Sendable>(_ body: @Sendable @escaping () -> R?) async -> R? {
            let count = questions.add(1, ordering: .relaxed).newValue
            defer { questions.subtract(1, ordering: .relaxed) }
            guard count - limits.connections <= limits.waiting else {
                tally.count { $0.skipped += 1 }
                return nil
            }
            let reply = try? await executor.run { () throws(ImageError) in body() }
            return reply ?? nil
        }

        /// The same of one node.
        func ask(_ command: [String], of node: RedisNode) async -> RedisReply? {
            await inTurn { [self] in follow(command.map { Array($0.utf8) }, from: node, reportsAtOnce: false) }
        }

        /// All nodes with keys. Nil: it cannot be found out now which there are.
        func everyNode() async -> [RedisNode]? {
            await inTurn { [self] in
                // Read each time: nodes known only from a redirection do not list the others.
                for node in (nodes.ofSlots ?? []) + nodes.starts {
                    switch readSlots(from: node) {
                    case .cluster: return nodes.ofSlots
                    case .single: return [node]
                    case .failed: continue
                    }
                }
                return nil
            }
        }

        private func perform(_ command: [[UInt8]], slot: Int?, reportsAtOnce: Bool) -> RedisReply? {
            guard nodes.isCluster else {
                for node in nodes.starts {
                    if let reply = follow(command, from: node, reportsAtOnce: reportsAtOnce) { return reply }
                    // It answered, and another node failed.
                    if nodes.isCluster { return nil }
                }
                return nil
            }
            var node = nodes.node(of: slot)
            // The slot may have another node by now.
            if node?.breaker.isOpen != false, let helper = nodes.usable(instead: node), nodes.mayRead(at: time.uptime) {
                _ = readSlots(from: helper)
                node = nodes.node(of: slot)
            }
            guard let node = node ?? nodes.usable(instead: nil) else { return nil }
            return follow(command, from: node, reportsAtOnce: reportsAtOnce)
        }

        /// Sends the command to the node, and follows its redirections.
        private func follow(_ command: [[UInt8]], from first: RedisNode, reportsAtOnce: Bool) -> RedisReply? {
            var (node, isAsking) = (first, false)
            for _ in 0...limits.redirections {
                guard let attempt = node.breaker.begin() else { return nil }
                let reply: RedisReply
                do throws(RedisConnection.Failure) { reply = try node.exchange(command, isAsking: isAsking) } catch {
                    node.breaker.failed(attempt, error.reason, reportsAtOnce: reportsAtOnce)
                    return nil
                }
                guard case .refusal(let text) = reply else {
                    node.breaker.succeeded(attempt)
                    return reply
                }
                let refusal = RedisRefusal(text, asked: node.endpoint)
                if refusal == .other {
                    node.breaker.failed(attempt, "It refuses: \(text).", reportsAtOnce: reportsAtOnce)
                    return nil
                }
                // The node is well.
                node.breaker.succeeded(attempt)
                switch refusal {
                case .moved(let slot, let endpoint):
                    guard let next = nodes.move(slot, to: endpoint) else { break }
                    if nodes.mayRead(at: time.uptime) { _ = readSlots(from: next) }
                    (node, isAsking) = (next, false)
                    continue
                case .ask(let endpoint):
                    guard let next = nodes.node(at: endpoint) else { break }
                    (node, isAsking) = (next, true)
                    continue
                case .wrongType: return reply
                case .slotUnusable, .other: break
                }
                break
            }
            tally.count { $0.failures += 1 }
            return nil
        }

        private enum Reading {
            case cluster, single, failed
        }

        private func readSlots(from node: RedisNode) -> Reading {
            guard let attempt = node.breaker.begin() else { return .failed }
            do throws(RedisConnection.Failure) {
                let reply = try node.exchange(["CLUSTER", "SLOTS"].map { Array($0.utf8) })
                node.breaker.succeeded(attempt)
                if let slots = RedisSlots(reply, asked: node.endpoint) {
                    nodes.set(slots)
                    return .cluster
                }
                guard case .refusal(let text) = reply, text.contains("cluster support disabled") else { return .failed }
                return .single
            } catch {
                node.breaker.failed(attempt, error.reason)
                return .failed
            }
        }
    }
#endif
