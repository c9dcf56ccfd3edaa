#if CommandLine && HTTP && Server && PNG && JPEG && WebP
    import Dispatch
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetTesting
    import Synchronization
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// What decides the bytes of an answer, and in which line its work waits.
    struct ServeRenderingTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        private func service(
            cache: Bool = false, slots: Int? = nil, _ change: (inout ThumbnailService.Configuration) -> Void = { _ in }
        ) throws -> ThumbnailService {
            var options = StandardOptions()
            options.cacheDirectory = cache ? tool.path("cache") : nil
            var manager = try ManagerConfiguration.standard(options)
            manager.httpPolicy = ThumbnailService.policy(defaultLifetime: .seconds(1000))
            if let slots { manager.concurrentDecodes = slots }
            var configuration = ThumbnailService.Configuration(
                policy: SourcePolicy(hosts: ["127.0.0.1"], allowsCostly: true))
            change(&configuration)
            return ThumbnailService(configuration, manager: ImageManager(configuration: manager))
        }

        private static func mark(_ color: UInt32) throws -> Bitmap {
            try TestImages.draw(width: 4, height: 4, alpha: .opaque) { _, _ in color }
        }

        /// The source is on its way when the operator sets another watermark.
        @Test func aRequestHasOneConfiguration() async throws {
            let (old, new) = (try Self.mark(0xFFFF_0000), try Self.mark(0xFF00_FF00))
            let png = try Samples.png()
            let begun = Mutex<ThumbnailService?>(nil)
            let server = PictureServer { head in
                if let service = begun.withLock({ $0 }) {
                    var configuration = service.configuration
                    (configuration.watermark, configuration.maximumSide) = (new, 7)
                    service.configuration = configuration
                }
                return PictureServer.picture(png)(head)
            }
            let target = "/_/wm:1:nowe/f:png/plain/\(server.url("/a.png"))"
            func body(_ service: ThumbnailService) async -> [UInt8] { await service.respond(to: .init(target: target)).body }
            let withOld = await body(try service { $0.watermark = old })
            let withNew = await body(try service { ($0.watermark, $0.maximumSide) = (new, 7) })
            #expect(withOld != withNew)
            let changed = try service(cache: true) { $0.watermark = old }
            begun.withLock { $0 = changed }
            #expect(await body(changed) == withOld)
            // The next one has the new watermark, and what was stored is no answer to it.
            #expect(await body(changed) == withNew)
            // Nor to a service that has the old one.
            begun.withLock { $0 = nil }
            try await changed.manager.waitForStores()
            let again = try service(cache: true) { $0.watermark = old }
            let answer = await again.respond(to: .init(target: target))
            #expect(answer.body == withOld && answer.origin == .disk)
        }

        /// The side that an address leaves open is as long as the service allows.
        @Test func anotherLargestSideIsAnotherAnswer() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.photo()))
            for side in [100, 50, 100] {
                let service = try service(cache: true) { $0.maximumSide = side }
                for (options, width) in [("", side), ("h:\(side)/", side), ("w:30/h:20/", 30)] {
                    let answer = await service.respond(to: .init(target: "/_/\(options)f:png/plain/\(server.url("/a.jpg"))"))
                    let header = try Assembly.decoding(limits: .standard).header(of: ByteRope(answer.body))
                    #expect(header.size.width == width, "\(options), \(side)")
                }
                try await service.manager.waitForStores()
            }
        }

        /// The operator's choice for all addresses, and part of every key.
        @Test func linearLightIsAnotherAnswer() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.photo()))
            let target = "/_/w:30/f:png/plain/\(server.url("/a.jpg"))"
            var bodies: [[UInt8]] = []
            for light in [false, true, false] {
                let service = try service(cache: true) { $0.usesLinearLight = light }
                bodies.append(await service.respond(to: .init(target: target)).body)
                try await service.manager.waitForStores()
            }
            #expect(bodies[0] != bodies[1] && bodies[0] == bodies[2])
        }

        @Test func keysHaveEverythingThatDecides() throws {
            func key(_ path: String, _ change: (inout ThumbnailService.Configuration) -> Void = { _ in }) throws -> ResponseKey {
                var configuration = ThumbnailService.Configuration.plain
                change(&configuration)
                let address = try ThumbnailAddress("/_/\(path)/plain/http://a.org/")
                let choice = FormatChoice(address.options, accept: "", preferred: [], coders: CodersManager([]))
                return Rendering(address, choice, configuration).key
            }
            #expect(try key("w:1").rendering.hasPrefix("\(ResponseKey.renderer)|"))
            #expect(
                try key("w:1") != key("w:1") { $0.maximumSide = 9 } && key("w:1/h:1") == key("w:1/h:1") { $0.maximumSide = 9 })
            let mark = try Self.mark(0xFFFF_0000)
            #expect(try key("wm:1") != key("wm:1") { $0.watermark = mark } && key("w:1") == key("w:1") { $0.watermark = mark })
        }

        /// The requests of a page with `srcset`.
        @Test(.timeLimit(.minutes(10))) func widthsThatWaitShareADecodeAndKeepTheirBytes() async throws {
            let noise = try TestImages.still(TestImages.noise(width: 500, height: 400))
            let photo = try noise.blockingEncoded(EncodeOptions(format: .jpeg, quality: 95)).bytes.contiguous()
            let isHeld = Atomic(false)
            let goOn = DispatchSemaphore(value: 0)
            let server = PictureServer { head in
                if isHeld.load(ordering: .relaxed) { goOn.wait() }
                return PictureServer.picture(photo)(head)
            }
            let targets = [30, 60, 90, 120, 200, 500].map { "/_/w:\($0)/f:jpeg/plain/\(server.url("/a.jpg"))" }
            let idle = try service()
            var alone: [ThumbnailService.Response] = []
            for target in targets { alone.append(await idle.respond(to: .init(target: target))) }
            #expect(idle.manager.sharedDecodeCount == 0 && alone.allSatisfy { $0.status == 200 })
            let busy = try service(slots: 1)
            isHeld.store(true, ordering: .relaxed)
            let (slot, holds) = (AsyncGate(), AsyncGate())
            let gate = busy.manager.decodeGate
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await gate.withSlot(priority: .normal) { () throws(ImageError) in
                        holds.open()
                        await slot.wait()
                    }
                }
                await holds.wait()
                for (index, target) in targets.enumerated() {
                    group.addTask { [alone] in
                        let response = await busy.respond(to: .init(target: target))
                        #expect(response.body == alone[index].body && response.status == 200, "\(target)")
                        #expect(response.field("ETag") != nil && response.field("ETag") == alone[index].field("ETag"))
                    }
                }
                // Whoever came later would ask for the file again.
                #expect(await eventually { busy.manager.transferWaiterCount == targets.count })
                goOn.signal()
                #expect(await eventually { gate.waitingCount == 1 && busy.manager.waitingDecodes == targets.count })
                slot.open()
                try await group.waitForAll()
            }
            #expect(busy.manager.sharedDecodeCount == targets.count && server.requests.count == 7)
        }

        /// Its pixels are in memory, and the only slot is taken: nothing else would keep them from being encoded.
        @Test(.timeLimit(.minutes(10))) func encodesWaitInTheLineOfDecodes() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.photo()))
            let service = try service(slots: 1)
            let target = "/_/w:40/plain/\(server.url("/a.jpg"))"
            #expect(await service.respond(to: .init(target: target + "@jpeg")).status == 200)
            let (slot, holds) = (AsyncGate(), AsyncGate())
            let gate = service.manager.decodeGate
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await gate.withSlot(priority: .normal) { () throws(ImageError) in
                        holds.open()
                        await slot.wait()
                    }
                }
                await holds.wait()
                async let other = service.respond(to: .init(target: target + "@webp"))
                #expect(await eventually { gate.waitingCount == 1 })
                slot.open()
                #expect(await other.status == 200)
                try await group.waitForAll()
            }
            #expect(server.requests.count == 1)
        }

        /// Decoded images must not pile up behind decodes that have not begun.
        @Test(.timeLimit(.minutes(10))) func anEncodeGoesBeforeDecodesThatWait() async throws {
            let manager = try service(slots: 1).manager
            let (slot, holds) = (AsyncGate(), AsyncGate())
            let order = Reports()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await manager.decodeGate.withSlot(priority: .normal) { () throws(ImageError) in
                        holds.open()
                        await slot.wait()
                    }
                }
                await holds.wait()
                group.addTask { @Sendable in
                    try await manager.pixelWork(holding: 0, priority: .high) { order.add("decode") }
                }
                #expect(await eventually { manager.decodeGate.waitingCount == 1 })
                group.addTask { @Sendable in
                    try await manager.pixelWork(holding: 1 << 20, priority: .veryHigh) {
                        order.add("encode")
                        #expect(manager.budget.usedBytes == 1 << 20)
                    }
                }
                #expect(await eventually { manager.decodeGate.waitingCount == 2 })
                slot.open()
                try await group.waitForAll()
            }
            #expect(order.all == ["encode", "decode"] && manager.budget.usedBytes == 0)
        }

        /// Nothing of a format that is switched off reaches its decoder.
        @Test func formatsCanBeSwitchedOff() async throws {
            let (png, photo) = (try Samples.png(), try Samples.photo())
            let server = PictureServer { head in PictureServer.picture(head.contains("/a.png") ? png : photo)(head) }
            let service = try service()
            let coders = service.manager.configuration.coders
            coders.readableFormats = [.png]
            #expect(await service.respond(to: .init(target: "/_/w:6/f:jpeg/plain/\(server.url("/a.png"))")).status == 200)
            for path in ["/_/w:6/f:png", "/_/raw:1", "/_/sm:0", "/info/_"] {
                let answer = await service.respond(to: .init(target: "\(path)/plain/\(server.url("/a.jpg"))"))
                #expect(answer.status == 415 && answer.text.hasPrefix("The source is in a format"), "\(path): \(answer.text)")
                #expect(answer.failure?.contains("jpeg, which is switched off") == true, "\(path)")
            }
            #expect(coders.formats == [.png] && !coders.acceptHeader.contains("jpeg"))
            let fake = FakeImageCoder()
            let fakes = CodersManager([fake])
            fakes.readableFormats = []
            let error = #expect(throws: ImageError.self) {
                try ImageDecoding(coders: fakes).decode(ByteRope(FakeImageCoder.bytes(width: 1, height: 1)))
            }
            #expect(error?.code == .unsupported && fake.decodeCount == 0)
        }
    }
#endif
