import Gannet
import GannetServer
import Hummingbird
import HummingbirdTesting
import Testing
import ThumbnailRoutes

/// The service below a path of a server that has other routes: the server's own image, made smaller by the server itself.
@Suite struct ThumbnailRoutesTests {
    /// 8 × 4 pixels in one colour, as a binary portable pixmap.
    private static let picture = Array("P6 8 4 255\n".utf8) + [UInt8](repeating: 0x60, count: 8 * 4 * 3)

    private func application() throws -> some ApplicationProtocol {
        var options = StandardOptions()
        options.cacheDirectory = nil
        var configuration = try ManagerConfiguration.standard(options)
        configuration.httpPolicy = ThumbnailService.policy(defaultLifetime: .seconds(3600))
        let service = ThumbnailService(
            ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["localhost"])),
            manager: ImageManager(configuration: configuration))
        let router = Router()
        router.get("/hello") { _, _ in "hello" }
        router.get("/picture.ppm") { _, _ in
            Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: Self.picture)))
        }
        ThumbnailRoutes(service, below: "/thumbnails").add(to: router)
        return Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
    }

    @Test func `Thumbnails and other routes stand side by side`() async throws {
        try await application().test(.live) { client in
            #expect(try await client.execute(uri: "/hello", method: .get) { String(buffer: $0.body) } == "hello")
            let port = try #require(client.port)
            let target = "/thumbnails/_/rs:fit:4:4/f:png/plain/http://localhost:\(port)/picture.ppm"
            let made = try await client.execute(uri: target, method: .get) { $0 }
            #expect(made.status == .ok)
            #expect(made.headers[.contentType] == "image/png")
            #expect(Array(made.body.readableBytesView.prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
            let tag = try #require(made.headers[.eTag])
            let again = try await client.execute(uri: target, method: .get, headers: [.ifNoneMatch: tag]) { $0 }
            #expect(again.status == .notModified)
            let head = try await client.execute(uri: target, method: .head) { $0 }
            #expect(head.status == .ok && head.headers[.eTag] == tag)
            let refused = try await client.execute(uri: "/thumbnails/4x4/fit?url=http%3A%2F%2Felsewhere.org%2Fa", method: .get) {
                $0
            }
            #expect(refused.status == .forbidden)
            #expect(try await client.execute(uri: "/other", method: .get) { $0.status } == .notFound)
        }
    }
}
