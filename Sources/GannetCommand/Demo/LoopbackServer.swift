#if CommandLine && HTTP
    import GannetCore
    import GannetTesting
    import Glibc
    import Synchronization

    /// An HTTP/1.1 server on 127.0.0.1 that serves a fixed list of files and counts requests. It ends with the last copy.
    struct LoopbackServer: Sendable {
        private let server: RawServer
        private let counter: RequestCounter
        private let files: [ServedFile]

        /// Serves `files[n]` as `/n`, fresh for an hour, from a port that the system chooses. Throws `io` if there is none.
        init(files: [ServedFile]) throws(ImageError) {
            let counter = RequestCounter()
            let server = RawServer.start { connection in
                while let head = connection.readHead() {
                    counter.add()
                    guard Self.answer(head, files, connection) else { return }
                }
            }
            guard let server else { throw ImageError(.io, stage: .load, "The demo's server cannot listen on 127.0.0.1.") }
            (self.server, self.counter, self.files) = (server, counter, files)
        }

        /// Requests since the server was started.
        var requestCount: Int { counter.value }

        func url(_ index: Int) -> String { server.url("/\(index)") }

        func path(_ index: Int) -> String { files[index].path }

        /// Bytes of file `index`.
        func bytes(_ index: Int) -> Int { files[index].bytes }

        /// Lets the kernel copy from the file to the socket, so that the server costs the process no memory. False: the connection is
        /// of no use any more.
        private static func answer(_ head: String, _ files: [ServedFile], _ connection: RawConnection) -> Bool {
            let line = head.prefix { !$0.isNewline }.split(separator: " ")
            let notFound = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
            guard line.count == 3, line[0] == "GET", let index = Int(line[1].dropFirst()), files.indices.contains(index) else {
                return connection.write(notFound)
            }
            let file = files[index]
            let descriptor = file.path.withPath { open($0, O_RDONLY | O_CLOEXEC) }
            guard descriptor >= 0 else { return connection.write(notFound) }
            defer { close(descriptor) }
            let response =
                "HTTP/1.1 200 OK\r\nContent-Type: \(file.mimeType)\r\nContent-Length: \(file.bytes)\r\n"
                + "Cache-Control: max-age=3600\r\nETag: \"\(index)-\(file.bytes)\"\r\n\r\n"
            return connection.write(response) && connection.write(file: descriptor, count: file.bytes)
        }
    }

    struct ServedFile: Sendable {
        var path: String
        var mimeType: String
        var bytes: Int
    }

    private final class RequestCounter: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .sequentiallyConsistent) }
        func add() { count.add(1, ordering: .sequentiallyConsistent) }
    }
#endif
