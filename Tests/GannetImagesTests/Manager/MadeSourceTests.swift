import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Images that the program itself makes, as sources of requests.
@Suite struct MadeSourceTests {
    private let disk = InMemoryImageCache()
    private let made = CallCount()

    private func fixture() -> ManagerFixture {
        ManagerFixture(diskCache: disk) { $0.loaders.add(LoadersManager.providerLoader) }
    }

    /// An image of 8 × 4.
    private func source(_ name: String = "a", gate: AsyncGate = AsyncGate(isOpen: true)) -> ImageSource {
        .image(identifier: name) {
            made.add()
            await gate.wait()
            return TestImages.still(try TestImages.flat(width: 8, height: 4))
        }
    }

    @Test func itIsMadeOnceAndKeptInMemory() async throws {
        let fixture = fixture()
        let first = try await fixture.manager.image(for: ImageRequest(source(), .waitingForStore))
        #expect(first.size == PixelSize(clamping: 8, 4) && first.origin == .data)
        let second = try await fixture.manager.image(for: ImageRequest(source()))
        #expect(second.origin == .memory && made.count == 1 && fixture.coder.decodeCount == 0)
        #expect(fixture.manager.cachedImage(for: ImageRequest(source())) != nil)
        #expect(disk.keys.isEmpty)
        _ = try await fixture.manager.image(for: ImageRequest(source("b")))
        #expect(made.count == 2)
    }

    // NW-26
    @Test func equalLoadsShareIt() async throws {
        let (fixture, gate) = (fixture(), AsyncGate())
        let tasks = (0..<3).map { _ in fixture.manager.task(for: ImageRequest(source(gate: gate))) }
        await gate.waitForArrivals(1)
        gate.open()
        for task in tasks { #expect(try await task.value.size == PixelSize(clamping: 8, 4)) }
        #expect(made.count == 1)
    }

    // NW-26
    /// Sizes and transformed images are made of it without a decode, and stored.
    @Test(arguments: [TargetSize.fit(4, 4), .fill(2, 2)]) func itsSizesAreStored(_ target: TargetSize) async throws {
        let fixture = fixture()
        func request() -> ImageRequest {
            var request = ImageRequest(source(), .target(target), .waitingForStore)
            request.cache.encode = EncodeOptions(format: FakeImageCoder.format)
            return request
        }
        let size = target.plan(for: PixelSize(clamping: 8, 4)).output
        #expect(try await fixture.manager.image(for: request()).size == size)
        #expect(disk.keys.count == 1 && fixture.coder.decodeCount == 0)
        fixture.memory.removeAll()
        let stored = try await fixture.manager.image(for: request())
        #expect(stored.origin == .disk && stored.size == size && made.count == 1)
    }

    @Test func itIsTransformedAndEncoded() async throws {
        let fixture = fixture()
        let plain = try await fixture.manager.image(for: ImageRequest(source()))
        let changed = try await fixture.manager.image(
            for: ImageRequest(source(), .transform(AddTransformer(amount: 1))))
        #expect(red(changed) == red(plain) &+ 1)
        let options = EncodeOptions(format: FakeImageCoder.format)
        let file = try await fixture.manager.encoded(for: ImageRequest(source()), as: options)
        let count = made.count
        let again = try await fixture.manager.encoded(for: ImageRequest(source()), as: options)
        #expect(file.bytes.contiguous() == again.bytes.contiguous() && file.format == FakeImageCoder.format)
        #expect(made.count == count)
    }

    @Test func itsFailureIsTheLoads() async throws {
        struct Failure: Error {}
        let fixture = fixture()
        let source = ImageSource.image(identifier: "a") { throw Failure() }
        let error = await #expect(throws: ImageError.self) { try await fixture.manager.image(for: ImageRequest(source)) }
        #expect(error?.code == .io && error?.underlying is Failure)
    }

    /// Bytes under the same name are another source, and this one has none.
    @Test func itHasNoBytes() async throws {
        struct Bytes: ImageDataProvider {
            let cacheKey = "a"
            func data() -> [UInt8] { FakeImageCoder.bytes(width: 1, height: 1) }
        }
        #expect(source() != .provider(Bytes()) && source() == source())
        var made: (any ImageDataProvider)?
        if case .provider(let provider) = source() { made = provider }
        let provider = try #require(made)
        let error = await #expect(throws: ImageError.self) { try await provider.data() }
        #expect(error?.code == .unsupported)
        let fetched = try await fixture().manager.fetchBytes(for: ImageRequest(source()))
        #expect(fetched.encoded == nil)
    }
}
