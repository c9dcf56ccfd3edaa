import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetTestSupport
import GannetTesting
import Testing

/// The public face of parts that only the package sees.
@Suite struct PublicOptionTests {
    @Test func `A manager encodes with its own coders`() async throws {
        let fixture = ManagerFixture()
        fixture.serve()
        let image = try await fixture.manager.image(for: ImageRequest(ImageSource(ManagerFixture.url))).image
        let file = try await fixture.manager.encoded(image)
        #expect(fixture.manager.configuration.coders.format(of: file.bytes) == FakeImageCoder.format)
        let empty = ManagerFixture { $0.coders = CodersManager([]) }
        #expect(await failureCode { try await empty.manager.encoded(image) } == .unsupported)
    }

    @Test func `A closure changes the image after the caches`() async throws {  // KF-12
        let fixture = ManagerFixture()
        fixture.serve(width: 8, height: 4)
        let source = ImageSource(ManagerFixture.url)
        let half = ImageRequest(source).with(
            .modifier { image in (try? image.transformed(by: .crop(x: 0, y: 0, width: 4, height: 4))) ?? image })
        #expect(try await fixture.manager.image(for: half).image.size == PixelSize(clamping: 4, 4))
        #expect(fixture.manager.cachedImage(for: ImageRequest(source))?.image.size == PixelSize(clamping: 8, 4))
    }

    @Test func `The slots are those of the HTTP loader among the loaders`() {
        let loader = HTTPLoader(transport: ScriptedTransport(DownloadRig.always()), time: ManualTimeSource())
        let fixture = ManagerFixture { $0.loaders = LoadersManager([loader, FakeImageLoader()]) }
        #expect(fixture.manager.fetcher.slots === loader.slots)
        #expect(ByteFetcher(loaders: LoadersManager([loader]), cache: nil).slots === loader.slots)
        #expect(ManagerFixture().manager.fetcher.slots !== loader.slots)
    }

    @Test func `Limits of a download are plain numbers`() {
        var downloader = DownloaderConfiguration()
        #expect(downloader.requestsPerSecond == nil && downloader.decompressesBodies)
        #expect(downloader.maximumDecompressionRatio == 200 && downloader.deadlines.minimumBytesPerSecond == 256)
        downloader.requestsPerSecond = 4
        #expect(downloader.rate == RateLimit(count: 4) && downloader.requestsPerSecond == 4)
        downloader.rate = RateLimit(count: 30, interval: .seconds(10))
        #expect(downloader.requestsPerSecond == 3)
        downloader.requestsPerSecond = nil
        downloader.decompressesBodies = false
        downloader.maximumDecompressionRatio = 9
        downloader.servesNewestFirst = true
        #expect(downloader.rate == nil && downloader.contentDecoding == ContentDecodingLimits(maximumRatio: 9, isEnabled: false))
        #expect(downloader.order == .lastInFirstOut)
        #expect(LoadDeadlines().lowestRate == .standard)
        #expect(LoadDeadlines(minimumBytesPerSecond: nil).lowestRate == nil)
        #expect(LoadDeadlines(minimumBytesPerSecond: 9).lowestRate == LowestRate(bytesPerSecond: 9, over: .seconds(10)))
    }

    @Test func `Colours are converted unless an option says otherwise`() {
        var options = DecodeOptions()
        #expect(options.convertsColors == nil && ResolvedDecodeOptions(options).convertsColors)
        options.convertsColors = false
        #expect(options.color == .raw && !ResolvedDecodeOptions(options).convertsColors)
        options.convertsColors = true
        #expect(ResolvedDecodeOptions(options).color == .sRGB)
    }

    @Test func `A decoder reserves within the bytes of its environment`() throws {
        let environment = DecodeEnvironment(reservableBytes: 100)
        var first: MemoryReservation? = try environment.reserve(60)
        #expect(first?.bytes == 60)
        #expect(throws: ImageError.self) { try environment.reserve(60) }
        first = nil
        _ = try environment.reserve(100)
    }
}
