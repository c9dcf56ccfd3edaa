import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Results that are kept beside a stored response, and the response that they must belong to: RFC 9111 §4, §5.2.1.
@Suite struct NewestResponseTests {
    /// A server whose image gets redder with each request, and managers over one disk, each as if in a separate process.
    private struct Rig {
        let disk = InMemoryImageCache()
        let time = ManualTimeSource()
        let transport: ScriptedTransport

        /// - Parameter fields: of the answer with this number, from 1.
        init(_ fields: @escaping @Sendable (Int) -> [(String, String)]) {
            transport = ScriptedTransport { request, number in
                .fixed(
                    request, headers: fields(number),
                    body: FakeImageCoder.bytes(width: 8, height: 8, red: UInt8(number)))
            }
        }

        func process(isShared: Bool = false, _ change: (inout ManagerConfiguration) -> Void = { _ in }) -> ManagerFixture {
            let loader = HTTPLoader(transport: transport, time: time)
            return ManagerFixture(diskCache: disk) {
                $0.loaders = LoadersManager([loader])
                $0.time = time
                $0.httpPolicy = HTTPCachePolicy(isShared: isShared)
                change(&$0)
            }
        }
    }

    private static func request(_ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(source: ImageSource(DownloadRig.url))
        request.schedule.waitsForStore = true
        change(&request)
        return request
    }

    private static func thumbnail(_ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        request {
            $0.decode.target = .size(.fit(4, 4))
            change(&$0)
        }
    }

    private static func fresh(_ number: Int) -> [(String, String)] {
        [("Cache-Control", "max-age=1000"), ("ETag", "\"\(number)\"")]
    }

    @Test func `A whole picture is stored once, as it came`() async throws {
        let changes: [@Sendable (inout ImageRequest) -> Void] = [
            { $0.download.headers = HTTPHeaders([("Referer", "http://a/")]) },
            {
                var limits = DecodeLimits.standard
                limits.maximumDecodeTime = .seconds(7)
                limits.maximumPixels /= 2
                $0.decode.limits = limits
            },
            { $0.decode.alpha = .straight },
        ]
        for change in changes {
            let rig = Rig(Self.fresh)
            let first = try await rig.process().manager.image(for: Self.request(change))
            #expect(rig.disk.keys == [DownloadRig.url])
            let second = try await rig.process().manager.image(for: Self.request(change))
            #expect(second.origin == .disk && second.encoded?.bytes.contiguous() == first.encoded?.bytes.contiguous())
            #expect(try rig.process().manager.blockingCachedImage(for: Self.request(change))?.origin == .disk)
            #expect(rig.transport.requests.count == 1)
        }
    }

    /// RFC 9111 §5.2.1.5 and §3.5.
    @Test(arguments: [false, true])
    func `What must not be stored is stored nowhere, as a picture either`(_ isShared: Bool) async throws {
        let field = isShared ? ("Authorization", "Basic dTpw") : ("Cache-Control", "no-store")
        for makes in [Self.request, Self.thumbnail] {
            let rig = Rig { _ in [("Cache-Control", "max-age=1000")] }
            let process = rig.process(isShared: isShared)
            let loaded = try await process.manager.image(for: makes { $0.download.headers = HTTPHeaders([field]) })
            #expect(loaded.freshness.forbidsStoring)
            #expect(rig.disk.keys.isEmpty && process.memory.usage.count == 0)
        }
    }

    /// RFC 9110 §8.8.1: weak validators do not say that the bytes are equal, and the server said that they are not the stored ones.
    @Test(arguments: [
        ([("Last-Modified", "Mon, 23 Nov 2020 00:00:00 GMT")], 2), ([("ETag", "W/\"1\"")], 2), ([("ETag", "")], 2),
        ([("Last-Modified", "junk")], 2), ([("ETag", "\"1\"")], 1),
    ])
    func `Other bytes with equal weak validators are another picture`(_ fields: [(String, String)], _ red: Int) async throws {
        for isOneProcess in [true, false] {
            let rig = Rig { _ in fields + [("Cache-Control", "max-age=1")] }
            var process = rig.process()
            _ = try await process.manager.image(for: Self.thumbnail())
            rig.time.advance(by: .seconds(2))
            if !isOneProcess { process = rig.process() }
            #expect(GannetTestSupport.red(try await process.manager.image(for: Self.thumbnail())) == red)
        }
    }

    @Test(arguments: [LookupPolicy.loaderOnly, .revalidate])
    func `A newer answer reaches pictures that were fresh`(_ lookup: LookupPolicy) async throws {
        for isOneProcess in [true, false] {
            let rig = Rig(Self.fresh)
            var process = rig.process()
            for request in [Self.thumbnail(), Self.request()] { _ = try await process.manager.image(for: request) }
            rig.time.advance(by: .seconds(1))
            _ = try await rig.process().manager.image(for: Self.request { $0.cache.lookup = lookup })
            if isOneProcess { _ = try await process.manager.image(for: Self.request { $0.cache.lookup = lookup }) }
            if !isOneProcess { process = rig.process() }
            let expected = rig.transport.requests.count
            for request in [Self.thumbnail(), Self.request()] {
                #expect(red(try await process.manager.image(for: request)) == expected)
            }
            #expect(rig.transport.requests.count == expected)
        }
    }

