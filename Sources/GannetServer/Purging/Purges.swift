#if Server
    package import GannetCore
    import GannetFetch
    package import GannetImages
    package import GannetPlatform
    import Synchronization

    /// Purges of a service: the log that everything stored is compared with, the file that keeps it, and Redis, through which replicas learn of
    /// each other's.
    ///
    /// With Redis a purge counts when Redis has it, without when the file has it, and with neither at once: then nothing outlives the process.
    package final class Purges: Sendable {
        private struct State {
            /// The set of records in Redis that was read, and how far.
            var name: String?
            var position: Int64 = 0
            /// The highest number that Redis has told.
            var highest: Int64 = 0
            /// Of other processes with this folder: Redis does not have them yet.
            var unshared: Set<Digest128> = []
            var isEverythingUnshared = false
            /// Of signed requests, until they expire.
            var nonces: [Digest128: Timestamp] = [:]
            /// When Redis was read last; nil: never.
            var lastRead: Duration?
            var wasRead = true
        }

        /// Signed requests within ``PurgeRequest/longestLife``; further ones are refused.
        static let maximumNonces = 10_000
        /// Scopes of one purge. Fewer than a page of Redis.
        package static let maximumScopes = 256
        /// Between two looks at the file and at Redis, at least and at most.
        static let shortestPause = Duration.milliseconds(200)
        static let longestPause = Duration.milliseconds(300)

        let log: PurgeLog
        private let file: PurgeFile?
        private let redis: RedisPurges?
        private let time: any TimeSource
        private let random: any RandomSource
        private let report: @Sendable (String) -> Void
        private let state = Mutex(State())
        /// One look at a time.
        private let isLooking = Atomic(false)

        /// Reads nothing yet. `folder`: that of the cache.
        package init(
            folder: String? = nil, redis: RedisPurges? = nil, time: any TimeSource = SystemTimeSource(),
            random: any RandomSource = SystemRandomSource(), maximumCount: Int? = nil,
            report: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            log = PurgeLog(maximumCount: maximumCount ?? PurgeLog.standardCount)
            file = folder.map { PurgeFile(folder: $0) }
            var redis = redis
            if let maximumCount { redis?.maximumCount = maximumCount }
            (self.redis, self.time, self.random, self.report) = (redis, time, random, report)
        }

        /// Other machines learn of purges.
        var isShared: Bool { redis != nil }
        /// A purge outlives this process.
        var isDurable: Bool { redis != nil || file != nil }

        /// How long ago the records of other machines were read; nil: there are none.
        var age: Duration? {
            guard redis != nil else { return nil }
            let last = state.withLock { $0.lastRead }
            return last.map { max(time.uptime - $0, .zero) } ?? time.uptime
        }

        // MARK: The manager

        /// Makes these caches compare their entries with the log, and date them.
        package func cover(_ configuration: inout ManagerConfiguration) {
            configuration.httpPolicy.keepsTags = true
            configuration.memoryCache = configuration.memoryCache.map { PurgedMemory(inner: $0, log: log) }
            configuration.diskCache = configuration.diskCache.map { PurgedCache(inner: $0, log: log, isShared: false) }
            configuration.originalCache = configuration.originalCache.map { PurgedCache(inner: $0, log: log, isShared: false) }
        }

        /// The same of a cache that other machines have too.
        package func shared(_ cache: any ImageCaching) -> any ImageCaching { PurgedCache(inner: cache, log: log, isShared: true) }

        // MARK: Learning

        /// Before anything is delivered. A file that cannot be read is reported, and does not keep the service from starting.
        package func start() async {
            if let file {
                do throws(ImageError) {
                    if let contents = try await onFile({ () throws(ImageError) in try file.readChanges() }) {
                        for (record, learned) in contents.records { log.learn([record], at: time.now, learned: learned) }
                        log.learn([], floor: contents.floor.number, at: time.now, learned: contents.floor.learned)
                        keep(contents.nonces)
                        let (now, log) = (time.now, log)
                        try await onFile { () throws(ImageError) in try file.compact { Self.compacted($0, log, now) } }
                    }
                } catch { report("Purges: \(error.message)") }
            }
            await look()
        }

        private static func compacted(_ contents: PurgeFile.Contents, _ log: PurgeLog, _ now: Timestamp) -> PurgeFile.Contents {
            // Another process may have added some since.
            for (record, learned) in contents.records { log.learn([record], at: now, learned: learned) }
            log.learn([], floor: contents.floor.number, at: now, learned: contents.floor.learned)
            let (floor, records) = log.records()
            return PurgeFile.Contents(floor: floor, records: records, nonces: contents.nonces.filter { $0.end > now })
        }

        /// Looks at the file and at Redis a few times a second, until the task is cancelled.
        package func run() async {
            while !Task.isCancelled {
                let spread = (Self.longestPause - Self.shortestPause).wholeMilliseconds
                let pause = Self.shortestPause + .milliseconds(Int64(random.next() % UInt64(spread + 1)))
                do throws(ImageError) { try await time.sleep(for: pause) } catch { return }
                await look()
            }
        }

        /// Learns what other processes and machines have purged, and tells Redis what it lacks.
        func look() async {
            guard !isLooking.exchange(true, ordering: .acquiringAndReleasing) else { return }
            defer { isLooking.store(false, ordering: .releasing) }
            log.note(time.now)
            await lookAtFile()
            guard let redis else { return }
            let isRead = await read(redis)
            let (now, wasRead) = state.withLock { state in
                defer { state.wasRead = isRead }
                if isRead { state.lastRead = time.uptime }
                return (isRead, state.wasRead)
            }
            if now != wasRead {
                report(
                    now
                        ? "Purges are read from Redis again."
                        : "Purges cannot be read from Redis: those of other machines take effect when it is back.")
            }
            if isRead { await share(redis) }
        }

        private func lookAtFile() async {
            guard let file, let contents = try? await onFile({ () throws(ImageError) in try file.readChanges() }) else { return }
            let known = log.records()
            let numbers = Dictionary(known.records.map { ($0.0.scope, $0.0.number) }) { max($0, $1) }
            let new = contents.records.map(\.0).filter { $0.number > max(numbers[$0.scope] ?? 0, known.floor.number) }
            let isEverything = contents.floor.number > known.floor.number
            log.learn(new, floor: contents.floor.number, at: time.now)
            keep(contents.nonces)
            if contents.records.count + contents.nonces.count > 2 * log.maximumCount {
                let (now, log) = (time.now, log)
                try? await onFile { () throws(ImageError) in try file.compact { Self.compacted($0, log, now) } }
            }
            guard redis != nil else { return }
            state.withLock { state in
                state.unshared.formUnion(new.map(\.scope))
                if isEverything { state.isEverythingUnshared = true }
            }
        }

        /// False: Redis cannot be asked.
        private func read(_ redis: RedisPurges) async -> Bool {
            var found: [Digest128: Int64] = [:]
            var (isWhole, position) = state.withLock { ($0.name == nil, $0.position) }
            if isWhole { position = 0 }
            // Each page but the last has several numbers.
            for _ in 0...(redis.maximumCount / RedisPurges.page + 2) * 4 {
                guard let changes = await redis.changes(since: position) else { return false }
                let isOther = state.withLock { $0.name != changes.name || changes.last < $0.highest }
                if isOther, !isWhole {
                    // Redis lost its data, or is another one.
                    (isWhole, position, found) = (true, 0, [:])
                    state.withLock { $0.highest = 0 }
                    continue
                }
                await take(changes)
                for record in changes.records { found[record.scope] = record.number }
                guard changes.isCut, let end = changes.records.last?.number else {
                    state.withLock { state in
                        (state.name, state.position) = (changes.name, max(changes.last, position))
                        state.highest = max(state.highest, changes.last)
                    }
                    if isWhole { noteMissing(found, floor: changes.floor) }
                    return true
                }
                position = end - 1
            }
            return false
        }

        private func take(_ changes: RedisPurges.Changes) async {
            guard let (moment, new) = log.learn(changes.records, floor: changes.floor, at: time.now) else { return }
            guard let file else { return }
            do throws(ImageError) {
                try await onFile { () throws(ImageError) in
                    try file.append(new, floor: changes.floor, learned: moment.learned, nonce: nil)
                }
            } catch { report("Purges: \(error.message)") }
        }

        private func noteMissing(_ found: [Digest128: Int64], floor: Int64) {
            let known = log.records()
            let missing = known.records.map(\.0).filter { $0.number > max(found[$0.scope] ?? 0, floor) }.map(\.scope)
            state.withLock { $0.unshared.formUnion(missing) }
        }

        /// Under a new number, which the other machines have not read past.
        private func share(_ redis: RedisPurges) async {
            let (scopes, isEverything) = state.withLock { ($0.unshared.prefix(Self.maximumScopes), $0.isEverythingUnshared) }
            guard !scopes.isEmpty || isEverything else { return }
            let outcome = await redis.append(
                Array(scopes), isEverything: isEverything, nonce: nil, above: log.last + 1, at: time.now)
            guard case .number(let number) = outcome else { return }
            state.withLock { state in
                state.highest = max(state.highest, number)
                state.unshared.subtract(scopes)
                if isEverything { state.isEverythingUnshared = false }
            }
        }

        // MARK: Purging

        /// Everything of these scopes that is stored now is void, and stays so. Returns when it has effect here and is stored where others find it.
        ///
        /// Throws `misuse` for too many scopes, `duplicate` requests as `blocked`, and `network` or `io` where the record cannot be stored: then
        /// nothing is purged.
        package func purge(
            _ scopes: [PurgeScope], nonce: (text: String, end: Timestamp)? = nil
        ) async throws(ImageError) -> PurgeMoment {
            let digests = Array(Set(scopes.flatMap(\.digests)))
            let isEverything = scopes.contains(.everything)
            guard !scopes.isEmpty, digests.count <= Self.maximumScopes else {
                throw ImageError(.misuse, stage: .resolve, "A purge names 1 to \(Self.maximumScopes) scopes.")
            }
            let name = nonce.map { PurgeFile.Nonce(digest: Digest128($0.text), end: $0.end) }
            if let name { try begin(name) }
            do throws(ImageError) {
                return try await purge(digests, isEverything, name)
            } catch {
                if let name, error.code != .blocked { state.withLock { $0.nonces[name.digest] = nil } }
                throw error
            }
        }

        private func purge(
            _ digests: [Digest128], _ isEverything: Bool, _ nonce: PurgeFile.Nonce?
        ) async throws(ImageError) -> PurgeMoment {
            var number = max(log.last + 1, time.now.milliseconds)
            if let redis {
                switch await redis.append(
                    digests, isEverything: isEverything, nonce: nonce, above: log.last + 1, at: time.now)
                {
                case .number(let given):
                    number = given
                    state.withLock { $0.highest = max($0.highest, given) }
                case .repeated: throw Self.repeated
                case .failed:
                    throw ImageError(.network, stage: .store, "Redis cannot be asked, and nothing was purged; try again.")
                }
            }
            let records = digests.map { PurgeRecord(scope: $0, number: number) }
            let floor = isEverything ? number : 0
            if redis != nil {
                // It has effect already at others.
                let moment = learned(records, floor)
                do throws(ImageError) { try await keep(records, floor, moment, nonce) } catch {
                    report("Purges: \(error.message)")
                }
                return moment
            }
            // The date is not earlier than what is delivered until the file has it, because it is taken again then.
            try await keep(records, floor, PurgeMoment(number: number, learned: time.now.milliseconds), nonce)
            return learned(records, floor)
        }

        private func learned(_ records: [PurgeRecord], _ floor: Int64) -> PurgeMoment {
            log.learn(records, floor: floor, at: time.now)?.moment
                ?? PurgeMoment(number: records.first?.number ?? floor, learned: time.now.milliseconds)
        }

        private func keep(
            _ records: [PurgeRecord], _ floor: Int64, _ moment: PurgeMoment, _ nonce: PurgeFile.Nonce?
        ) async throws(ImageError) {
            guard let file else { return }
            try await onFile { () throws(ImageError) in
                try file.append(records, floor: floor, learned: moment.learned, nonce: nonce)
            }
        }

        private func onFile<R: Sendable>(
            _ body: @Sendable @escaping () throws(ImageError) -> R
        ) async throws(ImageError) -> R { try await BlockingExecutor.files.run(body) }

        // MARK: Nonces

        private func begin(_ nonce: PurgeFile.Nonce) throws(ImageError) {
            let now = time.now
            try state.withLock { state throws(ImageError) in
                if let end = state.nonces[nonce.digest], end > now { throw Self.repeated }
                if state.nonces.count >= Self.maximumNonces { state.nonces = state.nonces.filter { $0.value > now } }
                guard state.nonces.count < Self.maximumNonces else {
                    throw ImageError(.limitExceeded, stage: .resolve, "There were too many purges; try again in a few minutes.")
                }
                state.nonces[nonce.digest] = nonce.end
            }
        }

        private func keep(_ nonces: [PurgeFile.Nonce]) {
            let now = time.now
            state.withLock { state in
                for nonce in nonces.suffix(Self.maximumNonces) where nonce.end > now { state.nonces[nonce.digest] = nonce.end }
            }
        }

        private static var repeated: ImageError {
            ImageError(.blocked, stage: .resolve, "This request was carried out before; sign another one.")
        }
    }
#endif
