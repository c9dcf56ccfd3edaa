#if PNG && JPEG && WebP
    import Gannet
    import GannetCodecs
    import GannetCore
    import GannetImages
    import GannetKernels
    import GannetTesting
    import Testing

    /// High range through a manager and its caches. CX-15
    @Suite struct HighRangeManagerTests {
        private let disk = InMemoryImageCache()

        private func manager() -> ImageManager {
            ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: MemoryCache(), diskCache: disk, loaders: LoadersManager(LoadersManager.local),
                    coders: CodersManager(BuiltInCoders.all), colorManager: BuiltInCoders.colorManager))
        }

        private func request(_ options: RequestOption...) throws -> ImageRequest {
            let image = TestImages.still(try TestImages.highRange(width: 60, height: 40))
            let file = try ImageEncoding(coders: CodersManager(BuiltInCoders.all))
                .encode(image, options: EncodeOptions(format: .png)).bytes.contiguous()
            var request = ImageRequest(.data(file, identifier: "light"), .fit(30, 30), .waitingForStore)
            for option in options { option.apply(to: &request) }
            return request
        }

        @Test func theStoredImageHasTheSameLight() async throws {
            let high = try request(.dynamicRange(.high))
            let image = try await manager().image(for: high).bitmap
            #expect(image.dynamicRange.isHigh && image.size == PixelSize(clamping: 30, 20))
            let again = try await manager().image(for: high.with(.onlyFromCache)).bitmap
            #expect(again.identity != image.identity && again.dynamicRange.isHigh)
            #expect(again.packedBytes() == image.packedBytes())
            // Another range is another image.
            let standard = try request(.dynamicRange(.standard), .onlyFromCache)
            let error = await #expect(throws: ImageError.self) { try await manager().image(for: standard) }
            #expect(error?.code == .cacheMiss)
        }

        @Test func otherSizesInMemoryAreOfTheSameRange() async throws {
            let manager = manager()
            let large = try await manager.image(for: try request(.dynamicRange(.high), .fit(60, 60))).bitmap
            let small = try await manager.image(for: try request(.dynamicRange(.high), .fit(15, 15))).bitmap
            let plain = try await manager.image(for: try request(.fit(15, 15))).bitmap
            #expect(large.dynamicRange.isHigh && small.dynamicRange.isHigh && !plain.dynamicRange.isHigh)
        }

        @Test func explainNamesIt() async throws {
            let (manager, high) = (manager(), try request(.dynamicRange(.high(headroom: 4))))
            let before = try await manager.explain(high)
            #expect(before.contains("dynamic range: high, up to 4 times white, where the source has it"))
            _ = try await manager.image(for: high)
            let after = try await manager.explain(high)
            #expect(after.contains("dynamic range: high, up to 4 times white\n"))
            let standard = try await manager.explain(try request())
            #expect(!standard.contains("dynamic range"))
        }
    }
#endif
