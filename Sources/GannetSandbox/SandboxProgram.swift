import CGannetSandbox
import GannetCore
import GannetPlatform
import Glibc

/// One run of a program of the system, on one file. Ends with this value. Used by one thread.
final class SandboxProgram {
    private static let keptMessages = 4096

    private let program: ConfinedProgram
    private let zygote: Zygote
    private let register: WorkerRegister
    private var pid: pid_t = 0
    private var output: Int32 = -1
    private var messages: Int32 = -1
    private var isReaped = false
    /// The beginning of what it said.
    private var said: [UInt8] = []

    /// Forks the process, and returns before it is confined. Throws `sandboxUnavailable`.
    init(
        _ program: ConfinedProgram, _ path: String, _ file: SandboxMemory, _ limits: DecodeLimits, from zygote: Zygote,
        in register: WorkerRegister, _ own: SandboxLimits
    ) throws(ImageError) {
        self.program = program
        self.zygote = zygote
        self.register = register
        var words: [UInt8] = []
        for word in [path] + program.arguments { words += Array(word.utf8) + [0] }
        let failure = zygote.run(
            words, memory: min(SandboxWorker.memory(for: limits), own.processBytes ?? .max), file.input, output: &output,
            messages: &messages, &pid)
        guard failure == 0, pid > 0 else { throw SandboxUnavailable.system(failure) }
        register.add(pid)
    }

    deinit {
        if !isReaped, pid > 0 {
            register.remove(pid)
            _ = zygote.reap(pid, kills: true)
        }
        for descriptor in [output, messages] where descriptor >= 0 { close(descriptor) }
    }

    /// Reads all that it writes, until it ends.
    func finish(
        within limits: DecodeLimits, _ body: (Span<UInt8>) throws(ImageError) -> Void
    ) throws(ImageError) -> ConfinedProgram.End {
        try confined()
        let deadline = DecodeDeadline(limits, processor: .process(pid))
        deadline.limit(process: pid)
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        while output >= 0 || messages >= 0 {
            try deadline.check()
            var looks = [
                pollfd(fd: output, events: Int16(POLLIN), revents: 0), pollfd(fd: messages, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&looks, 2, 10) > 0 else { continue }
            if looks[0].revents != 0 {
                let count = Self.read(&output, &piece)
                if count > 0 { try body(piece.span.extracting(first: count)) }
            }
            if looks[1].revents != 0 {
                let count = Self.read(&messages, &piece)
                said += piece.prefix(min(count, Self.keptMessages - said.count))
            }
        }
        return try ended()
    }

    /// Waits until the process is confined.
    private func confined() throws(ImageError) {
        // A machine under load may take seconds; one that cannot start a process at all must not hang the load.
        let clock = SystemTimeSource()
        let end = clock.uptime + .seconds(30)
        var look = pollfd(fd: messages, events: Int16(POLLIN), revents: 0)
        while poll(&look, 1, 10) <= 0 {
            try ImageError.checkCancellation(stage: .decode)
            guard clock.uptime < end else { throw SandboxUnavailable.confinement(ETIMEDOUT) }
        }
        var hello: [UInt64] = [0, 0]
        var count = -1
        repeat { count = Glibc.read(messages, &hello, 16) } while count < 0 && errno == EINTR
        guard count == 16, hello[0] == 0 else {
            throw SandboxUnavailable.confinement(count == 16 ? Int32(truncatingIfNeeded: hello[0]) : ECHILD)
        }
    }

    /// 0 at its end, which closes it.
    private static func read(_ descriptor: inout Int32, _ piece: inout [UInt8]) -> Int {
        var count = -1
        repeat { count = Glibc.read(descriptor, &piece, piece.count) } while count < 0 && errno == EINTR
        if count > 0 { return count }
        close(descriptor)
        descriptor = -1
        return 0
    }

    /// Both pipes are closed: it has ended, or is about to.
    private func ended() throws(ImageError) -> ConfinedProgram.End {
        isReaped = true
        let hadTooMuch = register.remove(pid)
        let status = zygote.reap(pid, kills: false)
        if hadTooMuch { throw DecoderName(coder: program.name, format: program.format).hadTooMuchMemory }
        // Names in the file may be part of it, and terminals obey some characters.
        let words = String(decoding: said.filter { $0 == 0x0A || (0x20...0x7E).contains($0) }, as: UTF8.self)
        // poppler says the first, and the library of C++ the second.
        if words.contains("Out of memory") || words.contains("bad_alloc") {
            throw ImageError(
                .limitExceeded, stage: .decode,
                "\(program.name) needs more memory for the \(program.format) file than the limits allow. Ask for a smaller target size, or raise maximumDecodedBytes."
            )
        }
        guard let status, status & 0x7F == 0 else {
            throw DecoderName(coder: program.name, format: program.format).crashed(status)
        }
        let code = status >> 8 & 0xFF
        // The exit code of the forked process if the system does not run the program.
        guard code != 127 else {
            throw ImageError(
                .unsupported, stage: .decode,
                "The system does not run \(program.name), or misses a library of it: \(words.prefix(200)). Install the package \(program.package) again."
            )
        }
        return ConfinedProgram.End(exitCode: code, messages: words)
    }
}
