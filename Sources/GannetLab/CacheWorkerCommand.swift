#if CommandLine
    import ArgumentParser
    import GannetCache
    import GannetCore
    import GannetPlatform
    import GannetSupport

    /// Uses a cache folder until it is killed at an arbitrary moment, and logs what must be found in it afterwards.
    ///
    /// Each task uses its own keys, so that the lines about one key are in the order in which things happened.
    struct CacheWorkerCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cache-worker", abstract: "Stores, reads and removes random entries until it is killed.")

        @Option(help: "The cache folder.")
        var dir: String

        @Option(help: "Where chance begins.")
        var seed: UInt64 = 1

        @Option(help: "Bytes of the folder at most.")
        var limit: Int?

        @Option(help: "How many keys are used.")
        var keys = 64

        @Option(help: "The number of the first key, so that two workers may have keys of their own in one folder.")
        var first = 0

        @Option(help: "How many tasks work at once.")
        var concurrency = 2

        @Option(help: "Stops after so many steps of each task; 0 never.")
        var steps = 0

        @Flag(help: "Reads every key once, says what is there, and ends.")
        var check = false

        @Flag(help: "Waits for the medium after each store.")
        var sync = false

        func validate() throws {
            guard keys > 0, first >= 0, first < 1 << 32, keys < 1 << 32, concurrency > 0, limit.map({ $0 > 0 }) ?? true else {
                throw ValidationError("--keys, --concurrency and --limit must be 1 or more.")
            }
        }

        func run() async throws {
            let cache = DiskCache(
                DiskCacheConfiguration(
                    directory: WorkingFolder.absolute(dir), byteLimit: limit ?? .max, syncsFiles: sync))
            if check { return try await report(cache) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<concurrency {
                    group.addTask { try await work(cache, number) }
                }
                try await group.waitForAll()
            }
        }

        private func report(_ cache: DiskCache) async throws {
            _ = try await cache.usage()
            for number in first..<first + keys {
                let key = CacheKey("key-\(number)")
                if let entry = try await cache.entry(for: key, touch: false) {
                    Lines.print("HAVE \(key) \(try LibcryptoSHA256.hex(entry.bytes.contiguous()))")
                } else {
                    Lines.print("MISS \(key)")
                }
            }
        }

        private func work(_ cache: DiskCache, _ number: Int) async throws {
            var chance = WorkerChance(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number))
            let own = (first..<first + keys).filter { $0 % concurrency == number }
            var step = 0
            while steps == 0 || step < steps {
                step += 1
                guard let chosen = own.randomElement(using: &chance) else { return }
                let key = CacheKey("key-\(chosen)")
                switch Int.random(in: 0..<20, using: &chance) {
                case 0..<10: try await store(cache, key, &chance)
                case 10..<16: _ = try await cache.entry(for: key)
                case 16..<18:
                    Lines.print("DEL \(key)")
                    // If the folder cannot be written, the file stays; the line was printed before.
                    try? await cache.remove(key)
                case 18: try? await cache.update(CacheEntryMetadata(format: "bin", storedAt: SystemTimeSource().now), for: key)
                default: if let limit { try? await cache.trim(toBytes: limit / 4 * 3) }
                }
            }
        }

        private func store(_ cache: DiskCache, _ key: CacheKey, _ chance: inout WorkerChance) async throws {
            // Sizes from 1 byte to 1 MB, uniform by magnitude, so that small entries are as likely as large ones.
            let magnitude = Int.random(in: 0...20, using: &chance)
            let count = min(Int.random(in: (1 << magnitude)...(2 << magnitude), using: &chance), 1_000_000)
            var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: chance.next()), count: count)
            for index in stride(from: 0, to: count, by: 509) { bytes[index] = UInt8(truncatingIfNeeded: chance.next()) }
            let hash = try LibcryptoSHA256.hex(bytes)
            Lines.print("TRY \(key) \(hash)")
            let metadata = CacheEntryMetadata(format: "bin", storedAt: SystemTimeSource().now)
            do {
                try await cache.store(CacheEntry(bytes: ByteRope(bytes), metadata: metadata), for: key)
                try await cache.flush()
                // Another task's flush may have received the error of this entry.
                guard await cache.contains(key) else { return }
                Lines.print("ACK \(key) \(hash)")
            } catch {
                // Not on disk: not acknowledged.
            }
        }
    }

    private struct WorkerChance: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
#endif
