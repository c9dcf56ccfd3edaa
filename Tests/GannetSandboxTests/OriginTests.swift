import Foundation
import GannetCore
import GannetFetch
import GannetImages
import GannetSandbox
import GannetTesting
import Testing

/// A decoder that was taken over keeps the pixels that it sees, and gives them out as those of the next image.
@Suite struct OriginTests {
    private static let attack = FaultCoder.file(.takeOver, 7).contiguous()
    private static let victim = FaultCoder.file(.takeOver, 200).contiguous()

    /// The gray that the second image shows, after the first one in the same pool.
    private static func gray(of second: ImageRequest, after first: ImageRequest, _ loader: FakeImageLoader) async throws -> UInt8
    {
        var configuration = ManagerConfiguration(
            memoryCache: nil, diskCache: nil, loaders: LoadersManager([loader]), coders: CodersManager([FaultCoder()]))
        configuration.places = DecodePlaces(sandbox: SandboxPool(kept: 1), isolation: .sandboxed)
        let manager = ImageManager(configuration: configuration)
        _ = try await manager.image(for: first)
        return try await manager.image(for: second).bitmap.row(0)[0]
    }

    private static func request(_ source: String, _ authorization: String? = nil) -> ImageRequest {
        var request = ImageRequest(source: ImageSource(source))
        if let authorization { request.download.headers = HTTPHeaders([("Authorization", authorization)]) }
        return request
    }

    /// The gray that the second image shows after an attack by the first one.
    private static func victimsGray(_ first: String, _ second: String) async throws -> UInt8 {
        let loader = FakeImageLoader()
        loader.answer(first, with: .bytes(attack))
        loader.answer(second, with: .bytes(victim))
        return try await gray(of: request(second), after: request(first), loader)
    }

    @Test(
        "An image shows nothing that an image of another origin has left in the worker",
        arguments: [
            ("https://a.example/1", "https://b.example/2"), ("https://a.example/1", "http://a.example/2"),
            ("https://a.example/1", "https://a.example:8443/2"), ("s3://one/1", "s3://two/1"), ("local:///a/1", "local:///b/1"),
            ("/pictures/a/1.fault", "/pictures/b/1.fault"),
        ])
    func others(_ first: String, _ second: String) async throws {
        #expect(try await Self.victimsGray(first, second) == 200)
    }

    @Test("Images that were asked for with other credentials are of another origin")
    func credentials() async throws {
        let loader = FakeImageLoader()
        loader.answer("https://a.example/1", with: .bytes(Self.attack))
        loader.answer("https://a.example/2", with: .bytes(Self.victim))
        let second = Self.request("https://a.example/2", "Bearer two")
        #expect(try await Self.gray(of: second, after: Self.request("https://a.example/1", "Bearer one"), loader) == 200)
        #expect(try await Self.gray(of: second, after: Self.request("https://a.example/1", "Bearer two"), loader) == 7)
    }

    @Test(
        "Images of one origin share a worker, so that the tests above could fail",
        arguments: [
            ("https://a.example/1", "https://A.example:443/2"), ("s3://one/1", "s3://one/2"), ("local:///a/1", "local:///a/2"),
            ("/pictures/a/1.fault", "/pictures/a/2.fault"),
        ])
    func same(_ first: String, _ second: String) async throws {
        #expect(try await Self.victimsGray(first, second) == 7)
    }

    @Test("Bytes that another server sent, after a redirect, are of another origin than those of the first one")
    func redirects() {
        let source = ImageSource("https://a.example/1")
        let plain = ImageOrigin(of: source, response: "https://a.example/other")
        #expect(plain == ImageOrigin(of: source))
        let redirected = ImageOrigin(of: source, response: "https://b.example/1")
        #expect(redirected != nil && redirected != plain)
        #expect(redirected != ImageOrigin(of: ImageSource("https://b.example/1")))
    }

    @Test("Bytes whose place is not known share a worker with nothing")
    func unknown() throws {
        let decoding = ImageDecoding.sandboxed(by: SandboxPool(kept: 1))
        #expect(try decoding.gray(ByteRope(Self.attack)) == 7)
        #expect(try decoding.gray(ByteRope(Self.victim)) == 200)
        #expect(ImageOrigin(of: .data(ByteRope(), identifier: "a")) == nil)
        #expect(ImageOrigin(of: ImageSource("data:image/png;base64,AA==")) == nil)
    }
}
