#if Server
    import GannetCore
    import GannetPlatform
    import GannetSharedCaches

    extension RedisResponseStore: ResponseLeases {
        func begin(_ key: ResponseKey) async -> LeaseOutcome {
            let chance = String(random.next(), radix: 16)
            let name = Self.name(key)
            let reply = await client.ask(
                [
                    "EVAL", Self.beginning, "3", Self.lease(key), Self.lastNumber(key), name, chance,
                    String(leaseLength.wholeMilliseconds),
                ], key: name)
            guard case .number(let number) = reply else { return .unavailable }
            guard number > 0 else { return .taken }
            client.tally.count { $0.leases += 1 }
            return .held(ResponseLease(number: number, token: "\(number)-\(chance)"))
        }

        func renew(_ lease: ResponseLease, of key: ResponseKey) async -> Bool {
            let name = Self.lease(key)
            return await client.ask(
                [
                    "EVAL", Self.ifMine("redis.call('PEXPIRE', KEYS[1], ARGV[2])"), "1", name, lease.token,
                    String(leaseLength.wholeMilliseconds),
                ], key: name) == .number(1)
        }

        func end(_ lease: ResponseLease, of key: ResponseKey) async {
            let name = Self.lease(key)
            _ = await client.ask(["EVAL", Self.ifMine("redis.call('DEL', KEYS[1])"), "1", name, lease.token], key: name)
        }

        func look(at key: ResponseKey) async -> LeaseState? {
            let name = Self.name(key)
            let reply = await client.ask(["EVAL", Self.looking, "2", Self.lease(key), name], key: name)
            guard case .list(let parts) = reply, parts.count == 2, case .number(let held) = parts[0],
                case .number(let number) = parts[1]
            else { return nil }
            return LeaseState(isHeld: held == 1, number: number < 0 ? nil : number)
        }

        /// The last number of all leases of responses with this tag: 4,096 small numbers at most.
        static func lastNumber(_ key: ResponseKey) -> String { "gannet:{\(key.stored.text.prefix(3))}:lease-number" }

        private static func lease(_ key: ResponseKey) -> String { name("lease", key) }

        /// Takes the lease if it is free: 0 if it is not, else its number. The count of numbers may have been evicted, so
        /// that of the stored response counts too.
        private static let beginning = """
            if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
            local number = redis.call('INCR', KEYS[2])
            local stored = redis.pcall('HGET', KEYS[3], 'number')
            stored = type(stored) == 'string' and tonumber(stored) or 0
            if stored >= number then
                number = stored + 1
                redis.call('SET', KEYS[2], string.format('%.0f', number))
            end
            redis.call('SET', KEYS[1], string.format('%.0f', number) .. '-' .. ARGV[1], 'NX', 'PX', ARGV[2])
            return number
            """

        private static func ifMine(_ command: String) -> String {
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return \(command) end return 0"
        }

        private static let looking = """
            local stored = redis.pcall('HGET', KEYS[2], 'number')
            return {redis.call('EXISTS', KEYS[1]), type(stored) == 'string' and tonumber(stored) or -1}
            """
    }
#endif
