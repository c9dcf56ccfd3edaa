#if JPEG && PNG
    import Gannet
    import GannetCodecs
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetKernels
    import GannetTesting
    import Testing

    /// The small copy inside of a file is shown first, and on request instead of the image. NW-05
    @Suite(.timeLimit(.minutes(10))) struct ThumbnailPreviewTests {
        /// Gives the first bytes at once, and the others behind a gate.
        private final class TwoPieces: ImageLoader {
            let identifier = "two pieces"
            let gate = AsyncGate()
            let pieces: [[UInt8]]

            init(_ bytes: [UInt8], _ count: Int) { pieces = [Array(bytes[..<count]), Array(bytes[count...])] }

            func canLoad(_ source: ImageSource) -> Bool { true }

            func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
                let next = Counter()
                let stream = ByteStream { [pieces, gate] () async throws(ImageError) -> [UInt8]? in
                    let index = await next.take()
                    if index == 1 { await gate.wait() }
                    return index < pieces.count ? pieces[index] : nil
                }
                return LoadResponse(
                    body: .stream(stream), origin: .network, expectedBytes: pieces.reduce(0) { $0 + $1.count })
            }
        }

        private actor Counter {
            private var count = 0
            func take() -> Int {
                defer { count += 1 }
                return count
            }
        }

        private static func encoded(_ image: DecodedImage, _ format: ImageFormat = .jpeg) throws -> [UInt8] {
            try image.blockingEncoded(EncodeOptions(format: format, quality: 90)).bytes.contiguous()
        }

        /// Noise, so that it is long, with a small copy that is a gradient: whoever shows it is seen.
        private static func file(_ small: (width: Int, height: Int), orientation: Orientation? = nil) throws -> [UInt8] {
            let image = try encoded(TestImages.still(TestImages.noise(width: 600, height: 400)))
            let thumbnail = try encoded(TestImages.still(TestImages.gradient(width: small.width, height: small.height)))
            var block = EXIF.block(thumbnail: thumbnail)
            if let orientation { block = Self.block(thumbnail, orientation) }
            let exif = EXIF.prefix + block
            let length = exif.count + 2
            return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif + image.dropFirst(2)
        }

        /// With an orientation in the first directory, and a thumbnail in the second.
        private static func block(_ thumbnail: [UInt8], _ orientation: Orientation) -> [UInt8] {
            func long(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
            let parts: [[UInt8]] = [
                [0x4D, 0x4D, 0, 42], long(8), [0, 1], [0x01, 0x12, 0, 3], long(1), [0, UInt8(orientation.rawValue), 0, 0],
                long(26),
                [0, 2], [0x02, 0x01, 0, 4], long(1), long(56), [0x02, 0x02, 0, 4], long(1), long(thumbnail.count), long(0),
                thumbnail,
            ]
            return Array(parts.joined())
        }

        private static func manager(_ loader: any ImageLoader) -> ImageManager {
            ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: nil, diskCache: nil, loaders: LoadersManager([loader]),
                    coders: CodersManager(BuiltInCoders.all)))
        }

        private static func request(_ use: EmbeddedThumbnailUse?, previews: Bool = true) -> ImageRequest {
            var request = ImageRequest("https://example.org/a.jpg")
            if previews { request.decode.previews = PreviewPolicy(isEnabled: true, minimumInterval: .zero) }
            request.decode.usesEmbeddedThumbnail = use
            return request
        }

        private static func whole(_ file: [UInt8]) -> ImageManager {
            let loader = FakeImageLoader()
            loader.answer("https://example.org/a.jpg", with: .bytes(file))
            return manager(loader)
        }

        /// The previews of a load, and its result.
        private static func events(_ task: ImageTask) async throws -> (previews: [DecodedImage], image: DecodedImage) {
            var previews: [DecodedImage] = []
            for await event in task.events {
                if case .preview(let preview) = event { previews.append(preview) }
            }
            return (previews, try await task.value.image)
        }

        /// A gradient is red to the right, and noise is not.
        private static func isSmallCopy(_ image: DecodedImage) -> Bool {
            let row = image.bitmap.row(image.bitmap.height / 2)
            let reds = stride(from: 0, to: row.count, by: 4).map { row[$0] }
            return zip(reds, reds.dropFirst()).allSatisfy { Int($1) - Int($0) > -6 } && reds[0] < 20 && reds[reds.count - 1] > 230
        }

        // NW-05, CD-43
        @Test func itIsShownWhenItHasArrived() async throws {
            let file = try Self.file((120, 80))
            let loader = TwoPieces(file, file.count / 2)
            let task = Self.manager(loader).task(for: Self.request(nil))
            var previews: [DecodedImage] = []
            for await event in task.events {
                guard case .preview(let preview) = event else { continue }
                previews.append(preview)
                loader.gate.open()
            }
            let image = try await task.value.image
            let first = try #require(previews.first)
            #expect(Self.isSmallCopy(first) && first.size == PixelSize(clamping: 120, 80))
            #expect(first.metadata.isPartial && first.metadata.originalSize == PixelSize(clamping: 600, 400))
            #expect(first.metadata.format == .jpeg)
            // The upper rows alone would be a step back.
            #expect(previews.count == 1)
            #expect(!Self.isSmallCopy(image) && image.size == PixelSize(clamping: 600, 400) && !image.metadata.isPartial)
        }

        @Test func ofAWholeFileItIsShownBeforeTheImageIsDecoded() async throws {
            let file = try Self.file((120, 80))
            let (previews, image) = try await Self.events(Self.whole(file).task(for: Self.request(.asPreview)))
            #expect(previews.count == 1 && previews.allSatisfy(Self.isSmallCopy) && !Self.isSmallCopy(image))
        }

        @Test func neverIsNever() async throws {
            let file = try Self.file((120, 80))
            let (previews, image) = try await Self.events(Self.whole(file).task(for: Self.request(.never)))
            #expect(previews.isEmpty && !Self.isSmallCopy(image))
            let (none, other) = try await Self.events(Self.whole(file).task(for: Self.request(nil, previews: false)))
            #expect(none.isEmpty && !Self.isSmallCopy(other))
        }

        @Test func withBarsItIsNotShown() async throws {
            for size in [(120, 90), (120, 70), (80, 120), (1200, 800)] {
                let file = try Self.file(size)
                let (previews, image) = try await Self.events(Self.whole(file).task(for: Self.request(.ifLargeEnough)))
                #expect(previews.isEmpty && !Self.isSmallCopy(image), "\(size)")
            }
            // Rounded sides are no bars.
            let (previews, _) = try await Self.events(Self.whole(try Self.file((61, 41))).task(for: Self.request(nil)))
            #expect(previews.count == 1)
        }

        // NW-05
        @Test(arguments: [(120, true), (100, true), (121, false), (600, false)])
        func itIsTheResultWhereItIsLargeEnough(width: Int, isUsed: Bool) async throws {
            var request = Self.request(.ifLargeEnough, previews: false)
            request.decode.target = .size(.fit(width, width))
            let image = try await Self.whole(try Self.file((120, 80))).image(for: request).image
            #expect(Self.isSmallCopy(image) == isUsed)
            #expect(image.size.width == width && image.metadata.originalSize == PixelSize(clamping: 600, 400))
            #expect(!image.metadata.isPartial)
        }

        @Test(arguments: [Orientation.up, .right, .down, .left, .rightMirrored]) func itIsTurnedAsTheImageIs(
            orientation: Orientation
        ) async throws {
            let file = try Self.file((120, 80), orientation: orientation)
            let (previews, image) = try await Self.events(Self.whole(file).task(for: Self.request(nil)))
            let preview = try #require(previews.first)
            let isUpright = orientation == .up || orientation == .down
            #expect(image.size == PixelSize(clamping: isUpright ? 600 : 400, isUpright ? 400 : 600))
            #expect(preview.size == PixelSize(clamping: isUpright ? 120 : 80, isUpright ? 80 : 120))
            // Red grows to the right of the stored image.
            let small = try TestImages.still(TestImages.gradient(width: 120, height: 80))
            let stored = try ImageDecoding(coders: CodersManager(BuiltInCoders.all)).decode(
                ByteRope(try Self.encoded(small)))
            let turned = try oriented(stored.bitmap, orientation, pool: .shared)
            #expect(preview.bitmap.packedBytes() == turned.packedBytes())
        }

        @Test func requestsThatWantItDoNotShareTheirResult() {
            var (one, other) = (ResolvedDecodeOptions(), ResolvedDecodeOptions())
            other.usesEmbeddedThumbnail = .ifLargeEnough
            #expect(one.keyText != other.keyText)
            one.usesEmbeddedThumbnail = .never
            other.usesEmbeddedThumbnail = .asPreview
            #expect(one.keyText == other.keyText)
        }

        #if HEIC
            @Test func ofAHEIC() async throws {
                let image = TestImages.still(try TestImages.noise(width: 600, height: 400))
                let file = try image.blockingEncoded(EncodeOptions(format: .heic, quality: 90, embedsThumbnail: true)).bytes
                    .contiguous()
                let (previews, result) = try await Self.events(Self.whole(file).task(for: Self.request(nil)))
                let preview = try #require(previews.first)
                #expect(previews.count == 1 && preview.size.width < 600 && result.size == image.size)
                #expect(preview.metadata.originalSize == image.size && preview.metadata.format == .heic)
            }
        #endif
    }
#endif
