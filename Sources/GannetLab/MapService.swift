#if CommandLine && Server && JPEG
    import ArgumentParser
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetServer
    import GannetTesting

    /// The thumbnail service behind its HTTP server, and a client for it.
    struct MapService {
        static let policy = ThumbnailService.policy(defaultLifetime: .seconds(3600))

        private let server: ThumbnailServer

        init(_ manager: ImageManager) async throws {
            let configuration = ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["127.0.0.1"]))
            server = try await ThumbnailServer.start(
                ThumbnailService(configuration, manager: manager), at: .host("127.0.0.1", port: 0))
        }

        /// Uses a new connection; returns when the server has closed it.
        func requestThumbnail(of source: String) async throws {
            let port = server.port
            let head = try await BlockingExecutor.files.run { () throws(ImageError) in
                RawConnection.connected(to: port) { connection in
                    connection.write(
                        "GET /_/rs:fit:48:48/plain/\(source) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                    let head = connection.readHead()
                    connection.waitForClose()
                    return head
                }
            }
            guard head??.hasPrefix("HTTP/1.1 200 ") == true else {
                throw ValidationError("The service answered: \((head ?? nil) ?? "nothing")")
            }
        }
    }
#endif
