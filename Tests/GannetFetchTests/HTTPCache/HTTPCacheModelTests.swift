import FoundationEssentials
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTesting
import Synchronization
import Testing

/// Long runs of random requests against a server whose file changes. Whatever happens, an answer is a version that the server had, no older
/// than its freshness allows, and named by its bytes.
@Suite struct HTTPCacheModelTests {
    /// The server's file: its text is the number of its version.
    private struct File: Sendable {
        var version = 0
        var lifetime = 0
        var isReachable = true
    }

    private final class Server: Sendable {
        private let state = Mutex(File())
        var file: File { state.withLock { $0 } }
        func change(_ body: (inout File) -> Void) { state.withLock { body(&$0) } }

        func answer(_ request: HTTPRequest) throws(ImageError) -> HTTPResponse {
            let file = file
            guard file.isReachable else { throw ImageError(.network, "The server is away.") }
            let tag = "\"\(file.version)\""
            let fields = [("ETag", tag), ("Cache-Control", "max-age=\(file.lifetime)")]
            if request.method == "GET", request.headers["If-None-Match"] == tag {
                return .fixed(request, status: 304, headers: fields)
            }
            return .fixed(request, headers: fields, body: Array("\(file.version)".utf8))
        }
    }

    @Test(arguments: 1...40) func `No answer is older than its freshness allows`(seed: Int) async throws {
        let random = SeededRandomSource(seed: UInt64(seed))
        func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        let server = Server()
        let rig = HTTPCacheRig { request, _ throws(ImageError) in try server.answer(request) }
        var known: KnownResponse?
        var identities: [String: Digest128] = [:]
        for _ in 0..<120 {
            switch pick(8) {
            case 0:
                let lifetime = pick(3) * 20
                server.change { file in
                    file.version += 1
                    file.lifetime = lifetime
                }
            case 1: rig.time.advance(by: .seconds(pick(30)))
            case 2: server.change { $0.isReachable.toggle() }
            case 3: if pick(4) == 0 { try await rig.store.removeAll() }
            case 4: _ = try? await rig.get(method: ["POST", "HEAD"][pick(2)])
            default:
                let (file, isForced, mine) = (server.file, pick(5) == 0, pick(3) == 0 ? known : nil)
                let got = try? await rig.get(HTTPCacheRig.url, []) { use in
                    use.known = mine
                    use.forcesRevalidation = isForced
                }
                guard let got else {
                    #expect(!file.isReachable)
                    continue
                }
                let identity = try #require(got.answer.identity)
                let named = identities.first { $0.value == identity }?.key
                let text = try #require(got.text ?? named)
                #expect(got.text != nil || mine?.identity == identity)
                #expect(named ?? text == text && identities[text] ?? identity == identity)
                identities[text] = identity
                if Int(text) != file.version {
                    // An older version is fresh, or stands in for a server that is away.
                    let isFresh = got.answer.status.isHit && !isForced && got.answer.status.ttl ?? .zero > .zero
                    #expect(got.answer.isStale ? !file.isReachable : isFresh)
                }
                known = KnownResponse(identity: identity, freshness: got.answer.freshness)
            }
        }
        #expect(identities.count > 1)
    }
}