    @Test(arguments: [false, true])
    func `An answer that forbids storing removes what was made of the one before`(_ isApart: Bool) async throws {
        let rig = Rig { $0 == 1 ? Self.fresh(1) : [("Cache-Control", "no-store")] }
        let originals = InMemoryImageCache()
        let process = rig.process { if isApart { $0.originalCache = originals } }
        _ = try await process.manager.image(for: Self.thumbnail())
        #expect(rig.disk.keys.count + originals.keys.count == 2)
        _ = try await process.manager.image(for: Self.request { $0.cache.lookup = .loaderOnly })
        #expect(rig.disk.keys.isEmpty && originals.keys.isEmpty && process.memory.usage.count == 0)
    }

    /// Less than the whole is worth keeping beside it.
    @Test func `One frame of several is stored`() async throws {
        let rig = Rig(Self.fresh)
        let poster = Self.request { $0.decode.frames = .first }
        _ = try await rig.process().manager.image(for: poster)
        #expect(rig.disk.keys.count == 2)
    }

    @Test func `A larger size in memory is no answer to who asks how fresh it is`() async throws {
        let rig = Rig(Self.fresh)
        let process = rig.process()
        for (side, count) in [(6, 1), (3, 2), (2, 3)] {
            let request = Self.request {
                $0.decode.target = .size(.fit(side, side))
                $0.download.headers = HTTPHeaders([("Cache-Control", "no-cache")])
            }
            #expect(red(try await process.manager.image(for: request)) == count)
        }
    }

    @Test(arguments: [false, true])
    func `A picture that waited for its decoder does not take a newer one's place in memory`(_ isThumbnail: Bool) async throws {
        let rig = Rig(Self.fresh)
        let request = isThumbnail ? Self.thumbnail() : Self.request()
        _ = try await rig.process().manager.image(for: request)
        rig.time.advance(by: .seconds(1))
        let manager = rig.process { $0.concurrentDecodes = 1 }.manager
        let gate = AsyncGate(isOpen: false)
        async let other: Void = manager.decodeGate.withSlot(priority: LivePriority(.high)) { () async throws(ImageError) in
            await gate.wait()
        }
        await gate.waitForArrivals(1)
        let late = manager.task(for: request)
        await eventually { manager.decodeGate.waitingCount == 1 }
        _ = try await manager.fetchBytes(for: Self.request { $0.cache.lookup = .revalidate })
        gate.open()
        try await other
        #expect(red(try await late.value) == 1)
        #expect(red(try await manager.image(for: request)) == 2)
    }

    @Test func `What was stored while the clock was ahead does not make every thumbnail older`() async throws {
        let rig = Rig { _ in [("Cache-Control", "max-age=1000")] }
        let start = rig.time.now
        rig.time.setCalendar(start + .seconds(86_400))
        _ = try await rig.process().manager.image(for: Self.request())
        rig.time.setCalendar(start)
        let request = Self.thumbnail { $0.cache.lookup = .cacheFirst }
        _ = try await rig.process().manager.image(for: request)
        let stores = rig.disk.storeCount
        #expect(rig.disk.keys.count == 2 && rig.transport.requests.count == 1)
        _ = try await rig.process().manager.image(for: request)
        #expect(rig.disk.keys.count == 2 && rig.disk.storeCount == stores, "nothing was made again")
    }

    /// RFC 9111 §5.2.1.4 and §5.4.
    @Test(arguments: [("Cache-Control", "no-cache"), ("Cache-Control", "max-age=0"), ("Pragma", "no-cache")])
    func `What a request asks of freshness holds each time`(_ field: (String, String)) async throws {
        for makes in [Self.request, Self.thumbnail] {
            let rig = Rig(Self.fresh)
            let process = rig.process()
            let request = makes { $0.download.headers = HTTPHeaders([field]) }
            rig.time.advance(by: .seconds(1))
            for count in 1...3 {
                #expect(red(try await process.manager.image(for: request)) == count)
                // An answer that has just come is as young as `max-age=0` wants it.
                rig.time.advance(by: .seconds(1))
                #expect(try process.manager.blockingCachedImage(for: request) == nil)
            }
            #expect(rig.transport.requests.count == 3)
        }
    }

    /// RFC 5861 §3.
    @Test func `Who is about to end can wait for what is asked behind his back`() async throws {
        let rig = Rig { _ in [("Cache-Control", "max-age=1, stale-while-revalidate=100")] }
        _ = try await rig.process().manager.image(for: Self.request())
        rig.time.advance(by: .seconds(2))
        let process = rig.process()
        #expect(red(try await process.manager.image(for: Self.request())) == 1)
        await process.manager.waitForTransfers()
        #expect(rig.transport.requests.count == 2)
        #expect(red(try await rig.process().manager.image(for: Self.request())) == 2)
    }
}
