#if GIF && WebP && PNG
    import Gannet
    import GannetCache
    import GannetCodecs
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetTestSupport
    import GannetTesting
    import Testing

    /// `encoded(for:as:)` with the formats of a build.
    @Suite struct EncodedFileTests {
        private let disk = InMemoryImageCache()
        private var manager: ImageManager {
            ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: nil, diskCache: disk, loaders: LoadersManager(LoadersManager.local),
                    coders: CodersManager(BuiltInCoders.all)))
        }

        /// In a named format, and without one in its own.
        @Test(arguments: [ImageFormat.webp, .png, .gif, nil])
        func anAnimationInAnotherFormatMovesAndIsStored(_ format: ImageFormat?) async throws {
            let animation = try TestImages.animation(frames: 4, loopCount: 3)
            let gif = try DecodedImage.animated(animation).blockingEncoded(EncodeOptions(format: .gif)).bytes.contiguous()
            let request = ImageRequest(source: .data(gif, identifier: "clip"))
            let file = try await manager.encoded(for: request, as: EncodeOptions(format: format))
            #expect(file.format == format ?? .gif && disk.storeCount == 1)
            let made = ImageRequest(source: .data(file.bytes.contiguous(), identifier: "made"))
            let image = try await manager.image(for: made).image
            #expect(image.frameCount == 4 && image.metadata.format == format ?? .gif)
            let again = try await manager.encoded(for: request, as: EncodeOptions(format: format))
            #expect(again.bytes.contiguous() == file.bytes.contiguous() && again.format == file.format)
            #expect(disk.storeCount == 1)
        }

        @Test func anOpaqueImageIsAJPEGAndOneWithAlphaAPNG() async throws {
            for (bitmap, format) in [(try TestImages.gradient(), ImageFormat.jpeg), (try TestImages.discs(), .png)] {
                let png = try TestImages.still(bitmap).blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()
                let request = ImageRequest(.data(png, identifier: format.identifier), .fit(12, 12))
                let file = try await manager.encoded(for: request, as: EncodeOptions())
                #expect(file.format == format && manager.configuration.coders.format(of: file.bytes) == format)
            }
        }
    }
#endif
