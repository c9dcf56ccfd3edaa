import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

@testable import GannetImages

/// Sizes of one picture serve each other. Features CG-05, S3-07, U-19.
@Suite struct SizeSharingTests {
    private func request(_ width: Int, _ height: Int, _ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(ImageSource(ManagerFixture.url), .fit(width, height))
        change(&request)
        return request
    }

    private func resized(_ fixture: ManagerFixture) -> Int {
        fixture.observer.count { if case .resized = $0 { true } else { false } }
    }

    // DC-25, CG-05, U-19, S3-07
    @Test func threeSizesAreOneTransferAndOneDecode() async throws {
        let fixture = ManagerFixture()
        fixture.serve(width: 64, height: 32)
        let large = try await fixture.manager.image(for: request(64, 64))
        let middle = try await fixture.manager.image(for: request(32, 32))
        let small = try await fixture.manager.image(for: request(10, 10))
        #expect(large.image.size == PixelSize(width: 64, height: 32))
        #expect(middle.image.size == PixelSize(width: 32, height: 16))
        #expect(small.image.size == PixelSize(width: 10, height: 5))
        #expect(red(small) == 10 && small.origin == .memory)
        #expect(fixture.loader.loadCount == 1 && fixture.coder.decodeCount == 1 && resized(fixture) == 2)
    }

    @Test func fillIsCutOutOfTheWholePicture() async throws {
        let fixture = ManagerFixture()
        fixture.serve(width: 64, height: 32)
        _ = try await fixture.manager.image(for: request(64, 64))
        let square = try await fixture.manager.image(for: ImageRequest(ImageSource(ManagerFixture.url), .fill(8, 8)))
        #expect(square.image.size == PixelSize(width: 8, height: 8) && fixture.coder.decodeCount == 1)
        // The cropped part is missing from it, so it serves no other size.
        fixture.memory.removeAll()
        _ = try await fixture.manager.image(for: ImageRequest(ImageSource(ManagerFixture.url), .fill(20, 20)))
        _ = try await fixture.manager.image(for: request(4, 4))
        #expect(fixture.coder.decodeCount == 3)
    }

    @Test func lessThanTwiceAsLargeIsDecoded() async throws {
        let fixture = ManagerFixture()
        fixture.serve(width: 64, height: 32)
        _ = try await fixture.manager.image(for: request(48, 48))
        _ = try await fixture.manager.image(for: request(30, 30))
        #expect(fixture.coder.decodeCount == 2 && resized(fixture) == 0)
    }

    @Test func staleAndSwitchedOffAndOtherPixelsAreDecoded() async throws {
        let fixture = ManagerFixture()
        fixture.serve(width: 64, height: 32, freshness: Freshness(freshUntil: fixture.time.now + .seconds(10)))
        _ = try await fixture.manager.image(for: request(64, 64))
        _ = try await fixture.manager.image(for: request(16, 16) { $0.cache.sharesSizes = false })
        _ = try await fixture.manager.image(for: request(15, 15) { $0.decode.color = .raw })
        #expect(resized(fixture) == 0)
        fixture.time.advance(by: .seconds(20))
        _ = try await fixture.manager.image(for: request(14, 14))
        #expect(resized(fixture) == 0)
        _ = try await fixture.manager.image(for: request(13, 13) { $0.cache.lookup = .cacheFirst })
        #expect(resized(fixture) == 1)
    }

    @Test func transformersRunOverTheSmallerPicture() async throws {
        let fixture = ManagerFixture()
        fixture.serve(width: 64, height: 32)
        _ = try await fixture.manager.image(for: request(64, 64))
        let changed = try await fixture.manager.image(
            for: request(16, 16) { $0.transform.transformers = [AddTransformer(amount: 5)] })
        #expect(red(changed) == 15 && changed.image.size.width == 16 && fixture.coder.decodeCount == 1)
        // A changed picture never serves as the plain one.
        fixture.memory.removeAll()
        _ = try await fixture.manager.image(for: request(64, 64) { $0.transform.transformers = [AddTransformer(amount: 5)] })
        let plain = try await fixture.manager.image(for: request(8, 8))
        #expect(red(plain) == 10)
    }

    // CG-06, CG-15, U-19
    @Test func aSmallerOneStandsIn() async throws {
        let fixture = ManagerFixture()
        fixture.serve(width: 64, height: 32)
        #expect(fixture.manager.smallerCachedImage(for: request(64, 64)) == nil)
        _ = try await fixture.manager.image(for: request(8, 8))
        _ = try await fixture.manager.image(for: request(12, 12))
        #expect(fixture.manager.smallerCachedImage(for: request(64, 64))?.image.size.width == 12)
        #expect(
            fixture.manager.smallerCachedImage(for: ImageRequest(source: ImageSource(ManagerFixture.url)))?.image.size.width == 12
        )
        #expect(fixture.manager.smallerCachedImage(for: request(10, 10))?.image.size.width == 8)
        #expect(fixture.manager.smallerCachedImage(for: request(6, 6)) == nil)
    }

    @Test func aLargerOneStandsInInAView() async throws {  // PF-07, VW-22, CG-05
        let fixture = ManagerFixture()
        fixture.serve(width: 64, height: 32)
        let whole = ImageRequest(source: ImageSource(ManagerFixture.url))
        _ = try await fixture.manager.image(for: request(4, 4))
        #expect(fixture.manager.otherSize(for: request(8, 8))?.image.size.width == 4)
        _ = try await fixture.manager.image(for: whole)
        #expect(fixture.manager.otherSize(for: request(8, 8))?.image.size.width == 64, "it looks like the right one")
        #expect(fixture.manager.otherSize(for: whole.with(.fill(8, 8)))?.image.size.width == 64)
        _ = try await fixture.manager.image(for: request(32, 32))
        #expect(fixture.manager.otherSize(for: request(8, 8))?.image.size.width == 32)
        #expect(fixture.manager.otherSize(for: request(8, 8) { $0.cache.lookup = .revalidate }) == nil)
        #expect(fixture.manager.smallerCachedImage(for: request(8, 8))?.image.size.width == 4)
    }

    // CG-05
    @Test func whatIsNotCutStandsInHoweverItWasAskedFor() async throws {
        for target in [TargetSize.fill(16, 8), .fill(16, 2), .stretch(16, 8), .stretch(16, 16)] {
            let fixture = ManagerFixture()
            fixture.serve(width: 64, height: 32)
            _ = try await fixture.manager.image(for: request(1, 1) { $0.decode.target = .size(target) })
            let isWhole = target.height == 8
            #expect((fixture.manager.smallerCachedImage(for: request(64, 64)) != nil) == isWhole)
            #expect((fixture.manager.otherSize(for: request(8, 8)) != nil) == isWhole)
        }
    }

    @Test func forgetsThePicturesNotAskedForTheLongest() {
        let known = KnownSizes(maximumFamilies: 10, maximumSizes: 2)
        for number in 0..<100 {
            let family = CacheKey("f\(number)")
            for side in 1...3 {
                let size = PixelSize(clamping: side, side)
                known.add(.init(key: CacheKey("\(number)-\(side)"), size: size, originalSize: size), to: family)
            }
        }
        #expect(known.familyCount <= 10)
        #expect(known.entries(of: CacheKey("f99")).map(\.size.width) == [2, 3])
        #expect(known.entries(of: CacheKey("f0")).isEmpty)
        known.remove(CacheKey("99-2"), from: CacheKey("f99"))
        #expect(known.entries(of: CacheKey("f99")).count == 1)
    }
}
