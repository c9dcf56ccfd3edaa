import CGannetSandbox
import GannetCore
import GannetPlatform
import Glibc

/// One worker process as the program sees it: its connection and the memory that it shares. Ends with this value.
///
/// Used by one thread at a time: the one that took it from ``SandboxPool``.
final class SandboxWorker: @unchecked Sendable {
    /// The files that it may have.
    enum Use: Equatable {
        /// Any file: it has had none yet.
        case unused
        /// Files of the origin of its first file.
        case origin(ImageOrigin)
        /// No more files: the origin of its only file is not known.
        case one
    }

    let level: gannet_sandbox_level
    private let zygote: Zygote
    private let register: WorkerRegister
    private let maximumMemory: Int?
    private let pid: pid_t
    private let socket: Int32
    let shared: SandboxMemory
    /// Address space of the worker before its first image. Nil: it has not said so yet.
    private var addressSpace: UInt64?
    /// Bytes that it may use beyond that.
    private var memory = 0
    private var memoryRequests = MemoryRequests(limit: 0)
    private let threads: WorkerThreads
    private var requests = 0
    /// Files this worker has decoded.
    private(set) var files = 0
    private(set) var use = Use.unused
    /// Every reply so far was correct.
    private var isSound = true
    /// The zygote has waited for its end.
    private var isReaped = false
    private var reply = [UInt8](repeating: 0, count: 64 << 10)

