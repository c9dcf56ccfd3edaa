#if GIF
    import GannetCodecs
    import GannetCore
    import GannetCache
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetTesting
    import Testing

    /// Animations survive the disk, by the names of Kingfisher's tests of its image cache. // DC-19, FM-04
    @Suite struct GIFCacheTests {
        private let root = "/tmp/gannet-gif-" + Digest128(high: SystemRandomSource().next(), low: SystemRandomSource().next()).hex

        private func withManager(_ body: (ImageManager, DiskCache) async throws -> Void) async throws {
            let disk = DiskCache(DiskCacheConfiguration(directory: root))
            defer { Self.remove(root) }
            try await body(
                ImageManager(
                    configuration: ManagerConfiguration(
                        memoryCache: MemoryCache(), diskCache: disk, loaders: LoadersManager([]),
                        coders: CodersManager([GIFCoder()]))), disk)
        }

        private static func remove(_ path: String) {
            let files = POSIXFileSystem()
            for name in (try? files.list(path)) ?? [] { remove(path + "/" + name) }
            do { try files.remove(path) } catch { try? files.removeDirectory(path) }
        }

        private func animation() throws -> AnimatedImage {
            let drawn = try TestImages.animation(frames: 4, loopCount: 3)
            return AnimatedImage(
                metadata: ImageMetadata(format: .gif, originalSize: drawn.metadata.originalSize), poster: drawn.poster,
                loopCount: drawn.loopCount, delays: drawn.delays, source: drawn.source)
        }

        /// Without bytes the animation is encoded, as the GIF that it came from: frames, times and loops are on the disk.
        // DC-19, U-21
        @Test func testStoreGIFToDiskWithNilOriginalShouldPreserveGIFFormat() async throws {
            try await withManager { manager, disk in
                let animation = try animation()
                try await manager.cache.store(.animated(animation), forKey: "a", tier: .disk)
                #expect(try await disk.metadata(for: CacheKey("a"))?.format == "gif")
                #expect(try await manager.cache.data(forKey: "a")?.contiguous().starts(with: Array("GIF89a".utf8)) == true)
                let found = try #require(try await manager.cache.image(forKey: "a"))
                #expect(found.origin == .disk)
                guard case .animated(let read) = found.image else {
                    Issue.record("the animation came back as a still")
                    return
                }
                #expect(read.metadata.format == .gif)
                #expect(read.delays == animation.delays)
                #expect(read.loopCount == animation.loopCount)
            }
        }

        /// An image that is stored again keeps its bytes: the disk has them unchanged, not encoded again.
        @Test func testCopyKingfisherStateShouldKeepEmbeddedGIFDataForDiskCache() async throws {
            try await withManager { manager, disk in
                // With a comment, which no encoder would write again.
                let written = try #require(try GIFCoder().makeEncoder(for: .gif, options: EncodeOptions()))
                    .encode(.animated(animation()))
                let file = written.dropLast() + [0x21, 0xFE, 2, 104, 105, 0, 0x3B]
                try await manager.cache.storeData(ByteRope(Array(file)), forKey: "original")
                let first = try #require(try await manager.cache.image(forKey: "original"))
                try await manager.cache.store(first.image, data: first.encoded?.bytes, forKey: "copy", tier: .disk)
                #expect(try await manager.cache.data(forKey: "copy")?.contiguous() == Array(file))
                #expect(try await disk.metadata(for: CacheKey("copy"))?.format == "gif")
                #expect(try await manager.cache.image(forKey: "copy", tier: .disk)?.image.isAnimated == true)
            }
        }
    }
#endif
