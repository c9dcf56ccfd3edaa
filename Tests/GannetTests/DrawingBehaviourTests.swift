#if JPEG && PNG
    import Gannet
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    /// Behaviours of Kingfisher's "Drawing, extension" and of SDWebImage's "Animated image", by their names, with real coders.
    @Suite struct DrawingBehaviourTests {
        /// The names say GIF; APNG is used instead, because every build with this suite has it.
        private let moving = ImageFormat.png

        private func solid(_ red: UInt8) throws -> Bitmap {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 12, 8), alpha: .opaque))
            for y in 0..<8 {
                var row = buffer.mutableRow(y)
                for x in 0..<12 { for (channel, value) in [red, 100, 50, 255].enumerated() { row[x * 4 + channel] = value } }
            }
            return buffer.freeze()
        }

        private func animation(_ count: Int) throws -> DecodedImage {
            let frames = try (0..<count).map { try solid(UInt8($0 * 40)) }
            return .animated(
                AnimatedImage(
                    metadata: ImageMetadata(format: nil, originalSize: frames[0].size), poster: frames[0], loopCount: 3,
                    delays: Array(repeating: .milliseconds(80), count: count), source: FrameArray(frames)))
        }

        private func still() throws -> DecodedImage {
            let bitmap = try solid(200)
            return .still(bitmap, ImageMetadata(format: nil, originalSize: bitmap.size))
        }

        private func decode(_ bytes: [UInt8], _ change: (inout DecodeOptions) -> Void = { _ in }) throws -> DecodedImage {
            var options = DecodeOptions()
            change(&options)
            return try ImageDecoding(coders: CodersManager(BuiltInCoders.all)).decode(
                ByteRope(bytes), options: ResolvedDecodeOptions(options))
        }

        @Test func test03AnimatedImageInitWithAnimatedCoder() throws {  // AN-01
            let bytes = try animation(3).blockingEncoded(EncodeOptions(format: moving)).bytes.contiguous()
            let coder = try #require(BuiltInCoders.all.first { $0.formats.contains(moving) })
            guard case .animated(let image) = try decode(bytes, { $0.coder = coder }) else {
                Issue.record("it does not move")
                return
            }
            #expect(image.frameCount == 3 && image.poster.size == PixelSize(clamping: 12, 8))
            #expect(try image.blockingFrame(at: 2).size == image.poster.size)
        }

        @Test func test04AnimatedImageImageNamed() async throws {  // AN-01, MC-15
            let bytes = try animation(3).blockingEncoded(EncodeOptions(format: moving)).bytes.contiguous()
            let manager = ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: MemoryCache(), diskCache: nil, loaders: LoadersManager(),
                    coders: CodersManager(BuiltInCoders.all)))
            let request = ImageRequest(source: .data(ByteRope(bytes), identifier: "named"))
            guard case .animated(let first) = try await manager.image(for: request).image,
                case .animated(let second) = try await manager.image(for: request).image
            else {
                Issue.record("it does not move")
                return
            }
            #expect(first === second)
        }

        @Test func test10AnimatedImageInitWithCoder() throws {  // AN-01, AN-03
            let whole = try animation(4)
            guard case .animated(let old) = whole,
                case .animated(let new) = try decode(whole.blockingEncoded(EncodeOptions(format: moving)).bytes.contiguous())
            else {
                Issue.record("it does not move")
                return
            }
            #expect(new.size == old.size && new.frameCount == 4 && new.loopCount == 3 && new.delays == old.delays)
            #expect(new.metadata.format == moving)
        }

        @Test func testImageFormat() throws {  // CD-03
            let coders = CodersManager(BuiltInCoders.all)
            #expect(coders.format(of: try still().blockingEncoded(EncodeOptions(format: .jpeg)).bytes) == .jpeg)
            #expect(coders.format(of: try still().blockingEncoded(EncodeOptions(format: .png)).bytes) == .png)
            #expect(coders.format(of: try animation(2).blockingEncoded(EncodeOptions(format: moving)).bytes) == moving)
            #expect(coders.format(of: ByteRope(Array("no picture at all".utf8))) == nil)
        }

        @Test func testGenerateJPEGImage() throws {
            let image = try decode(still().blockingEncoded(EncodeOptions(format: .jpeg)).bytes.contiguous())
            #expect(image.metadata.format == .jpeg && image.size == PixelSize(clamping: 12, 8) && !image.isAnimated)
        }

        // testGIFRepresentation, test01AnimatedImageInitWithData, test09AnimatedImageViewSetAnimatedImageAPNG
        @Test func testGenerateGIFImage() throws {  // AN-01, CX-22
            let image = try decode(animation(4).blockingEncoded(EncodeOptions(format: moving)).bytes.contiguous())
            guard case .animated(let clip) = image else {
                Issue.record("it does not move")
                return
            }
            #expect(clip.frameCount == 4 && clip.loopCount == 3 && clip.delays == Array(repeating: .milliseconds(80), count: 4))
            for index in 0..<4 {
                let frame = try clip.blockingFrame(at: index)
                let row = frame.row(4)
                let red = Int(row[0])
                #expect(abs(red - index * 40) <= 4)
            }
        }

        // testDecodeScale
        @Test func testScaleForGIFImage() throws {
            #expect(
                try decode(animation(2).blockingEncoded(EncodeOptions(format: moving)).bytes.contiguous()) { $0.scale = 2 }
                    .metadata.scale == 2)
            #expect(
                try decode(still().blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()) { $0.scale = 3 }.metadata
                    .scale == 3)
        }

        @Test func testGenerateSingleFrameGIFImage() throws {
            let image = try decode(animation(1).blockingEncoded(EncodeOptions(format: moving)).bytes.contiguous())
            #expect(!image.isAnimated && image.frameCount == 1)
        }

        @Test func testGenerateFromNonImage() throws {
            #expect(throws: ImageError.self) { try decode(Array("no picture at all".utf8)) }
            #expect(throws: ImageError.self) { try decode([]) }
        }

        @Test func testPreloadAllAnimationData() throws {  // AN-02, OP-20
            guard
                case .animated(let clip) = try decode(
                    animation(3).blockingEncoded(EncodeOptions(format: moving)).bytes.contiguous(), { $0.frames = .preloaded })
            else {
                Issue.record("it does not move")
                return
            }
            #expect(clip.source is FrameArray, "all of them are decoded")
        }

        // OP-19
        @Test func testLoadOnlyFirstFrame() throws {
            let image = try decode(animation(3).blockingEncoded(EncodeOptions(format: moving)).bytes.contiguous()) {
                $0.frames = .first
            }
            #expect(!image.isAnimated && image.size == PixelSize(clamping: 12, 8))
        }

        @Test func testDownsamplingWithEdgeCaseSize() throws {
            let bytes = try still().blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()
            for (width, height) in [(0, 0), (1, 1), (0, 5), (7, 3), (1000, 1), (12, 8)] {
                let size = try decode(bytes) { $0.target = .size(.fit(width, height)) }.size
                #expect(size.width >= 1 && size.height >= 1 && size.width <= 12 && size.height <= 8)
            }
        }

        @Test func test30AnimatedImageCoderPriority() throws {  // CD-02
            let coders = CodersManager(BuiltInCoders.all)
            let late = FakeImageCoder()
            coders.add(late)
            let bytes = FakeImageCoder.bytes(width: 2, height: 2)
            _ = try ImageDecoding(coders: coders).decode(ByteRope(bytes), options: ResolvedDecodeOptions(DecodeOptions()))
            #expect(late.decodeCount == 1 && coders.coders.last?.identifier == late.identifier)
        }

        // test22AnimatedImageViewCategory, test02AnimatedImageInitWithContentsOfFile
        @Test func test24AnimatedImageViewCategoryDiskCache() async throws {  // AN-20
            let bytes = try animation(3).blockingEncoded(EncodeOptions(format: moving)).bytes.contiguous()
            let loader = FakeImageLoader()
            let url = "https://example.org/clip"
            loader.answer(url, with: .bytes(bytes, freshness: .unknown))
            let memory = MemoryCache()
            let manager = ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: memory, diskCache: InMemoryImageCache(), loaders: LoadersManager([loader]),
                    coders: CodersManager(BuiltInCoders.all)))
            var request = ImageRequest(source: ImageSource(url))
            request.schedule.waitsForStore = true
            #expect(try await manager.image(for: request).image.frameCount == 3)
            memory.removeAll()
            request.cache.lookup = .cacheFirst
            let again = try await manager.image(for: request)
            #expect(again.origin == .disk && again.image.isAnimated && again.image.frameCount == 3)
            #expect(loader.loadCount == 1)
        }
    }
#endif
