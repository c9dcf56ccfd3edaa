import GannetCache
import GannetCodecs
import GannetCore
import GannetFetch
import GannetImages
import GannetTesting
import Synchronization
import Testing

/// Managers with files of real formats: SDWebImage's tests of its manager, downloader and coders, under their names.
@Suite struct ManagerImageTests {
    static let url = "https://example.org/picture"

    private func manager(
        _ loader: any ImageLoader, memory: MemoryCache = MemoryCache(), disk: (any ImageCaching)? = nil,
        color: (any ColorManager)? = nil
    ) -> ImageManager {
        ImageManager(
            configuration: ManagerConfiguration(
                memoryCache: memory, diskCache: disk, loaders: LoadersManager([loader]), coders: AvailableCoders.manager,
                colorManager: color))
    }

    private func serving(_ bytes: [UInt8]) -> FakeImageLoader {
        let loader = FakeImageLoader()
        loader.answer(Self.url, with: .bytes(bytes))
        return loader
    }

    // MARK: Pictures while they come

    /// Delivers the first half, and the rest when the gate is open.
    private struct HalfLoader: ImageLoader {
        let identifier = "half"
        let bytes: [UInt8]
        let gate: AsyncGate

        func canLoad(_ source: ImageSource) -> Bool { true }

        func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
            let step = Mutex(0)
            let stream = ByteStream { () async throws(ImageError) -> [UInt8]? in
                let number = step.withLock { step in
                    step += 1
                    return step
                }
                if number == 1 { return Array(bytes[..<(bytes.count / 2)]) }
                await gate.wait()
                return number == 2 ? Array(bytes[(bytes.count / 2)...]) : nil
            }
            return LoadResponse(body: .stream(stream), origin: .network, expectedBytes: bytes.count, freshness: .unknown)
        }
    }

    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        let picture = TestImages.still(try TestImages.gradient(width: 96, height: 64))
        let clip = DecodedImage.animated(try TestImages.animation(width: 96, height: 64, frames: 6))
        var files: [(String, DecodedImage, EncodeOptions)] = [
            ("test09ThatProgressiveJPEGWorks", picture, EncodeOptions(format: .jpeg, quality: 90, progressive: true)),
            ("interlaced PNG", picture, EncodeOptions(format: .png, progressive: true)),
            ("test18ThatProgressiveGIFWorks", clip, EncodeOptions(format: .gif)),
            ("test19ThatProgressiveAPNGWorks", clip, EncodeOptions(format: .png)),
        ]
        files.removeAll { !CoderBehaviourTests.canWrite($0.2.format ?? .png) }
        return try files.map { ($0.0, try CoderBehaviourTests.encode($0.1, $0.2).contiguous()) }
    }

    @Test func `test09ThatProgressiveJPEGWorks, test18ThatProgressiveGIFWorks, test19ThatProgressiveAPNGWorks`() async throws {
        for (name, bytes) in try Self.files() {  // OP-02, MG-16, CD-43
            let (gate, memory) = (AsyncGate(), MemoryCache())
            let manager = manager(HalfLoader(bytes: bytes, gate: gate), memory: memory)
            var request = ImageRequest(ImageSource(Self.url))
            request.decode.previews = PreviewPolicy(isEnabled: true, minimumInterval: .zero)
            request.transform.transformers = [.flip(vertical: true)]
            request.transform.appliesTo = [.animated, .vector]
            let task = manager.task(for: request)
            var previews: [DecodedImage] = []
            var result: Result<LoadedImage, ImageError>?
            for await event in task.events {
                #expect(result == nil, "\(name): something came after the end")
                switch event {
                case .progress(let progress):
                    #expect(memory.usage.count == 0 || progress.received == bytes.count, "\(name): a preview was stored")
                    gate.open()
                case .preview(let preview): previews.append(preview)
                case .finished(let end): result = end
                case .stale: Issue.record("\(name): nothing was stored")
                }
            }
            let whole = try #require(result).get()
            let preview = try #require(previews.first, "\(name): no preview of the first half")
            #expect(preview.size == whole.size && whole.size == PixelSize(width: 96, height: 64))
            // The transformer flips the image, in previews too: its lower edge shows the rows at the start of the file.
            let (lower, upper) = (Self.row(63, of: preview), Self.row(63, of: whole.image))
            #expect(zip(lower, upper).allSatisfy { abs(Int($0) - Int($1)) < 70 }, "\(name): the preview is not transformed")
            #expect(manager.cachedImage(for: request)?.bitmap.identity == whole.bitmap.identity)
        }
    }

    private static func row(_ y: Int, of image: DecodedImage) -> [UInt8] {
        let bytes = image.bitmap.packedBytes()
        return Array(bytes[(y * image.size.width * 4)..<((y + 1) * image.size.width * 4)])
    }

    // MARK: Orientation, readiness

    #if JPEG
        /// A JPEG of 96 × 64 stored pixels that is to be shown turned by a quarter.
        private func turnedFile() throws -> [UInt8] {
            let picture = TestImages.still(try TestImages.gradient(width: 96, height: 64))
            let file = try CoderBehaviourTests.encode(picture, EncodeOptions(format: .jpeg, quality: 95)).contiguous()
            let exif: [UInt8] =
                Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
            return Array(file[..<2]) + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + Array(file[2...])
        }

        @Test func test13ThatScaleDownLargeImageEXIFOrientationImage() async throws {  // OP-11, CX-14, CD-34
            let loader = serving(try turnedFile())
            let memory = MemoryCache()
            let manager = manager(loader, memory: memory, disk: InMemoryImageCache())
            var request = ImageRequest(ImageSource(Self.url))
            #expect(try await manager.image(for: request).size == PixelSize(width: 64, height: 96))
            for limit in [64 * 96 * 4 - 1, 5000, 1000, 4] {
                request.decode.scaleDownToBytes = limit
                let small = try await manager.image(for: request)
                #expect(small.size.area * 4 <= limit && small.size.area >= 1)
                #expect(small.image.metadata.originalSize == PixelSize(width: 64, height: 96))
                // Upright, and in proportion as far as whole pixels allow.
                if limit >= 1000 { #expect(abs(small.size.height * 2 - small.size.width * 3) <= 3) }
                // The left edge as stored is the top edge on screen: little red there, much at the bottom.
                if limit == 5000 {
                    let (top, bottom) = (Self.row(0, of: small.image), Self.row(small.size.height - 1, of: small.image))
                    #expect(top[0] < 40 && bottom[0] > 215)
                }
            }
            #expect(loader.loadCount == 1)
        }
    #endif

    #if JPEG && ColorManagement
        /// Apple's: pixels are redrawn for the screen unless forbidden. Here every picture is sRGB, ready to draw, when it is delivered.
        @Test func test22ThatForceDecodePolicyAutomatic() async throws {  // CX-08, CD-30, CD-40
            let red = try TestImages.draw(width: 16, height: 16, alpha: .opaque) { _, _ in 0xFF00_00FF }
            let file = try CoderBehaviourTests.encode(TestImages.still(red), EncodeOptions(format: .jpeg, quality: 95))
                .contiguous()
            let profile = LCMSColorManagerTests.swappedProfile()
            let payload = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
            let segment = [0xFF, 0xE2, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
            let loader = serving(Array(file[..<2]) + segment + Array(file[2...]))
            let shown = try await manager(loader, color: LCMSColorManager()).image(for: ImageRequest(ImageSource(Self.url)))
            let pixel = Array(shown.bitmap.packedBytes().prefix(4))
            #expect(pixel[0] < 10 && pixel[1] > 245 && pixel[3] == 255, "the profile says that red is green: \(pixel)")
            // Without a colour manager the samples stay unchanged.
            let plain = try await manager(loader).image(for: ImageRequest(ImageSource(Self.url)))
            #expect(plain.bitmap.packedBytes()[0] > 245)
        }
    #endif

    /// A bitmap whose rows begin where the screen wants them is handed on as it is; one whose rows do not is copied once. Here all
    /// bitmaps are made in one layout, so that whatever a coder delivers can be handed on.
    @Test("test28ThatNotTriggerCACopyImage, test28ThatDoTriggerCACopyImage", arguments: CoderBehaviourTests.written)
    func rows(_ format: ImageFormat) async throws {  // CD-33
        for width in [31, 33, 64] {
            let picture = TestImages.still(try TestImages.gradient(width: width, height: 17))
            let loader = serving(try CoderBehaviourTests.encode(picture, EncodeOptions(format: format)).contiguous())
            let bitmap = try await manager(loader).image(for: ImageRequest(ImageSource(Self.url))).bitmap
            #expect(bitmap.layout.format == .rgba8 && bitmap.bytesPerRow >= width * 4)
            for part in [bitmap, try bitmap.cropped(to: PixelRect(x: width / 2, y: 1, width: width, height: 3))] {
                let begins = part.withUnsafeRows { base, stride in (Int(bitPattern: base) % 64, stride % 16) }
                #expect(begins == (0, 0), "\(width)")
            }
        }
    }

    #if JPEG && PNG
        /// An image without encoded bytes is stored as PNG if any pixel is transparent, else as JPEG.
        @Test func formatByTransparency() async throws {  // DC-20
            let manager = manager(FakeImageLoader(), disk: InMemoryImageCache())
            let pictures = [
                (try TestImages.gradient(), ImageFormat.jpeg), (try TestImages.discs(), .png),
                (try TestImages.flat(isOpaque: false), .png), (try TestImages.flat(), .jpeg),
            ]
            for (number, (bitmap, format)) in pictures.enumerated() {
                try await manager.cache.store(TestImages.still(bitmap), forKey: "picture \(number)", tier: .disk)
                let bytes = try #require(try await manager.cache.data(forKey: "picture \(number)"))
                #expect(AvailableCoders.manager.format(of: bytes) == format, "\(number)")
            }
        }
    #endif

    #if PNG
        /// Read on the caller's thread, a picture that moves is as untouched by transformers as elsewhere.
        @Test func theBlockingReadGivesTheSamePicture() async throws {  // OP-09, OP-14
            let clip = DecodedImage.animated(try TestImages.animation(width: 12, height: 8, frames: 2))
            let memory = MemoryCache()
            let manager = manager(
                serving(try CoderBehaviourTests.encode(clip, EncodeOptions(format: .png)).contiguous()), memory: memory,
                disk: InMemoryImageCache())
            for scope in [[], .animated] as [TransformScope] {
                var request = ImageRequest(ImageSource(Self.url), .waitingForStore)
                request.transform.transformers = [.crop(x: 0, y: 0, width: 5, height: 4)]
                request.transform.appliesTo = scope
                let loaded = try await manager.image(for: request)
                memory.removeAll()
                let read = try #require(try manager.blockingCachedImage(for: request))
                #expect(read.size == loaded.size && read.size.width == (scope.isEmpty ? 12 : 5))
                #expect(read.bitmap.packedBytes() == loaded.bitmap.packedBytes() && read.image.frameCount == 2)
            }
        }
    #endif
}
