#if CommandLine && Server && PNG
    import Foundation
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetHTTP
    import GannetImages
    import GannetPlatform
    import GannetTesting
    import Glibc
    import Synchronization
    import Testing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// Sources in buckets, at a server that checks each signature on its own.
    struct ServeBucketTests {
        let tool: Tool
        let png: [UInt8]
        private let bucket = ObjectServer()

        init() throws {
            tool = try Tool()
            png = try Samples.png()
        }

        private static let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

        private static func encoded(_ text: String, _ more: String = "") -> String {
            text.addingPercentEncoding(withAllowedCharacters: unreserved.union(CharacterSet(charactersIn: more))) ?? ""
        }

        private func put(_ key: String, _ bytes: [UInt8]) {
            bucket.change { $0.objects["/pictures/" + Self.encoded(key, "/")] = bytes }
        }

        private func service(
            lifetime: Duration = .seconds(1000), cache: String? = nil,
            _ change: (inout ThumbnailService.Configuration) -> Void = { _ in }
        ) throws -> SourcedService {
            try SourcedService(buckets: try bucket.loader(), lifetime: lifetime, cache: cache, change)
        }

        @Test(arguments: [
            "a.png", "a/b.png", "a b.png", "a+b.png", "100%.png", "a%20b.png", "%2e%2e/a.png", "a?b=c&d.png", "a#b.png", "/a.png",
            "//a.png", "a//b.png", "a/", "\u{E4}/\u{65E5}\u{672C}.png", "\u{1F427}.png", "e\u{301}.png", "~._-", "a@b.png",
            "a:b;c,d=e.png", "!$&'()*[]{}|\\^`\"<>", "...", "a..b/.c", "\t\n\u{7F}.png", "s3://b/c", "sealed=?sealed=",
            String(repeating: "k", count: 1024),
        ])
        func everyKeyIsAskedForAsItIs(key: String) async throws {
            put(key, png)
            let service = try service()
            for target in [
                "/_/w:6/f:png/plain/s3://pictures/" + Self.encoded(key, "/"),
                "/_/w:7/f:png/plain/" + Self.encoded("s3://pictures/" + key),
                "/_/w:8/f:png/" + Base64.urlText(of: Array("s3://pictures/\(key)".utf8)),
                "/9x9/fit?format=png&url=" + Self.encoded("S3://pictures/" + key),
            ] {
                let answer = await service.get(target)
                #expect(answer.status == 200, "\(target): \(answer.failure ?? answer.text)")
            }
            let state = bucket.state
            #expect(state.refusals.isEmpty && Set(state.requests) == ["GET /pictures/" + Self.encoded(key, "/")])
            #expect(state.lines.contains { $0.lowercased() == "host: \(bucket.endpoint.dropFirst(7))" })
        }

        @Test(arguments: [
            ("s3://pictures", 400), ("s3://pictures/", 400), ("s3:///a.png", 400), ("s3:pictures/a.png", 400),
            ("s3://pictures/..", 400), ("s3://pictures/../other/a.png", 400), ("s3://pictures/a/%2e%2e/b", 400),
            ("s3://pictures/./a.png", 400), ("s3://pictures/a%00.png", 400), ("s3://other/a.png", 403),
            ("s3://PICTURES/a.png", 403), ("s3://pictures:80/a.png", 403), ("s3://me%40pictures/a.png", 403),
            ("s3://pictures%2F..%2Fother/a.png", 400), ("s3://127.0.0.1/a.png", 403),
            ("s3://pictures/" + String(repeating: "k", count: 1025), 400),
        ])
        func noOtherPlaceIsAsked(source: String, status: Int) async throws {
            let service = try service()
            #expect(await service.image(source).status == status)
            if status == 403 {
                // A signature opens no bucket.
                #expect(try await service.signed("/_/w:6/plain/\(source)").status == status)
            } else {
                #expect(throws: ImageError.self) { try SourcedService.keys.sign("/_/w:6/plain/\(source)") }
            }
            #expect(bucket.state.requests.isEmpty)
        }

        /// Of the service's own credentials clients know nothing: RFC 9111 §3.5 is about theirs.
        @Test func answersAndSourcesAreStored() async throws {
            put("a.png", png)
            let first = try service(cache: tool.path("cache"))
            let made = await first.image("s3://pictures/a.png")
            let rules = try #require(made.field("Cache-Control"))
            #expect(rules.hasPrefix("public, max-age=") && (500...1000).contains(Int(rules.filter(\.isNumber)) ?? 0), "\(rules)")
            #expect(await first.image("s3://pictures/a.png").origin == .memory)
            try await first.service.manager.waitForStores()
            let second = try service(cache: tool.path("cache"))
            let again = await second.image("s3://pictures/a.png")
            #expect(again.origin == .disk && again.body == made.body)
            #expect(await second.get("/_/w:5/f:png/plain/s3://pictures/a.png").status == 200)
            #expect(bucket.state.requests.count == 1)
            for path in try #require(FileManager.default.subpaths(atPath: tool.path("cache"))) {
                let bytes = FileManager.default.contents(atPath: tool.path("cache/" + path)).map { Array($0) } ?? []
                let text = String(decoding: bytes, as: UTF8.self)
                for secret in ["AKIDTEST", "se/cret+", "to=ken", "AWS4-HMAC"] { #expect(!text.contains(secret), "\(path)") }
            }
        }

        @Test func anUnchangedObjectKeepsItsAnswer() async throws {
            put("a.png", png)
            bucket.change { $0.tag = "\"one\"" }
            let service = try service(lifetime: .zero, cache: tool.path("cache"))
            let first = await service.image("s3://pictures/a.png")
            try await service.service.manager.waitForStores()
            // It would be no image any more, if it were sent.
            put("a.png", [1, 2, 3])
            let kept = await service.image("s3://pictures/a.png")
            #expect(first.status == 200 && kept.status == 200 && kept.body == first.body, "\(kept.failure ?? "")")
            #expect(bucket.state.requests.count == 2 && bucket.state.refusals.isEmpty)
            #expect(bucket.state.lines.contains { $0.lowercased() == "if-none-match: \"one\"" })
            put("a.png", try Samples.clearPNG())
            bucket.change { $0.tag = "\"two\"" }
            let changed = await service.image("s3://pictures/a.png")
            #expect(changed.status == 200 && changed.field("ETag") != first.field("ETag"))
        }

        @Test(arguments: [
            ("404 Not Found", 404), ("403 Forbidden", 502), ("400 Bad Request", 502), ("301 Moved Permanently", 502),
            ("500 Internal Server Error", 502), ("503 Slow Down", 502), ("204 No Content", 415),
        ])
        func statusesAreThoseOfOtherSources(status: String, expected: Int) async throws {
            bucket.change { $0.mood = .answers(status) }
            let answer = await (try service()).image("s3://pictures/a.png")
            #expect(answer.status == expected && !answer.text.contains("s3"), "\(answer.failure ?? "")")
        }

        @Test func wrongCredentialsAreTheOperatorsAffair() async throws {
            put("a.png", png)
            let wrong = S3Credentials(identifier: "AKIDTEST", secret: "guessed", token: "to=ken")
            let answer = await (try SourcedService(buckets: try bucket.loader(credentials: wrong))).image("s3://pictures/a.png")
            #expect(answer.status == 502 && answer.failure?.contains("s3:ListBucket") == true)
            #expect(answer.failure?.contains("guessed") == false && bucket.state.refusals.count == 1)
        }

        /// Neither with the signature nor without: another server is no bucket.
        @Test func redirectsAreNotFollowed() async throws {
            let other = PictureServer(PictureServer.picture(png))
            put("b.png", png)
            for url in [other.url("/a.png"), bucket.endpoint + "/pictures/b.png"] {
                bucket.change { $0.mood = .redirects(url) }
                #expect(await (try service()).image("s3://pictures/a.png").status == 502)
            }
            #expect(other.requests.isEmpty && bucket.state.requests.count == 2)
            // Below the loader, whatever asks.
            let transport = S3Transport(
                signature: S3Signature(credentials: ObjectServer.credentials, region: "eu-test-1"),
                locations: [try S3Location("pictures", endpoint: bucket.endpoint, region: "eu-test-1")],
                transport: try CURLTransport(), time: SystemTimeSource())
            for url in [
                other.url("/a.png"), bucket.endpoint + "0/pictures/a.png", bucket.endpoint.replacing("http", with: "https"),
            ] {
                let request = HTTPRequest(url: try #require(URL(string: url)))
                await #expect(throws: ImageError.self) { try await transport.send(request) }
            }
            #expect(other.requests.isEmpty)
        }

        @Test(.timeLimit(.minutes(10))) func limitsAreThoseOfOtherSources() async throws {
            put("a.png", png)
            #expect(await (try service { $0.limits.maximumEncodedBytes = 50 }).image("s3://pictures/a.png").status == 413)
            bucket.change { $0.mood = .cutsShort }
            #expect(await (try service()).image("s3://pictures/a.png").status == 502)
            bucket.change { $0.mood = .hangs }
            let deadlines = LoadDeadlines(connect: .seconds(600), idle: .milliseconds(200), total: .seconds(600))
            #expect(await (try service { $0.deadlines = deadlines }).image("s3://pictures/a.png").status == 504)
        }

        @Test func strangersMayAskForWhatIsCheap() async throws {
            put("a.png", png)
            let service = try service()
            #expect(await service.get("/_/raw:1/plain/s3://pictures/a.png").status == 403)
            #expect(try await service.signed("/_/raw:1/plain/s3://pictures/a.png").body == png)
            let info = await service.get("/info/_/plain/s3://pictures/a.png")
            #expect(info.status == 200 && info.text.contains(#""source":"s3://pictures/a.png""#), "\(info.text)")
        }

        @Test func eachBucketIsAHost() async throws {
            var configuration = ThumbnailService.Configuration(policy: SourcePolicy(hosts: []))
            configuration.sources.buckets = try bucket.loader(["pictures"])
            #expect(configuration.namesOneSource)
            configuration.sources.buckets = try bucket.loader(["pictures", "posters"])
            #expect(!configuration.namesOneSource)
            let hosts = try ["pictures", "posters"].map {
                try ThumbnailAddress("/_/plain/s3://\($0)/a", sources: configuration.sources).host
            }
            #expect(hosts == ["s3:pictures", "s3:posters"])
        }

        /// The region of AWS is in the name of its host.
        @Test func awsHasBucketsInTheNameOfItsHost() async throws {
            let transport = ScriptedHeads()
            let loader = try S3Loader(
                ["pictures", "a.dotted"], region: "eu-west-1", credentials: S3Credentials(identifier: "AKID", secret: "secret"),
                transport: transport)
            for source in ["s3://pictures/a.png", "s3://a.dotted/a.png"] {
                let request = LoadRequest(source: ImageSource(source), download: ResolvedRequest(ImageRequest(source)).download)
                await #expect(throws: ImageError.self) { try await loader.load(request) }
            }
            #expect(
                transport.urls == [
                    "https://pictures.s3.eu-west-1.amazonaws.com/a.png", "https://s3.eu-west-1.amazonaws.com/a.dotted/a.png",
                ])
        }

        @Test func optionsAreCheckedAtOnce() async throws {
            let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret"]
            for (arguments, variables, message) in [
                (["--source-bucket", "abc"], ["AWS_ACCESS_KEY_ID": ""], "AWS_SECRET_ACCESS_KEY"),
                (["--source-bucket", "a"], keys, "--source-bucket: a bucket has 3 to 63"),
                (["--source-bucket", "abc/d"], keys, "--source-bucket: the name of a bucket has no slash"),
                (["--base-url", "a.org"], [:], "--base-url: A base URL is written like"),
                (
                    ["--base-url", "https://a.org", "--s3-endpoint", "http://b.org"], keys,
                    "--s3-endpoint needs --s3 or --source-bucket."
                ),
            ] {
                let outcome = try await tool.start(["serve", "--port", "0"] + arguments, variables: variables).wait()
                #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome.errors)")
            }
            let missing = try await tool.run("serve", "--port", "0", "--source-folder", tool.path("nothing"))
            #expect(missing.status == 1 && missing.errors.contains("--source-folder:"), "\(missing.errors)")
        }

        /// The command's own places are reached although they are on this machine; a stranger's source is not.
        @Test(.timeLimit(.minutes(10))) func theCommandReachesItsOwnPlacesAlone() async throws {
            let web = PictureServer(PictureServer.picture(png))
            put("a.png", png)
            #expect(mkdir(tool.path("pictures"), 0o700) == 0)
            try tool.write(png, "pictures/a.png")
            let service = try tool.start(
                [
                    "serve", "--port", "0", "--no-cache", "--allow", "127.0.0.1", "--source-folder", tool.path("pictures"),
                    "--source-bucket", "pictures", "--s3-endpoint", bucket.endpoint, "--s3-region", "eu-test-1",
                    "--base-url", web.url("/below"), "--access-log", "combined",
                ],
                variables: [
                    "AWS_ACCESS_KEY_ID": "AKIDTEST", "AWS_SECRET_ACCESS_KEY": "se/cret+", "AWS_SESSION_TOKEN": "to=ken",
                ])
            func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
            #expect(await eventually { text(service.output).hasSuffix("\n") })
            let address = try #require(text(service.output).split(whereSeparator: \.isWhitespace).last.map { String($0) })
            for (source, status) in [
                ("local:///a.png", 200), ("s3://pictures/a.png", 200), (web.url("/a.png"), 502), ("a.png", 502),
                ("s3://other/a.png", 403), ("local:///..", 400),
            ] {
                let url = try #require(URL(string: "\(address)/_/w:6/f:png/plain/\(source)"))
                let response = try await CURLTransport().send(HTTPRequest(url: url))
                #expect(response.head.status == status, "\(source)")
            }
            #expect(web.requests.isEmpty && bucket.state.requests == ["GET /pictures/a.png"])
            kill(service.process, SIGTERM)
            let outcome = try await service.wait()
            #expect(outcome.status == 0)
            for line in ["GET /_/w:6/f:png/plain/s3://pictures/a.png HTTP", "GET /_/w:6/f:png/plain/local:///a.png HTTP"] {
                #expect(outcome.text.contains(line), "\(outcome.text)")
            }
        }
    }

    /// Remembers where requests would have gone.
    private final class ScriptedHeads: HTTPTransport, Sendable {
        private let asked = Mutex<[String]>([])
        var urls: [String] { asked.withLock { $0 } }

        func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
            asked.withLock { $0.append(request.url.absoluteString) }
            throw ImageError(.connectionFailed, stage: .load, "There is no server.")
        }
    }
#endif
