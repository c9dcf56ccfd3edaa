#if CommandLine && Server && PNG
    import Foundation
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetSupport
    import Glibc
    import Synchronization
    import Testing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// Sources in a folder, and nothing outside of it.
    struct ServeFolderTests {
        let tool: Tool
        let png: [UInt8]

        /// `pictures` is the folder; beside it is what must not be reached.
        init() throws {
            tool = try Tool()
            png = try Samples.png()
            for name in ["pictures", "pictures/sub", "outside"] { #expect(mkdir(tool.path(name), 0o700) == 0) }
            for name in [
                "pictures/a.png", "pictures/sub/b.png", "pictures/a b+c%?#\u{E9}.png", ByteText.text(of: Self.latin),
                "secret.png",
                "outside/c.png",
            ] {
                try tool.write(png, name)
            }
            try tool.write([], "pictures/empty.png")
            try tool.write(Array("no image".utf8), "pictures/text.png")
            try tool.write(png + [UInt8](repeating: 0, count: 1 << 20), "pictures/large.png")
            for (link, target) in [
                ("in.png", "sub/b.png"), ("in", "sub"), ("sub/up.png", "../a.png"), ("out.png", "../secret.png"), ("out", ".."),
                ("outside", "../outside"), ("root", "/"), ("own.png", tool.path("pictures/a.png")), ("zero", "/dev/zero"),
                ("proc", "/proc/self/root"), ("standard", "/proc/self/fd/0"), ("loop", "loop"), ("dangling.png", "nothing.png"),
                ("through", "sub/../../secret.png"), ("chain", "out/secret.png"),
            ] { #expect(symlink(target, tool.path("pictures/" + link)) == 0) }
            #expect(mkfifo(tool.path("pictures/fifo"), 0o600) == 0)
        }

        /// No UTF-8.
        private static let latin = Array("pictures/caf".utf8) + [0xE9] + Array(".png".utf8)

        private static let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

        private func folder(walks: Bool = false) throws -> FolderLoader {
            try FolderLoader(tool.path("pictures"), walks: walks)
        }

        /// After `plain/`, and the status with openat2(2). Links are not followed without it.
        private static let tricks: [(source: String, status: Int)] = [
            ("local:///a.png", 200), ("local:///sub/b.png", 200), ("LOCAL:///a.png", 200), ("local:%2F%2F%2Fsub%2Fb.png", 200),
            ("local:///a%20b+c%25%3F%23%C3%A9.png", 200),
            ("local:///caf%E9.png", 200), ("local:///caf%25E9.png", 404),
            ("local:///in.png", 200), ("local:///in/b.png", 200), ("local:///sub/up.png", 200),
            // Names with another meaning.
            ("local:///..", 400), ("local:///../secret.png", 400), ("local:///sub/../a.png", 400), ("local:///./a.png", 400),
            ("local:///.", 400), ("local:///%2e%2e/secret.png", 400), ("local:///%2E%2E%2Fsecret.png", 400),
            ("local:///.%2e/secret.png", 400), ("local:///sub%2F..%2F..%2Fsecret.png", 400), ("LOCAL:///../secret.png", 400),
            ("local:////etc/passwd", 400), ("local:///%2Fetc/passwd", 400), ("local:///sub//b.png", 400), ("local:///sub/", 400),
            ("local:///", 400), ("local://", 400), ("local:/a.png", 400), ("local:a.png", 400), ("local:", 400),
            ("local://a.png", 400), ("local://host/a.png", 400), ("local://me@host/a.png", 400), ("local:///a.png%00", 400),
            ("local:///a.png%00.jpg", 400), ("local:///%00", 400),
            ("local:///" + String(repeating: "a", count: 256), 400),
            ("local:///" + String(repeating: "aaaaaaaa/", count: 500) + "a.png", 400),
            ("local:%5C%5C%5Ca.png", 400), ("file:///etc/passwd", 400), ("file:///a.png", 400),
            // Only names, which no file has here.
            ("local:///%252e%252e/secret.png", 404), ("local:///..%5Csecret.png", 404), ("local:///...", 404),
            ("local:///..;/secret.png", 404), ("local:///~/a.png", 404), ("local:///a.png%0A", 404),
            ("local:///nothing.png", 404), ("local:///%FF.png", 404), ("local:///%C0%AE%C0%AE/secret.png", 404),
            ("local:///A.png", 404), ("local:///a.png/b", 404), ("local:///" + String(repeating: "a", count: 255), 404),
            // Links that lead out.
            ("local:///out.png", 404), ("local:///out/secret.png", 404), ("local:///out/pictures/a.png", 404),
            ("local:///outside/c.png", 404), ("local:///root/etc/passwd", 404), ("local:///own.png", 404),
            ("local:///proc/etc/passwd", 404), ("local:///standard", 404), ("local:///loop", 404), ("local:///dangling.png", 404),
            ("local:///through", 404), ("local:///chain", 404),
            // No files.
            ("local:///zero", 404), ("local:///fifo", 404), ("local:///sub", 404), ("local:///in", 404),
            // No images.
            ("local:///empty.png", 415), ("local:///text.png", 415), ("local:///large.png", 413),
        ]

        @Test(.timeLimit(.minutes(10)), arguments: [false, true]) func nothingOutsideTheFolderIsReached(walks: Bool) async throws
        {
            let service = try SourcedService(folder: try folder(walks: walks)) { $0.limits.maximumEncodedBytes = 1 << 20 }
            #expect(Self.tricks.count > 60)
            for (source, status) in Self.tricks {
                let isLink = ["local:///in.png", "local:///in/b.png", "local:///sub/up.png"].contains(source)
                let expected = isLink && walks ? 404 : status
                let answer = await service.image(source)
                #expect(answer.status == expected, "\(source): \(answer.text) \(answer.failure ?? "")")
                #expect(!(answer.text + (answer.failure ?? "")).contains(tool.folder.path), "\(source)")
                // The other two spellings mean the same.
                guard let decoded = source.removingPercentEncoding else { continue }
                let encoded = Base64.urlText(of: Array(decoded.utf8))
                #expect(await service.get("/_/w:6/f:png/\(encoded)").status == expected, "\(source)")
                let query = decoded.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? ""
                #expect(await service.get("/6x6/fit?format=png&url=\(query)").status == expected, "\(source)")
            }
        }

        /// In /proc are links that lead anywhere without a path, and a file that cannot be read.
        @Test(.timeLimit(.minutes(10)), arguments: [false, true]) func linksOfProcAreNotFollowed(walks: Bool) async throws {
            let service = try SourcedService(folder: try FolderLoader("/proc/self", walks: walks))
            for (source, status) in [
                ("exe", 404), ("root/etc/passwd", 404), ("cwd", 404), ("fd/0", 404), ("task", 404), ("mem", 502), ("status", 415),
            ] {
                let answer = await service.image("local:///" + source)
                #expect(answer.status == status, "\(source): \(answer.failure ?? "")")
            }
        }

        @Test(.enabled("root may read every file") { geteuid() != 0 }) func aFileThatMayNotBeReadIsABadGateway() async throws {
            #expect(chmod(tool.path("pictures/a.png"), 0) == 0)
            #expect(await (try SourcedService(folder: try folder())).image("local:///a.png").status == 502)
        }

        @Test func aSocketIsNoFile() async throws {
            let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(listener) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            // The folder's own path may be too long for an address.
            let name = "/tmp/gannet-\(getpid())-\(UInt32.random(in: 0 ... .max))"
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(name.utf8)) }
            let isBound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
            defer { unlink(name) }
            #expect(isBound)
            let service = try SourcedService(folder: try FolderLoader("/tmp"))
            #expect(await service.image("local://" + name.dropFirst(4)).status == 404)
        }

        private final class End: Sendable {
            let isReached = Atomic(false)
        }

        /// While a folder of the way and a link that leads out change places, again and again.
        @Test(.timeLimit(.minutes(10)), arguments: [false, true]) func noExchangeOpensAWayOut(walks: Bool) async throws {
            try tool.write([1], "outside/b.png")
            #expect(symlink("../outside", tool.path("pictures/link")) == 0)
            let folder = try ConfinedFolder(tool.path("pictures"), walks: walks)
            let (inside, link, away) = (tool.path("pictures/sub"), tool.path("pictures/link"), tool.path("pictures/away"))
            let end = End()
            let sizes = await withTaskGroup(of: Set<Int>.self) { group in
                group.addTask {
                    for _ in 0..<2000 {
                        for (from, to) in [(inside, away), (link, inside), (inside, link), (away, inside)] { rename(from, to) }
                    }
                    end.isReached.store(true, ordering: .releasing)
                    return []
                }
                group.addTask {
                    var sizes: Set<Int> = []
                    while !end.isReached.load(ordering: .acquiring) {
                        if let file = try? folder.read("sub/b.png", maximumBytes: 1 << 20) { sizes.insert(file.bytes.count) }
                    }
                    return sizes
                }
                return await group.reduce(into: Set<Int>()) { $0.formUnion($1) }
            }
            #expect(sizes.isSubset(of: [png.count]))
            #expect(try folder.read("sub/b.png", maximumBytes: 1 << 20).bytes == png)
        }

        /// As a deployment exchanges a folder.
        @Test func anotherFolderMayTakeItsPlace() async throws {
            #expect(mkdir(tool.path("second"), 0o700) == 0)
            try tool.write(png, "second/new.png")
            #expect(symlink("pictures", tool.path("current")) == 0)
            let service = try SourcedService(folder: try FolderLoader(tool.path("current")))
            #expect(await service.image("local:///a.png").status == 200)
            #expect(await service.image("local:///new.png").status == 404)
            #expect(symlink("second", tool.path("next")) == 0 && rename(tool.path("next"), tool.path("current")) == 0)
            #expect(await service.image("local:///new.png").status == 200)
            #expect(unlink(tool.path("current")) == 0)
            let gone = await service.get("/_/w:5/f:png/plain/local:///new.png")
            #expect(gone.status == 502 && gone.failure?.contains(tool.folder.path) == false)
        }

        @Test func aFolderMustBeOne() {
            for name in ["nothing", "secret.png"] {
                let error = #expect(throws: ImageError.self) { try FolderLoader(tool.path(name)) }
                #expect(error?.code == .misuse)
            }
        }

        @Test func answersAreFreshForTheUsualTime() async throws {
            let service = try SourcedService(folder: try folder())
            let first = await service.image("local:///a.png")
            #expect(first.origin == .made && first.field("Content-Type") == "image/png")
            let rules = try #require(first.field("Cache-Control"))
            #expect(rules.hasPrefix("public, max-age=") && (500...1000).contains(Int(rules.filter(\.isNumber)) ?? 0), "\(rules)")
            let again = await service.image("LOCAL:///a.png")
            #expect(again.origin == .memory && again.field("ETag") == first.field("ETag"))
        }

        private func times(_ name: String) -> [timespec] {
            var status = stat()
            #expect(stat(tool.path(name), &status) == 0)
            return [status.st_atim, status.st_mtim]
        }

        /// Of the same size, and of the same time to the nanosecond.
        @Test func anotherFileInItsPlaceIsAnotherImage() async throws {
            func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: 9999 - bytes.count) }
            try tool.write(padded(png), "pictures/a.png")
            let service = try SourcedService(folder: try folder(), lifetime: .zero)
            let first = await service.image("local:///a.png")
            let kept = await service.image("local:///a.png")
            #expect(first.status == 200 && kept.status == 200 && kept.field("ETag") == first.field("ETag"))
            try tool.write(padded(try Samples.clearPNG()), "next.png")
            #expect(utimensat(AT_FDCWD, tool.path("next.png"), times("pictures/a.png"), 0) == 0)
            #expect(rename(tool.path("next.png"), tool.path("pictures/a.png")) == 0)
            let second = await service.image("local:///a.png")
            #expect(second.status == 200 && second.field("ETag") != first.field("ETag"))
            #expect(unlink(tool.path("pictures/a.png")) == 0)
            #expect(await service.image("local:///a.png").status == 404)
        }

        @Test func aNanosecondMakesAnotherTag() async throws {
            let manager = try SourcedService().service.manager
            var request = ImageRequest(source: ImageSource("local:///a.png"))
            request.download.loader = try folder()
            func freshness() async throws -> Freshness {
                try #require(try await manager.fetchBytes(for: request).encoded).freshness
            }
            let first = try await freshness()
            #expect(try await freshness() == first && first.lastModified?.hasSuffix(" GMT") == true)
            var changed = times("pictures/a.png")
            changed[1].tv_nsec = (changed[1].tv_nsec + 1) % 1_000_000_000
            #expect(utimensat(AT_FDCWD, tool.path("pictures/a.png"), changed, 0) == 0)
            let second = try await freshness()
            #expect(second.etag != first.etag && second.lastModified == first.lastModified)
        }

        /// Nothing is decoded, with a cache folder and without: the first answer comes again although the bytes are no image any more.
        @Test(arguments: [false, true]) func anUnchangedFileKeepsItsAnswer(_ hasCache: Bool) async throws {
            let service = try SourcedService(
                folder: try folder(), lifetime: .zero, cache: hasCache ? tool.path("cache") : nil)
            let first = await service.image("local:///a.png")
            let before = times("pictures/a.png")
            let file = open(tool.path("pictures/a.png"), O_WRONLY)
            #expect(pwrite(file, [UInt8](repeating: 0, count: png.count), png.count, 0) == png.count && close(file) == 0)
            #expect(utimensat(AT_FDCWD, tool.path("pictures/a.png"), before, 0) == 0)
            let again = await service.image("local:///a.png")
            #expect(again.status == 200 && again.body == first.body)
            #expect(utimensat(AT_FDCWD, tool.path("pictures/a.png"), nil, 0) == 0)
            #expect(await service.image("local:///a.png").status == 415)
        }

        /// What is stored is of the file as it was: nobody needs to wait for the end of a lifetime.
        @Test func afterARestartFilesAreLookedAt() async throws {
            func service() throws -> SourcedService { try SourcedService(folder: try folder(), cache: tool.path("cache")) }
            let made = try service()
            let first = await made.image("local:///a.png")
            try await made.service.manager.waitForStores()
            try tool.write(try Samples.clearPNG(), "pictures/a.png")
            let changed = await (try service()).image("local:///a.png")
            #expect(changed.origin == .made && changed.body != first.body)
            #expect(unlink(tool.path("pictures/a.png")) == 0)
            #expect(await (try service()).image("local:///a.png").status == 404)
        }

        /// A copy of a file in the cache would only be another file; its answers are kept.
        @Test func answersOutliveTheProcessAndSourcesStayWhereTheyAre() async throws {
            let made = try SourcedService(folder: try folder(), cache: tool.path("cache"))
            let first = await made.image("local:///a.png")
            try await made.service.manager.waitForStores()
            let service = try SourcedService(folder: try folder(), cache: tool.path("cache"))
            let again = await service.image("local:///a.png")
            #expect(again.origin == .disk && again.body == first.body)
            // Of another folder it is another source.
            let other = try SourcedService(folder: try FolderLoader(tool.path("outside")), cache: tool.path("cache"))
            #expect(await other.image("local:///a.png").status == 404)
        }

        /// Through Redis, and through S3.
        @Test func replicasWithTheSameFolderShareAnswers() async throws {
            let (redis, bucket) = (try await RedisServer(), ObjectServer())
            for useRedis in [true, false] {
                let (mine, yours) = (try bucket.cache(), try bucket.cache())
                func service(_ s3: S3Cache) throws -> SourcedService {
                    try SourcedService(folder: try folder()) {
                        $0.shared = useRedis ? SharedStores(redis: redis.responses()) : SharedStores(s3: s3)
                    }
                }
                let made = await (try service(mine)).image("local:///sub/b.png")
                try await mine.flush()
                let found = await (try service(yours)).image("local:///sub/b.png")
                #expect(made.origin == .made && found.origin == .shared && found.body == made.body, "\(useRedis)")
            }
        }

        @Test func strangersMayAskForWhatIsCheap() async throws {
            let service = try SourcedService(folder: try folder())
            #expect(await service.get("/_/raw:1/plain/local:///a.png").status == 403)
            #expect(await service.get("/_/bl:2/plain/local:///a.png").status == 403)
            let raw = try await service.signed("/_/raw:1/plain/local:///a.png")
            #expect(raw.status == 200 && raw.body == png)
            #expect(try await service.signed("/_/bl:2/plain/local:///a.png").status == 200)
            // A signature opens no folder.
            let none = try SourcedService()
            #expect(try await none.signed("/_/w:6/plain/local:///a.png").status == 400)
            let info = await service.get("/info/_/plain/local:///a.png")
            #expect(info.status == 200 && info.text.contains(#""width":24"#) && !info.text.contains(tool.folder.path))
            #expect(info.field("Cache-Control")?.hasPrefix("public, max-age=") == true)
        }

        @Test func oneFolderHasAllRoom() throws {
            var configuration = ThumbnailService.Configuration(policy: SourcePolicy(hosts: []))
            configuration.sources.folder = try folder()
            #expect(configuration.namesOneSource)
            configuration.sources.base = try BaseURL("http://a.org")
            #expect(!configuration.namesOneSource)
            #expect(try ThumbnailAddress("/_/plain/local:///a", sources: configuration.sources).host == "local:")
        }
    }
#endif
