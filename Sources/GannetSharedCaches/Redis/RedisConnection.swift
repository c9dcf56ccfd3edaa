#if Redis
    import CHiredis
    import GannetCore
    import Glibc

    /// A reply of Redis.
    package enum RedisReply: Equatable, Sendable {
        case nothing
        /// A text such as `OK`, or the bytes of a value.
        case bytes([UInt8])
        case number(Int)
        /// The server understood, and refuses.
        case refusal(String)
        case list([RedisReply])
    }

    /// One connection through hiredis. Blocks, for about twice the time that it was given at most. After an error it is of no
    /// further use, because the reply to an earlier command may still come.
    ///
    /// Not for several threads at once: the thread that takes it from the idle connections owns it until it puts it back.
    final class RedisConnection: @unchecked Sendable {
        enum Failure: Error {
            /// The other side closed: nothing of the last command was answered.
            case closed(String)
            case failed(String)

            var reason: String {
                switch self {
                case .closed(let text), .failed(let text): text
                }
            }
        }

        /// Made by `redisConnect…` in the initialiser, and freed once by `redisFree` in `deinit`. Owned by this object, and never passed on.
        private let context: UnsafeMutablePointer<redisContext>
        private let limit: Duration

        /// Connects, logs in and chooses the database. A host's name is looked up by the system's resolver, in its own time.
        init(
            _ endpoint: RedisAddress.Endpoint, login address: RedisAddress, connect: Duration, command: Duration
        ) throws(Failure) {
            let time = Self.timeval(connect)
            // hiredis copies host and path.
            let made =
                switch endpoint {
                case .network(let host, let port): redisConnectWithTimeout(host, Int32(port), time)
                case .socket(let path): redisConnectUnixWithTimeout(path, time)
                }
            guard let made else { throw .failed("There is no memory for a connection.") }
            (context, limit) = (made, command)
            guard context.pointee.err == 0 else { throw .failed(problem) }
            // For each read and write; ``ask(_:)`` looks at the time of all of them.
            guard redisSetTimeout(context, Self.timeval(command)) == REDIS_OK else { throw .failed(problem) }
            if let password = address.password {
                try expect(["AUTH"] + (address.user.map { [$0] } ?? []) + [password])
            }
            if address.database != 0 { try expect(["SELECT", String(address.database)]) }
        }

        deinit { redisFree(context) }

        private func expect(_ command: [String]) throws(Failure) {
            if case .refusal(let text) = try ask(command.map { Array($0.utf8) }) { throw .failed("It refuses: \(text).") }
        }

        func ask(_ command: [[UInt8]]) throws(Failure) -> RedisReply {
            let end = ContinuousClock.now + limit
            try append(command)
            var isWritten: Int32 = 0
            while isWritten == 0 {
                let written = PipeSignal.withheld { redisBufferWrite(context, &isWritten) }
                guard written == REDIS_OK else { throw failure(until: end) }
                if isWritten == 0, ContinuousClock.now >= end { throw timedOut }
            }
            while true {
                var raw: UnsafeMutableRawPointer?
                guard redisGetReplyFromReader(context, &raw) == REDIS_OK else { throw failure(until: end) }
                if let raw {
                    // Ours from here on, with all its parts, until the end of this block; what it says is copied.
                    defer { freeReplyObject(raw) }
                    return Self.reply(raw.assumingMemoryBound(to: redisReply.self).pointee)
                }
                if ContinuousClock.now >= end { throw timedOut }
                guard redisBufferRead(context) == REDIS_OK else { throw failure(until: end) }
            }
        }

        private func append(_ command: [[UInt8]]) throws(Failure) {
            let all = command.flatMap { $0 }
            var lengths = command.map(\.count)
            let isAppended = all.withUnsafeBufferPointer { bytes in
                // A pointer for each argument into `all`, which lives until this closure ends; hiredis copies the bytes before.
                var start = 0
                let base = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
                var arguments = command.map { argument -> UnsafePointer<CChar>? in
                    defer { start += argument.count }
                    return base.map { $0 + start }
                }
                return redisAppendCommandArgv(context, Int32(command.count), &arguments, &lengths) == REDIS_OK
            }
            guard isAppended else { throw .failed(problem) }
        }

        private static func reply(_ reply: redisReply) -> RedisReply {
            switch reply.type {
            case REDIS_REPLY_INTEGER: return .number(Int(reply.integer))
            case REDIS_REPLY_STRING, REDIS_REPLY_STATUS:
                return .bytes(Array(UnsafeRawBufferPointer(start: reply.str, count: reply.len)))
            case REDIS_REPLY_ERROR:
                return .refusal(
                    String(decoding: UnsafeRawBufferPointer(start: reply.str, count: min(reply.len, 200)), as: UTF8.self))
            case REDIS_REPLY_ARRAY:
                return .list(
                    UnsafeBufferPointer(start: reply.element, count: reply.elements).map { part in
                        part.map { Self.reply($0.pointee) } ?? .nothing
                    })
            default: return .nothing
            }
        }

        private var timedOut: Failure { .failed("It does not answer within \(limit.wholeMilliseconds) ms.") }

        private func failure(until end: ContinuousClock.Instant) -> Failure {
            // A read that waited for its whole time ends as EAGAIN.
            if ContinuousClock.now >= end { return timedOut }
            let isClosed =
                context.pointee.err == REDIS_ERR_EOF
                || context.pointee.err == REDIS_ERR_IO && [EPIPE, ECONNRESET].contains(errno)
            return isClosed ? .closed(problem) : .failed(problem)
        }

        /// hiredis' own words, which repeat no command.
        private var problem: String {
            withUnsafeBytes(of: context.pointee.errstr) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) + "."
            }
        }

        private static func timeval(_ duration: Duration) -> timeval {
            let milliseconds = Int(max(duration.wholeMilliseconds, 1))
            return Glibc.timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
        }
    }
#endif
