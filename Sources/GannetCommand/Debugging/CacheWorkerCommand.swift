#if CommandLine
    import ArgumentParser
    import GannetCore
    import GannetPipeline

    /// Writes into a cache for ever, so that somebody can kill it and look at what is left.
    struct CacheWorkerCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cache-worker", abstract: "Stores random entries for ever, or tells what is there.",
            discussion: """
                Prints TRY KEY SHA256 before each store, ACK KEY SHA256 when it is in the file system, DEL KEY before each removal. \
                With --check: HAVE KEY SHA256 or MISS KEY for every key, then ends.
                """)

        @Option(help: "The cache folder.") var dir: String
        @Option(help: "Equal seeds do equal things.") var seed: UInt64 = 1
        @Option(help: "Bytes that the cache may take; none without it.") var limit: Int?
        @Flag(help: "Reads every key and ends.") var check = false

        private static let keyCount = 160
        private static let workers = 4

        func run() async throws {
            var configuration = DiskCacheConfiguration(directory: SourceArgument.absolute(dir), byteLimit: limit ?? .max)
            configuration.maximumAge = nil
            let cache = DiskCache(configuration)
            do throws(ImageError) {
                if check { try await look(into: cache) } else { try await work(on: cache) }
            } catch {
                Console.report(error, source: dir)
                throw ExitCode(1)
            }
        }

        private func look(into cache: DiskCache) async throws(ImageError) {
            // Waits for the scan, which removes what killed writers left.
            _ = try await cache.usage()
            for number in 0..<Self.keyCount {
                let key = CacheKey("key-\(number)")
                if let entry = try await cache.entry(for: key, touch: false) {
                    Console.print("HAVE \(key) \(try SHA256.hex(entry.bytes.contiguous()))")
                } else {
                    Console.print("MISS \(key)")
                }
            }
            try await cache.flush()
        }

        /// Each worker owns its keys, so that the order of lines about one key is the order of what happened to it.
        private func work(on cache: DiskCache) async throws(ImageError) {
            let (seed, isLimited) = (seed, limit != nil)
            let result = await withTaskGroup(of: ImageError?.self) { group in
                for worker in 0..<Self.workers {
                    group.addTask {
                        do throws(ImageError) {
                            try await Self.loop(worker, cache, seed: seed, isLimited: isLimited)
                            return nil
                        } catch { return error }
                    }
                }
                let first = await group.next() ?? nil
                group.cancelAll()
                return first
            }
            if let result { throw result }
        }

        private static func loop(
            _ worker: Int, _ cache: DiskCache, seed: UInt64, isLimited: Bool
        ) async throws(ImageError) {
            var random = SplitMix(state: seed &* 0x9E37_79B9 &+ UInt64(worker))
            while true {
                try ImageError.checkCancellation()
                let number = Int(random.next() % UInt64(keyCount / workers)) * workers + worker
                let key = CacheKey("key-\(number)")
                switch random.next() % 100 {
                case ..<65: try await store(random.bytes(), key, cache)
                case ..<90: _ = try await cache.entry(for: key, touch: true)
                case ..<98 where !isLimited || worker > 0, ..<96:
                    Console.print("DEL \(key)")
                    try await cache.remove(key)
                default: if isLimited { try await cache.trim(toBytes: cache.configuration.byteLimit / 2) }
                }
            }
        }

        private static func store(_ bytes: [UInt8], _ key: CacheKey, _ cache: DiskCache) async throws(ImageError) {
            let hash = try SHA256.hex(bytes)
            Console.print("TRY \(key) \(hash)")
            let metadata = CacheEntryMetadata(storedAt: SystemTimeSource().now, expiration: .never)
            try await cache.store(CacheEntry(bytes: ByteRope(bytes), metadata: metadata), for: key)
            try await cache.flush()
            Console.print("ACK \(key) \(hash)")
        }
    }

    /// Vigna's SplitMix64: small, seeded, good enough to choose keys and fill bytes.
    private struct SplitMix {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }

        /// 1 byte to 1 MB, small ones more often than large ones.
        mutating func bytes() -> [UInt8] {
            let largest = 1 << (next() % 21)
            let count = Int(next() % UInt64(min(largest, 1_000_000))) + 1
            var words = [UInt64](repeating: 0, count: (count + 7) / 8)
            for index in words.indices { words[index] = next() }
            return words.withUnsafeBytes { Array($0.prefix(count)) }
        }
    }
#endif
