import CGannetSandbox
import GannetCore
import GannetPlatform
import Glibc

/// One worker process as the program sees it: its connection and the two memory files. Ends with this value.
///
/// Used by one thread at a time: the one that took it from ``SandboxPool``.
final class SandboxWorker: @unchecked Sendable {
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
    /// Bytes of the output memory that have pages.
    private var drawn = 0
    /// Pages that are kept for the next image. Fresh ones cost both processes more time than a fast decoder takes to fill them.
    private static let keptBytes = 64 << 20
    private var requests = 0
    /// Files this worker has decoded.
    private(set) var files = 0
    /// It answered each request as it should, and may have another file.
    private(set) var isSound = true
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
        // Nobody takes it from here; its descriptors end in any case.
        if isSound { _ = nursery.reap(pid, kills: true) }
        if let base { munmap(base, capacity) }
        for descriptor in [socket, input, output] { close(descriptor) }
    }

    /// Waits until the worker is confined; then sets its limits for one file. Throws `sandboxUnavailable`.
    func prepare(_ limits: DecodeLimits) throws(ImageError) {
        files += 1
        if addressSpace == nil {
            var hello: [UInt64] = [0, 0]
            var count = -1
            // A machine under load may take seconds; one that cannot start a process at all must not hang the load.
            var look = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&look, 1, 30_000) > 0 else { throw fail(SandboxUnavailable.confinement(ETIMEDOUT)) }
            repeat { count = recv(socket, &hello, 16, 0) } while count < 0 && errno == EINTR
            guard count == 16, hello[0] == 0 else {
                throw fail(SandboxUnavailable.confinement(count == 16 ? Int32(truncatingIfNeeded: hello[0]) : ECHILD))
            }
            addressSpace = hello[1]
        }
        // A library may hold two more forms of the image beside the finished one; the rest is for tables and rows.
        // A limit that was lifted is lifted here too.
        let (pixels, file) = (min(limits.maximumDecodedBytes, 1 << 40), min(limits.maximumEncodedBytes, 1 << 40))
        let seconds = min(max(1, limits.maximumDecodeTime.components.seconds), 1 << 30) + 1
        _ = gannet_sandbox_limit(pid, addressSpace ?? 0, UInt64(3 * pixels + 2 * file + (512 << 20)), UInt64(seconds))
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

    /// Asks, and waits for the reply. Throws the decoder's error, `decoderCrashed`, `limitExceeded` or `cancelled`.
    func ask(_ kind: RequestKind, by deadline: SandboxDeadline, _ name: DecoderName, _ write: (inout WireWriter) -> Void)
        throws(ImageError) -> WireReader
    {
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
        try wait(by: deadline, name)
        let count = recv(socket, &reply, reply.count, 0)
        guard count > 0 else { throw ended(name) }
        do throws(WireReader.Malformed) {
            return try read(Array(reply[..<count]))
        } catch {
            throw fail(name, "answered with something that is not an answer")
        }
    }

    /// The content of a reply. Throws the error of the decoder as it is.
    private func read(_ bytes: [UInt8]) throws(WireReader.Malformed) -> WireReader {
        var reader = WireReader(bytes)
        guard try reader.int() == requests else { throw WireReader.Malformed() }
        let isContent = try reader.bool()
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
        inner.isError = !isContent
        return inner
    }

    /// Frees the session, so that the worker can have another file.
    func endFile() {
        requests += 1
        var writer = WireWriter()
        writer.put(requests)
        writer.put(RequestKind.close.rawValue)
        if send(socket, writer.bytes, writer.bytes.count, Int32(MSG_NOSIGNAL)) != writer.bytes.count { isSound = false }
        if drawn > Self.keptBytes { forget() }
    }

    /// Gives the pages of the output memory back to the system.
    func forget() {
        gannet_sandbox_forget(output, UInt64(capacity))
        drawn = 0
    }

    /// True if it has said nothing unasked, and lives.
    var isQuiet: Bool {
        var look = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return addressSpace == nil || poll(&look, 1, 0) == 0
    }

    private func wait(by deadline: SandboxDeadline, _ name: DecoderName) throws(ImageError) {
        while true {
            var look = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let ready = poll(&look, 1, 10)
            if ready > 0 { return }
            do throws(ImageError) { try deadline.check() } catch { throw fail(error) }
        }
    }

    private func ended(_ name: DecoderName) -> ImageError {
        isSound = false
        return name.crashed(nursery.reap(pid, kills: false))
    }

    /// The worker broke the protocol; it is ended.
    func fail(_ name: DecoderName, _ what: String) -> ImageError { fail(name.crashed(what)) }

    /// Ends the worker because of this error.
    private func fail(_ error: ImageError) -> ImageError {
        if isSound { _ = nursery.reap(pid, kills: true) }
        isSound = false
        return error
    }

    private static var noMemory: ImageError {
        ImageError(
            .limitExceeded, stage: .decode,
            "The system has no memory left to hand the image to the sandbox; lower the decode limits or the memory cache.")
    }
}
