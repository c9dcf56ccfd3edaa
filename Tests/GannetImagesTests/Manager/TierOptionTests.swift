import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// The cache options of a request apply to plain images and to those made from them. CX-04, CX-17, CX-18, DC-22, KS-02
@Suite struct TierOptionTests: ManagerSuite {
    private func small(_ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        request {
            $0.decode.target = .size(TargetSize(.fit, width: 4, height: 4))
            change(&$0)
        }
    }

    private func entry(_ bytes: [UInt8]) -> CacheEntry {
        CacheEntry(bytes: ByteRope(bytes), metadata: CacheEntryMetadata(storedAt: Timestamp(milliseconds: 0)))
    }

    // CX-18
    @Test func aPlainPictureGoesWhereTheRequestSays() async throws {
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        _ = try await fixture.manager.image(for: request { $0.cache.write = .memory })
        #expect(disk.keys.isEmpty && fixture.memory.usage.count == 1)
        // An explicit option for originals decides; for a thumbnail no other option concerns its original.
        _ = try await fixture.manager.image(
            for: request {
                $0.cache.write = .memory
                $0.cache.writeOriginal = .disk
                $0.cache.lookup = .loaderOnly
            })
        #expect(disk.keys == [ManagerFixture.url])
        try await disk.removeAll()
        _ = try await fixture.manager.image(
            for: small {
                $0.cache.write = .memory
                $0.cache.lookup = .loaderOnly
            })
        #expect(disk.keys == [ManagerFixture.url])
    }

    // CX-17
    @Test func aPlainPictureComesFromWhereTheRequestSays() async throws {
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve()
        _ = try await fixture.manager.image(for: request())
        fixture.memory.removeAll()
        func only(_ tier: CacheTier, original: CacheTier = .inherited) -> ImageRequest {
            request {
                $0.cache.read = tier
                $0.cache.readOriginal = original
                $0.cache.lookup = .cacheOnly
            }
        }
        #expect(await failureCode { try await fixture.manager.image(for: only(.memory)) } == .cacheMiss)
        #expect(try fixture.manager.blockingCachedImage(for: only(.memory)) == nil)
        #expect(try await fixture.manager.image(for: only(.memory, original: .disk)).origin == .disk)
        fixture.memory.removeAll()
        #expect(try await fixture.manager.image(for: only(.all)).origin == .disk)
    }

    @Test func aRequestsOwnCacheIsAskedForWhatItWasGiven() async throws {
        let (originals, disk, own) = (InMemoryImageCache(), InMemoryImageCache(), InMemoryImageCache())
        let fixture = ManagerFixture(diskCache: disk) { $0.originalCache = originals }
        fixture.serve()
        let wish = request { $0.cache.store = own }
        _ = try await fixture.manager.image(for: wish)
        #expect(own.keys == [ManagerFixture.url] && originals.keys.isEmpty && disk.keys.isEmpty)
        fixture.memory.removeAll()
        #expect(try fixture.manager.blockingCachedImage(for: wish) != nil)
        fixture.memory.removeAll()
        // Bytes that are no picture are removed from where they are.
        try await own.store(entry(Array("nonsense".utf8)), for: CacheKey(ManagerFixture.url))
        #expect(await failureCode { try await fixture.manager.image(for: wish) } == .notAnImage)
        #expect(own.keys.isEmpty)
    }

    @Test func aSerializerHasTheSourcesBytesOnlyOfAllItsPixels() async throws {
        struct Keeping: CacheSerializer {
            func data(for image: DecodedImage, data: EncodedImage?) async throws(ImageError) -> [UInt8]? {
                data.map { $0.bytes.contiguous() }
            }
        }
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve()
        let wish = small { $0.cache.serializer = Keeping() }
        for _ in 1...2 {
            #expect(try await fixture.manager.image(for: wish).size.width == 4)
            fixture.memory.removeAll()
        }
    }

    @Test func whatIsReadByKeyKnowsItsOriginal() async throws {
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve()
        _ = try await fixture.manager.image(for: small())
        fixture.memory.removeAll()
        let key = try fixture.manager.cacheKey(for: small())
        let read = try #require(try await fixture.manager.cache.image(forKey: key))
        #expect(read.image.metadata.originalSize == PixelSize(width: 8, height: 4))
        let shown = try await fixture.manager.image(for: small())
        #expect(shown.origin == .memory && shown.image.metadata.originalSize == PixelSize(width: 8, height: 4))
    }

    @Test func removingASourceRemovesAllItsAnswers() async throws {
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        for key in [
            ManagerFixture.url, ManagerFixture.url + "\u{1}vary=a", ManagerFixture.url + "\u{1}partial", "https://example.org/ab",
        ] {
            try await disk.store(entry([1]), for: CacheKey(key))
        }
        try await fixture.manager.cache.remove(ManagerFixture.url)
        #expect(disk.keys == ["https://example.org/ab"])
    }

    @Test func whatIsShownOnTheWayIsModifiedToo() async throws {  // OP-03
        struct Dark: ImageModifier {
            func modify(_ image: DecodedImage) -> DecodedImage {
                guard
                    let bitmap = try? AddTransformer(amount: 100).transform(
                        image.bitmap, context: TransformContext(metadata: image.metadata))
                else { return image }
                return .still(bitmap, image.metadata)
            }
        }
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve()
        _ = try await fixture.manager.image(for: request())
        for forgets in [false, true] {
            if forgets { fixture.memory.removeAll() }
            // Until the stored image has been delivered: a late reader gets only the newer one.
            fixture.loader.gate.close()
            let task = fixture.manager.task(
                for: request {
                    $0.cache.lookup = .revalidate
                    $0.transform.modifier = Dark()
                })
            var shown: [UInt8] = []
            for await event in task.events {
                switch event {
                case .stale(let loaded):
                    shown.append(red(loaded))
                    fixture.loader.gate.open()
                case .finished(.success(let loaded)): shown.append(red(loaded))
                default: break
                }
            }
            #expect(shown == [110, 110])
        }
    }

    @Test func everyTransferThatBeginsEndsOrFails() async throws {  // DL-15
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.answer("https://example.org/b.fake", with: .failure(ImageError(.network, stage: .load, "gone")))
        _ = try await fixture.manager.image(for: request())
        #expect(
            await failureCode { try await fixture.manager.image(for: ImageRequest("https://example.org/b.fake")) } == .network)
        let events = fixture.observer.events
        #expect(events.count { if case .transferStarted = $0 { true } else { false } } == 2)
        #expect(events.count { if case .responseReceived(_, status: nil) = $0 { true } else { false } } == 1)
        #expect(events.count { if case .transferEnded = $0 { true } else { false } } == 1)
        #expect(events.count { if case .transferFailed = $0 { true } else { false } } == 1)
    }

    @Test func previewsGoToThoseWhoWantThem() async throws {  // OP-02, U-17
        let fixture = ManagerFixture()
        let bytes = FakeImageCoder.bytes(width: 8, height: 4, red: 10)
        fixture.loader.answer(ManagerFixture.url, with: .pieces([Array(bytes.prefix(bytes.count - 4)), Array(bytes.suffix(4))]))
        fixture.loader.gate.close()
        let plain = fixture.manager.task(for: request())
        await fixture.loader.gate.waitForArrivals(1)
        let watching = fixture.manager.task(for: request { $0.decode.previews = .incremental })
        #expect(await eventually { fixture.manager.transferWaiterCount >= 2 })
        fixture.loader.gate.open()
        _ = try await (plain.value, watching.value)
        #expect(fixture.loader.loadCount == 1 && fixture.coder.decodeCount == 2)
    }
}
