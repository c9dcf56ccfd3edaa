import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetImages

/// `encoded(for:as:)`: made, encoded and stored once; what is stored is delivered as it is.
@Suite struct EncodedTests {
    private let rig = EncodedRig()
    private static let requests = [EncodedRig.thumbnail(), EncodedRig.whole()]

    // NW-11
    @Test(arguments: 0..<2) func aStoredFileIsNotDecoded(_ which: Int) async throws {
        let request = Self.requests[which]
        let first = rig.process()
        let made = try await first.file(request)
        #expect(made == (which == 0 ? "FAKE 4 4 10 4 0\n" : "FAKE 8 8 10 4 0\n") && first.work == [1, 1])
        #expect(first.observer.isBalanced && first.observer.started(.encode) == 1 && first.manager.isIdle)
        let second = rig.process()
        let file = try await second.manager.encoded(for: request, as: EncodedRig.options)
        #expect(file.bytes.contiguous() == Array(made.utf8) && file.format == FakeImageCoder.format)
        #expect(second.work == [0, 0] && rig.loader.loadCount == 1)
        #expect(second.observer.count { if case .diskHit = $0 { true } else { false } } == 1)
    }

    @Test func theOptionsAreTheOnesOfTheEntry() async throws {
        let process = rig.process()
        // As `cache.encode` has it: JPEG of high quality for an opaque image.
        #expect(try await process.file(EncodedRig.thumbnail(), EncodeOptions()) == "FAKE 4 4 10 4 92\n")
        #expect(try await process.manager.encoded(for: EncodedRig.thumbnail(), as: EncodeOptions()).bytes.count == 17)
        let jpeg = EncodeOptions(format: .jpeg, quality: 50)
        #expect(try await process.file(EncodedRig.thumbnail(), jpeg) == "FAKE 4 4 10 4 50\n")
        #expect(try await process.file(EncodedRig.thumbnail(), EncodeOptions(format: .png)) == "FAKE 4 4 10 3 0\n")
        #expect(process.coder.encodes.count == 3 && rig.loader.loadCount == 1)
        // The stored response, and three files.
        #expect(rig.disk.keys.count == 4)
        for request in Self.requests { _ = try await process.file(request, jpeg) }
        #expect(process.coder.encodes.count == 4 && rig.disk.keys.count == 5)
    }

    @Test func anImageAndItsFileAreOneEntry() async throws {
        let image = EncodedRig.thumbnail {
            $0.cache.encode = EncodedRig.options
            $0.schedule.waitsForStore = true
        }
        let first = rig.process()
        _ = try await first.manager.image(for: image)
        #expect(first.work == [1, 1])
        let second = rig.process()
        let file = try await second.file(EncodedRig.thumbnail())
        #expect(second.work == [0, 0])
        // And the other way round.
        try await rig.disk.removeAll()
        let third = rig.process()
        #expect(try await third.file(EncodedRig.thumbnail()) == file)
        let fourth = rig.process()
        let loaded = try await fourth.manager.image(for: image)
        #expect(loaded.origin == .disk && fourth.work == [1, 0] && rig.loader.loadCount == 2)
    }

    @Test func theImageOfASourceIsStillItsOriginal() async throws {
        let first = rig.process()
        _ = try await first.file(EncodedRig.whole())
        let second = rig.process()
        let same = EncodedRig.whole {
            $0.cache.encode = EncodedRig.options
            $0.schedule.waitsForStore = true
        }
        let loaded = try await second.manager.image(for: same)
        #expect(loaded.encoded?.bytes.contiguous() == FakeImageCoder.bytes(width: 8, height: 8, red: 10))
        #expect(rig.disk.keys.count == 2)
        try await second.manager.cache.remove(ImageSource(ManagerFixture.url))
        #expect(rig.disk.keys.isEmpty)
    }

    @Test func memoryHasNoPartInIt() async throws {
        let process = rig.process()
        let file = try await process.file(EncodedRig.thumbnail())
        #expect(process.memory.usage.count == 0)
        _ = try await process.manager.image(for: EncodedRig.thumbnail { $0.cache.encode = EncodedRig.options })
        // What memory has came from the file.
        #expect(process.memory.usage.count == 1 && process.work == [2, 1])
        try await rig.disk.removeAll()
        #expect(try await process.file(EncodedRig.thumbnail()) == file && process.work == [3, 2])
    }

