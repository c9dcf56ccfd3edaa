import CGannetSandbox
import GannetCore
import GannetPlatform
import Glibc

/// One worker process as the program sees it: its connection and the two memory files. Ends with this value.
///
/// Used by one thread at a time: the one that took it from ``SandboxPool``.
final class SandboxWorker: @unchecked Sendable {
    /// The files that it may have.
    enum Use: Equatable {
        /// Any: it has had none yet.
        case unused
        /// Those of the origin of its first file.
        case origin(ImageOrigin)
        /// No more: nobody knows whose its only file was.
        case one
    }

    let level: gannet_sandbox_level
    private let nursery: Nursery
    private let pid: pid_t
    private let socket: Int32
    private let input: Int32
    private let output: Int32
    /// Bytes of the output file, all mapped at `base`. It only grows.
    private var capacity = 0
    /// The output memory. Owned by this object, which unmaps it; the worker writes into the same pages at any time, so whatever
    /// is read from it is copied first.
    private var base: UnsafeMutableRawPointer?
    /// Address space of the worker before its first image. Nil: it has not said so yet.
    private var addressSpace: UInt64?
    /// Bytes that it may use beyond that.
    private var memory = 0
    /// Bytes of the output and of the input memory that have pages.
    private var drawn = 0
    private var written = 0
    /// Pages that are kept for the next image. Fresh ones cost both processes more time than a fast decoder takes to fill them.
    private static let keptPixels = 64 << 20
    private static let keptInput = 4 << 20
    private var requests = 0
    /// Files this worker has decoded.
    private(set) var files = 0
    private(set) var use = Use.unused
    /// It answered each request as it should.
    private var isSound = true
    /// The nursery has waited for its end.
    private var isReaped = false
    private var reply = [UInt8](repeating: 0, count: 64 << 10)

