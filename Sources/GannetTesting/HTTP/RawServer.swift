import Glibc
import Synchronization

/// A loopback server that handles each connection byte by byte as a test requires. Plain sockets, one thread a connection; ends
/// with the object.
package final class RawServer: Sendable {
    /// Serves one connection on its own thread; the connection closes when it returns.
    package typealias Handler = @Sendable (RawConnection) -> Void

    private struct State {
        var isStopped = false
        var connections: Set<Int32> = []
        var count = 0
    }

    /// Chosen by the system.
    package let port: Int
    private let listener: Int32
    private let shared: Shared

    private final class Shared: Sendable {
        let state = Mutex(State())
        let handler: Handler
        init(_ handler: @escaping Handler) { self.handler = handler }
    }

    /// Traps if no loopback port is available.
    ///
    /// - Parameter host: the last number of 127.0.0.x. All of them are addresses of this machine.
    /// - Parameter port: 0 lets the system choose.
    package convenience init(host: UInt32 = 1, port: Int = 0, _ handler: @escaping Handler) {
        guard let place = Self.listen(host, port) else { preconditionFailure("the loopback gives no port") }
        self.init(place, handler)
    }

    /// Nil if no loopback port is available.
    package static func start(_ handler: @escaping Handler) -> RawServer? { listen(1, 0).map { RawServer($0, handler) } }

    private init(_ place: (listener: Int32, port: Int), _ handler: @escaping Handler) {
        (listener, port) = place
        let shared = Shared(handler)
        self.shared = shared
        DetachedThread.start { Self.accept(place.listener, shared) }
    }

    private static func listen(_ host: UInt32, _ wanted: Int) -> (listener: Int32, port: Int)? {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = (0x7F00_0000 + host).bigEndian
        address.sin_port = in_port_t(wanted).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && Glibc.listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else {
            close(listener)
            return nil
        }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// `http://127.0.0.1:port` and the path.
    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Connections so far.
    package var connectionCount: Int { shared.state.withLock { $0.count } }

    deinit {
        shared.state.withLock { state in
            state.isStopped = true
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private static func accept(_ listener: Int32, _ shared: Shared) {
        while true {
            let number = Glibc.accept(listener, nil, nil)
            if number < 0, errno == EINTR { continue }
            guard number >= 0 else { break }
            // A child process must not inherit it.
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            let count = shared.state.withLock { state -> Int? in
                if state.isStopped { return nil }
                state.connections.insert(number)
                state.count += 1
                return state.count
            }
            guard let count else {
                close(number)
                break
            }
            DetachedThread.start {
                shared.handler(RawConnection(number, count: count))
                // Under the lock, so that the server's end never shuts down a reused descriptor.
                shared.state.withLock { state in
                    state.connections.remove(number)
                    close(number)
                }
            }
        }
        close(listener)
    }
}

/// One connection of a ``RawServer``, or to a server; used only by its thread. Closed when the handler returns.
package struct RawConnection {
    let number: Int32
    /// The number of the connection, from 1, in the order of arrival.
    package let count: Int

    init(_ number: Int32, count: Int) {
        self.number = number
        self.count = count
    }

    /// Reads up to the empty line; nil if the client closed before. Leaves the body unread.
    package func readHead() -> String? {
        var bytes: [UInt8] = []
        var seen = [UInt8](repeating: 0, count: 1024)
        while true {
            let got = recv(number, &seen, seen.count, Int32(MSG_PEEK))
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            // Takes what belongs to the head, and leaves the rest in the socket.
            var taken = 0
            while taken < got, !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
                bytes.append(seen[taken])
                taken += 1
            }
            guard read(taken) != nil else { return nil }
            if bytes.suffix(4).elementsEqual([13, 10, 13, 10]) { return String(decoding: bytes, as: UTF8.self) }
        }
    }

    /// Reads exactly so many bytes; nil if the client closed before.
    package func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { target in
                target.baseAddress.map { recv(number, $0 + done, count - done, 0) } ?? 0
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }

    /// False if the client has gone.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool { Self.write(bytes[...], to: number) }

    static func write(_ bytes: ArraySlice<UInt8>, to number: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let put = bytes.withUnsafeBytes { source in
                source.baseAddress.map { send(number, $0 + done, source.count - done, Int32(MSG_NOSIGNAL)) } ?? 0
            }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { return false }
            done += put
        }
        return true
    }

    /// The first `count` bytes of a file, which the kernel copies. False if the client has gone, or the file is shorter.
    package func write(file: Int32, count: Int) -> Bool {
        var done = 0
        while done < count {
            let put = sendfile(number, file, nil, count - done)
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { return false }
            done += put
        }
        return true
    }

    /// Writes UTF-8. False if the client has gone.
    @discardableResult
    package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Limits the kernel's buffer for unread bytes of the client, which otherwise grows to dozens of megabytes.
    package func limitReceiving(to bytes: Int) {
        var size = Int32(clamping: bytes / 2)  // The system doubles it for what it writes beside them.
        setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Resets the connection when the handler returns, instead of closing it.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Returns when the client has closed or the server ends.
    package func waitForClose() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let got = recv(number, &buffer, buffer.count, 0)
            if got < 0, errno == EINTR { continue }
            if got <= 0 { return }
        }
    }

    /// Waits in real time; false if the client closed meanwhile. For servers that are slow on purpose.
    package func dawdle(milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, milliseconds) == 0
    }
}

/// Starts detached threads.
enum DetachedThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    static func start(_ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(Body(run)).toOpaque())
        precondition(failure == 0, "no thread could be started: \(failure)")
        pthread_detach(thread)
    }
}