    @Test func equalCallsShareAllOfIt() async throws {
        rig.loader.gate.close()
        let process = rig.process()
        let calls = (0..<3).map { _ in Task { try await process.file(EncodedRig.thumbnail()) } }
        await rig.loader.gate.waitForArrivals(1)
        #expect(await eventually { process.manager.waiterCount == 3 } && process.manager.runningCount == 1)
        rig.loader.gate.open()
        for call in calls { #expect(try await call.value == "FAKE 4 4 10 4 0\n") }
        // The stored response, and the file.
        #expect(process.work == [1, 1] && rig.loader.loadCount == 1 && rig.disk.storeCount == 2)
        #expect(process.observer.count { if case .joined = $0 { true } else { false } } == 2)
    }

    @Test func aCallWhileTheFileIsStoredJoins() async throws {
        let gate = AsyncGate(isOpen: true)
        let rig = EncodedRig(storeGate: gate)
        _ = try await rig.process().manager.fetchBytes(for: EncodedRig.whole())
        let process = rig.process()
        gate.close()
        let arrivals = gate.arrivedCount
        let first = Task { try await process.file(EncodedRig.thumbnail()) }
        await gate.waitForArrivals(arrivals + 1)
        let second = Task { try await process.file(EncodedRig.thumbnail()) }
        #expect(await eventually { process.manager.waiterCount == 2 })
        gate.open()
        #expect(try await first.value == second.value)
        #expect(process.work == [1, 1])
    }

    @Test func anImageAndItsFileAreMadeOfOneDecode() async throws {
        rig.loader.gate.close()
        let process = rig.process()
        let image = Task {
            try await process.manager.image(for: EncodedRig.thumbnail { $0.cache.encode = EncodedRig.options })
        }
        await rig.loader.gate.waitForArrivals(1)
        let file = Task { try await process.file(EncodedRig.thumbnail()) }
        #expect(await eventually { process.manager.runningCount == 2 && process.manager.imageWaiterCount >= 3 })
        rig.loader.gate.open()
        #expect(try await image.value.size == PixelSize(width: 4, height: 4))
        #expect(try await file.value == "FAKE 4 4 10 4 0\n")
        #expect(process.coder.inner.decodeCount == 1 && rig.loader.loadCount == 1)
    }

    // MARK: What may not be stored

    @Test(arguments: [false, true]) func whatMayNotBeStoredIsDelivered(_ isWhole: Bool) async throws {
        let request = Self.requests[isWhole ? 1 : 0]
        rig.serve(red: 1, freshness: Freshness(freshUntil: .distantPast))
        _ = try await rig.process().file(request)
        #expect(rig.disk.keys.count == 2)
        rig.serve(red: 2, freshness: Freshness(freshUntil: .distantPast, forbidsStoring: true))
        // The earlier one goes.
        #expect(try await rig.process().file(request).hasSuffix(" 2 4 0\n"))
        #expect(!rig.disk.keys.contains { $0.contains("encode") })
    }

    @Test func theRequestSaysWhatIsReadAndWritten() async throws {
        let process = rig.process()
        let changes: [@Sendable (inout ImageRequest) -> Void] = [
            { $0.cache.write = .none }, { $0.cache.diskExpiration = .expired },
            { $0.cache.keyFilter = NoKey() },
        ]
        for change in changes {
            _ = try await process.file(EncodedRig.thumbnail { change(&$0) })
            #expect(!rig.disk.keys.contains { $0.contains("encode=") })
        }
        _ = try await process.file(EncodedRig.thumbnail())
        #expect(process.coder.encodes.count == 4)
        _ = try await process.file(EncodedRig.thumbnail { $0.cache.read = .none })
        #expect(process.coder.encodes.count == 5)
        let missing = EncodedRig.whole { $0.cache.lookup = .cacheOnly }
        _ = try await process.file(EncodedRig.thumbnail { $0.cache.lookup = .cacheOnly })
        #expect(process.coder.encodes.count == 5)
        try await rig.disk.removeAll()
        #expect(await failureCode { try await process.file(missing) } == .cacheMiss)
    }

    private struct NoKey: CacheKeyFilter {
        func key(for source: ImageSource) -> String? { nil }
    }

    @Test func aSerializersEntryIsAnother() async throws {
        struct Sealing: CacheSerializer {
            func data(for image: DecodedImage, data: EncodedImage?) async throws(ImageError) -> [UInt8]? { [1, 2, 3] }
            func image(from data: [UInt8]) async throws(ImageError) -> DecodedImage? { nil }
        }
        for request in Self.requests {
            var sealed = request
            sealed.cache.serializer = Sealing()
            sealed.cache.encode = EncodedRig.options
            sealed.schedule.waitsForStore = true
            let process = rig.process()
            _ = try await process.manager.image(for: sealed)
            #expect(try await process.file(sealed).hasPrefix("FAKE "))
            #expect(try await process.file(sealed).hasPrefix("FAKE ") && process.coder.encodes.count == 1)
            try await rig.disk.removeAll()
        }
    }

    // MARK: Animations

    @Test(arguments: [FakeImageCoder.format, .jpeg], [false, true])
    func anAnimationIsStoredWhereImagesAreNotReadFromItsFirstFrame(_ format: ImageFormat, _ isWhole: Bool) async throws {
        rig.loader.answer(ManagerFixture.url, with: .image(.animated(try TestImages.animation(width: 8, height: 8))))
        let request = isWhole ? EncodedRig.whole() : EncodedRig.whole { $0.transform.transformers = [AddTransformer(amount: 0)] }
        let options = EncodeOptions(format: format)
        let process = rig.process()
        let file = try await process.file(request, options)
        #expect(try await process.file(request, options) == file)
        // The file of a whole image is no entry that an image is read from.
        #expect(process.coder.encodes.count == (isWhole || format != .jpeg ? 1 : 2))
    }

    // MARK: Failures

    @Test func failuresAreThoseOfTheStages() async throws {
        let process = rig.process()
        func code(_ options: EncodeOptions) async -> ImageError.Code? {
            await failureCode { try await process.file(EncodedRig.thumbnail(), options) }
        }
        #expect(await code(EncodeOptions(format: .webp)) == .unsupported)
        #expect(rig.loader.loadCount == 0)
        process.coder.refuses.store(true, ordering: .relaxed)
        #expect(await code(EncodedRig.options) == .encodeFailed)
        #expect(rig.disk.keys == [ManagerFixture.url] && process.observer.isBalanced)
        rig.loader.answer(ManagerFixture.url, with: .bytes(Array("nonsense".utf8)))
        try await rig.disk.removeAll()
        #expect(await code(EncodedRig.options) == .notAnImage)
        rig.loader.answer(ManagerFixture.url, with: .failure(ImageError(.network, stage: .load, "gone")))
        do {
            _ = try await process.manager.encoded(
                for: EncodedRig.thumbnail { $0.schedule.retryFailedSources = true }, as: EncodedRig.options)
            Issue.record("a source that fails has a file")
        } catch { #expect(error.code == .network && error.source == ManagerFixture.url) }
    }

    @Test func aFileThatCannotBeStoredIsDelivered() async throws {
        final class Full: ImageCaching {
            var identifier: String { "full" }
            func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? { nil }
            func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
                throw ImageError(.io, stage: .store, "full")
            }
            func remove(_ key: CacheKey) async throws(ImageError) {}
            func removeAll() async throws(ImageError) {}
        }
        let process = EncodedRig.Process(rig.loader, Full(), rig.time)
        #expect(try await process.file(EncodedRig.thumbnail { $0.cache.writeOriginal = .none }) == "FAKE 4 4 10 4 0\n")
        #expect(await failureCode { try await process.manager.waitForStores() } == .io)
    }

    @Test(arguments: 0..<3) func theLastCallersCancelStopsTheWork(_ which: Int) async throws {
        rig.loader.gate.close()
        let process = rig.process()
        let calls = (0..<2).map { _ in Task { try await process.file(EncodedRig.thumbnail()) } }
        await rig.loader.gate.waitForArrivals(1)
        #expect(await eventually { process.manager.waiterCount == 2 })
        calls[0].cancel()
        #expect(await failureCode { try await calls[0].value } == .cancelled)
        #expect(rig.loader.cancelledCount == 0)
        switch which {
        case 0: calls[1].cancel()
        case 1: process.manager.cancel(ImageSource(ManagerFixture.url))
        default: process.manager.cancelAll()
        }
        #expect(await failureCode { try await calls[1].value } == .cancelled)
        #expect(await eventually { rig.loader.cancelledCount == 1 && process.manager.isIdle })
        #expect(process.work == [0, 0] && rig.disk.keys.isEmpty)
    }
}