    /// Forks a worker, and returns before it is confined. Throws `sandboxUnavailable`.
    init(
        _ level: gannet_sandbox_level, from zygote: Zygote, in register: WorkerRegister, _ limits: SandboxLimits
    ) throws(ImageError) {
        self.level = level
        self.zygote = zygote
        self.register = register
        maximumMemory = limits.processBytes
        let shared = try SandboxMemory(limits)
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw SandboxUnavailable.system(errno)
        }
        var pid: pid_t = 0
        let failure = zygote.fork(level, ends[1], shared.input, shared.output, &pid)
        close(ends[1])
        guard failure == 0, pid > 0 else {
            close(ends[0])
            throw SandboxUnavailable.system(failure)
        }
        (self.pid, socket, self.shared) = (pid, ends[0], shared)
        threads = WorkerThreads(of: pid)
        register.add(pid)
    }

    deinit {
        _ = reap(kills: true)
        close(socket)
    }

    /// The status as waitpid gives it, and whether the worker was ended because of its memory.
    private func reap(kills: Bool) -> (status: Int32?, hadTooMuch: Bool) {
        if isReaped { return (nil, false) }
        isReaped = true
        let hadTooMuch = register.remove(pid)
        return (zygote.reap(pid, kills: kills), hadTooMuch)
    }

    /// It may have another file.
    var mayServe: Bool { isSound && use != .one }

    /// The next file is one of this origin.
    func begin(for origin: ImageOrigin?) {
        files += 1
        use = origin.map { .origin($0) } ?? .one
    }

    /// Waits until the worker is confined. Throws `sandboxUnavailable` and `cancelled`.
    func confined() throws(ImageError) {
        guard addressSpace == nil else { return }
        // A machine under load may take seconds; one that cannot start a process at all must not hang the load.
        let clock = SystemTimeSource()
        let end = clock.uptime + .seconds(30)
        try wait { () throws(ImageError) in
            try ImageError.checkCancellation(stage: .decode)
            guard clock.uptime < end else { throw SandboxUnavailable.confinement(ETIMEDOUT) }
        }
        var hello: [UInt64] = [0, 0]
        var count = -1
        repeat { count = recv(socket, &hello, 16, 0) } while count < 0 && errno == EINTR
        guard count == 16, hello[0] == 0 else {
            throw fail(SandboxUnavailable.confinement(count == 16 ? Int32(truncatingIfNeeded: hello[0]) : ECHILD))
        }
        addressSpace = hello[1]
    }

    /// Waits until the worker is confined; then sets its limit of memory for one file. Throws `sandboxUnavailable` and `cancelled`.
    func prepare(_ limits: DecodeLimits) throws(ImageError) {
        try confined()
        memory = max(1, min(Self.memory(for: limits), maximumMemory ?? .max))
        memoryRequests = MemoryRequests(limit: memory)
        _ = gannet_sandbox_limit(pid, addressSpace ?? 0, UInt64(memory))
    }

    /// Bytes for one file. A library may hold two more forms of the image beside the finished one; the rest is for tables and rows.
    static func memory(for limits: DecodeLimits) -> Int {
        // A limit that was lifted is lifted here too.
        let (pixels, file) = (min(limits.maximumDecodedBytes, 1 << 40), min(limits.maximumEncodedBytes, 1 << 40))
        return 3 * pixels + 2 * file + (512 << 20)
    }

    /// Asks, and waits for the reply; meanwhile `reserve` answers the decoder's requests for memory. Throws the decoder's error,
    /// `decoderCrashed`, `limitExceeded` or `cancelled`.
    func ask(
        _ kind: RequestKind, within limits: DecodeLimits, _ name: DecoderName,
        reserve: (_ bytes: Int, _ isSpare: Bool) -> Bool, _ write: (inout WireWriter) -> Void
    ) throws(ImageError) -> WireReader {
        // The worker watches the limit itself, by the thread that decodes, and says more about it. This counts all of its threads.
        let deadline = DecodeDeadline(
            limits, processor: .process(pid), threads: BlockingExecutor.processorCount, grace: .milliseconds(250))
        deadline.limit(process: pid)
        memoryRequests.beginStep()
        requests += 1
        var writer = WireWriter()
        writer.put(requests)
        writer.put(kind.rawValue)
        write(&writer)
        let sent = send(socket, writer.bytes, writer.bytes.count, Int32(MSG_NOSIGNAL))
        // A worker that has ended says so below, where its signal is known.
        guard sent == writer.bytes.count || sent < 0 && (errno == EPIPE || errno == ECONNRESET) else {
            throw fail(name, "could not be given the request: \(String(cString: strerror(errno)))")
        }
        while true {
            try wait { () throws(ImageError) in
                try ImageError.checkCancellation(stage: .decode)
                try checkThreads(name)
                try deadline.checkTime()
            }
            let count = recv(socket, &reply, reply.count, 0)
            guard count > 0 else { throw ended(name) }
            let message: Message
            do throws(WireReader.Malformed) { message = try self.message(Array(reply[..<count])) } catch {
                throw fail(name, "answered with something that is not an answer")
            }
            switch message {
            case .reply(let reader): return reader
            case .reservation(let bytes, let isSpare):
                guard let isGranted = memoryRequests.answer(bytes, isSpare: isSpare, { reserve(bytes, isSpare) }) else {
                    throw fail(name, "asked for memory more than \(MemoryRequests.most) times")
                }
                answer(isGranted)
            }
            // One who asks all the time is never waited for.
            do throws(ImageError) {
                try checkThreads(name)
                try deadline.checkTime()
            } catch { throw fail(error) }
        }
    }

    private func checkThreads(_ name: DecoderName) throws(ImageError) {
        if threads.areTooMany { throw name.crashed("began more than \(WorkerThreads.most) threads") }
    }

    private func answer(_ isGranted: Bool) {
        var word: UInt8 = isGranted ? 1 : 0
        // A worker that does not read it is seen by the next wait.
        _ = send(socket, &word, 1, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    private enum Message {
        case reply(WireReader)
        case reservation(bytes: Int, isSpare: Bool)
    }

    private func message(_ bytes: [UInt8]) throws(WireReader.Malformed) -> Message {
        var reader = WireReader(bytes)
        let kind = try reader.small(ReplyKind.self)
        if kind == .reservation {
            let wanted = try reader.int(in: 1...memory)
            let isSpare = try reader.bool()
            try reader.end()
            return .reservation(bytes: wanted, isSpare: isSpare)
        }
        guard try reader.int() == requests else { throw WireReader.Malformed() }
        let content: [UInt8]
        if try reader.bool() {
            content = try reader.bytes(upTo: bytes.count)
        } else {
            guard let copy = shared.copy(try reader.int()) else { throw WireReader.Malformed() }
            content = copy
        }
        try reader.end()
        var inner = WireReader(content)
        inner.isError = kind == .error
        return .reply(inner)
    }

    /// Frees the session, so that the worker can have another file.
    func endFile() {
        requests += 1
        var writer = WireWriter()
        writer.put(requests)
        writer.put(RequestKind.close.rawValue)
        if send(socket, writer.bytes, writer.bytes.count, Int32(MSG_NOSIGNAL)) != writer.bytes.count { isSound = false }
        shared.trim()
    }

    /// True if it has said nothing unasked, and lives.
    var isQuiet: Bool {
        var look = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return addressSpace == nil || poll(&look, 1, 0) == 0
    }

    /// Until there is something to read; ends the worker when `check` throws, which is called every 10 ms.
    private func wait(_ check: () throws(ImageError) -> Void) throws(ImageError) {
        while true {
            var look = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            if poll(&look, 1, 10) > 0 { return }
            do throws(ImageError) { try check() } catch { throw fail(error) }
        }
    }

    private func ended(_ name: DecoderName) -> ImageError {
        isSound = false
        let (status, hadTooMuch) = reap(kills: false)
        return hadTooMuch ? name.hadTooMuchMemory : name.crashed(status)
    }

    /// The worker broke the protocol; it is ended.
    func fail(_ name: DecoderName, _ what: String) -> ImageError { fail(name.crashed(what)) }

    /// Ends the worker because of this error.
    private func fail(_ error: ImageError) -> ImageError {
        end()
        return error
    }

    /// Returns when it has ended.
    func end() {
        isSound = false
        _ = reap(kills: true)
    }
}
