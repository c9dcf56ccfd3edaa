#if Server
    import GannetCore
    import GannetPlatform

    extension RedisAnswers: AnswerLeases {
        func begin(_ key: AnswerKey) async -> LeaseOutcome {
            let chance = String(random.next(), radix: 16)
            let reply = await ask([
                "EVAL", Self.beginning, "3", Self.lease(key), Self.lastNumber, Self.name(key), chance,
                String(limits.lease.wholeMilliseconds),
            ])
            guard case .number(let number) = reply else { return .unavailable }
            guard number > 0 else { return .taken }
            watch.count { $0.leases += 1 }
            return .held(AnswerLease(number: number, token: "\(number)-\(chance)"))
        }

        func renew(_ lease: AnswerLease, of key: AnswerKey) async -> Bool {
            await ask([
                "EVAL", Self.ifMine("redis.call('PEXPIRE', KEYS[1], ARGV[2])"), "1", Self.lease(key), lease.token,
                String(limits.lease.wholeMilliseconds),
            ]) == .number(1)
        }

        func end(_ lease: AnswerLease, of key: AnswerKey) async {
            _ = await ask(["EVAL", Self.ifMine("redis.call('DEL', KEYS[1])"), "1", Self.lease(key), lease.token])
        }

        func look(at key: AnswerKey) async -> LeaseState? {
            let reply = await ask(["EVAL", Self.looking, "2", Self.lease(key), Self.name(key)])
            guard case .list(let parts) = reply, parts.count == 2, case .number(let held) = parts[0],
                case .number(let number) = parts[1]
            else { return nil }
            return LeaseState(isHeld: held == 1, number: number < 0 ? nil : number)
        }

        /// The last number of all leases.
        private static let lastNumber = "gannet:lease-number"

        private static func lease(_ key: AnswerKey) -> String { "gannet:lease:" + key.stored.text }

        /// Takes the lease if it is free: 0 if it is not, else its number. The count of numbers may have been evicted, so
        /// that of the stored answer counts too.
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