    /// Forks a worker, and returns before it is confined. Throws `sandboxUnavailable`.
    init(_ level: gannet_sandbox_level, from nursery: Nursery) throws(ImageError) {
        self.level = level
        self.nursery = nursery
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw SandboxUnavailable.system(errno)
        }
        let files = (gannet_sandbox_memory(), gannet_sandbox_memory())
        guard files.0 >= 0, files.1 >= 0 else {
            let error = errno
            for descriptor in [ends[0], ends[1], files.0, files.1] where descriptor >= 0 { close(descriptor) }
            throw SandboxUnavailable.system(error)
        }
        var pid: pid_t = 0
        let failure = nursery.fork(level, ends[1], files.0, files.1, &pid)
        close(ends[1])
        guard failure == 0, pid > 0 else {
            for descriptor in [ends[0], files.0, files.1] { close(descriptor) }
            throw SandboxUnavailable.system(failure)
        }
        (self.pid, socket, input, output) = (pid, ends[0], files.0, files.1)
    }

    deinit {
        if !isReaped { _ = nursery.reap(pid, kills: true) }
        if let base { munmap(base, capacity) }
        for descriptor in [socket, input, output] { close(descriptor) }
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
        // A library may hold two more forms of the image beside the finished one; the rest is for tables and rows.
        // A limit that was lifted is lifted here too.
        let (pixels, file) = (min(limits.maximumDecodedBytes, 1 << 40), min(limits.maximumEncodedBytes, 1 << 40))
        memory = 3 * pixels + 2 * file + (512 << 20)
        _ = gannet_sandbox_limit(pid, addressSpace ?? 0, UInt64(memory))
    }

    /// Writes bytes of the file behind those that are there.
    func write(_ rope: ByteRope, from start: Int) throws(ImageError) {
        var offset = start
        while let (index, inside) = rope.locate(offset) {
            let chunk = rope.chunks[index]
            let put = chunk.withUnsafeBytes {
                pwrite(input, $0.baseAddress.map { $0 + inside }, chunk.count - inside, off_t(offset))
            }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { throw Self.noMemory }
            offset += put
            written = max(written, offset)
        }
    }

    /// Makes room for a reply of this size in the output memory.
    func reserve(_ bytes: Int) throws(ImageError) {
        guard bytes > capacity else { return }
        let wanted = max(bytes, 2 * capacity, 1 << 20)
        guard ftruncate(output, off_t(wanted)) == 0 else { throw Self.noMemory }
        if let base { munmap(base, capacity) }
        (base, capacity) = (nil, 0)
        guard let mapped = mmap(nil, wanted, PROT_READ, MAP_SHARED, output, 0), mapped != MAP_FAILED else { throw Self.noMemory }
        (base, capacity) = (mapped, wanted)
    }

    /// Copies the pixels that the worker has drawn.
    func copyPixels(into buffer: inout PixelBuffer) {
        let bytes = buffer.layout.byteCount
        guard let base, bytes <= capacity else { return }
        drawn = max(drawn, bytes)
        buffer.withUnsafeRows { rows, _ in rows.update(from: base.assumingMemoryBound(to: UInt8.self), count: bytes) }
    }

    /// Asks, and waits for the reply; meanwhile `reserve` answers the decoder's requests for memory. Throws the decoder's error,
    /// `decoderCrashed`, `limitExceeded` or `cancelled`.
    func ask(
        _ kind: RequestKind, within limits: DecodeLimits, _ name: DecoderName, reserve: (_ bytes: Int) -> Bool,
        _ write: (inout WireWriter) -> Void
    ) throws(ImageError) -> WireReader {
        // The worker watches the limit itself, and says more about it.
        let deadline = DecodeDeadline(
            limits, processor: .process(pid), threads: BlockingExecutor.processorCount, grace: .milliseconds(250))
        deadline.limit(process: pid)
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
            try wait { () throws(ImageError) in try deadline.check() }
            let count = recv(socket, &reply, reply.count, 0)
            guard count > 0 else { throw ended(name) }
            let message: Message
            do throws(WireReader.Malformed) { message = try self.message(Array(reply[..<count])) } catch {
                throw fail(name, "answered with something that is not an answer")
            }
            switch message {
            case .reply(let reader): return reader
            case .reservation(let bytes): answer(reserve(bytes))
            }
            // The worker may go on asking for memory.
            do throws(ImageError) { try deadline.check() } catch { throw fail(error) }
        }
    }

    private func answer(_ isGranted: Bool) {
        var word: UInt8 = isGranted ? 1 : 0
        // A worker that does not read it is seen by the next wait.
        _ = send(socket, &word, 1, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    private enum Message {
        case reply(WireReader)
        case reservation(bytes: Int)
    }

    private func message(_ bytes: [UInt8]) throws(WireReader.Malformed) -> Message {
        var reader = WireReader(bytes)
        let kind = try reader.small(ReplyKind.self)
        if kind == .reservation {
            let wanted = try reader.int(in: 0...memory)
            try reader.end()
            return .reservation(bytes: wanted)
        }
        guard try reader.int() == requests else { throw WireReader.Malformed() }
        let content: [UInt8]
        if try reader.bool() {
            content = try reader.bytes(upTo: bytes.count)
        } else {
            let count = try reader.int(in: 0...capacity)
            guard let base else { throw WireReader.Malformed() }
            content = Array(UnsafeRawBufferPointer(start: base, count: count))
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
        if drawn > Self.keptPixels || written > Self.keptInput { forget() }
    }

    /// Gives the memory of the last image back to the system.
    func forget() {
        gannet_sandbox_forget(output, UInt64(capacity))
        gannet_sandbox_forget(input, UInt64(written))
        (drawn, written) = (0, 0)
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
        (isSound, isReaped) = (false, true)
        return name.crashed(nursery.reap(pid, kills: false))
    }

    /// The worker broke the protocol; it is ended.
    func fail(_ name: DecoderName, _ what: String) -> ImageError { fail(name.crashed(what)) }

    /// Ends the worker because of this error.
    private func fail(_ error: ImageError) -> ImageError {
        if !isReaped { _ = nursery.reap(pid, kills: true) }
        (isSound, isReaped) = (false, true)
        return error
    }

    private static var noMemory: ImageError {
        ImageError(
            .limitExceeded, stage: .decode,
            "The system has no memory left to hand the image to the sandbox; lower the decode limits or the memory cache.")
    }
}
