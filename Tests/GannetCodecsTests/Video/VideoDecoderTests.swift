#if Video
    import GannetCodecs
    import GannetCore
    import GannetCache
    import GannetFetch
    import GannetImages
    import GannetTestSupport
    import GannetTesting
    import Testing

    /// FM-16, KF-24, NK-19, PL-07.
    @Suite struct VideoDecoderTests {
        /// A frame every tenth of a second, each of another gray, lossless.
        private static let grays: [UInt32] = (0..<20).map { UInt32($0 * 12) * 0x010101 }
        private static func exact(_ change: (inout FilmWriter) -> Void = { _ in }) throws -> [UInt8] {
            var writer = FilmWriter(container: "matroska", codec: "ffv1", colors: grays)
            change(&writer)
            return try #require(writer.file())
        }

        private static func source(_ bytes: [UInt8]) -> ImageSource {
            .data(ByteRope(bytes), identifier: Digest128(String(decoding: bytes, as: UTF8.self)).hex)
        }

        private func manager() -> ImageManager {
            ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: MemoryCache(), diskCache: nil, loaders: LoadersManager([MemoryLoader()]),
                    coders: CodersManager([VideoCoder()])))
        }

        private func gray(_ image: DecodedImage) -> Int {
            let row = image.bitmap.row(0)
            return row[0] == row[1] && row[1] == row[2] ? Int(row[0]) : -1
        }

        @Test func `A film keeps every promise of a coder`() async throws {
            let check = CoderConformance(
                VideoCoder(), format: .mkv, sample: try Self.exact { $0.colors = [0x336699, 0x996633] }, name: "film")
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
        }

        // FM-16, PL-07
        @Test(arguments: [
            ("mp4", "mpeg4", ImageFormat.mp4), ("mov", "mpeg4", .mov), ("avi", "mpeg4", .avi), ("matroska", "ffv1", .mkv),
            ("webm", "libvpx", .webm),
        ])
        func `Every container is recognised and its first picture drawn`(
            _ container: String, _ codec: String, _ format: ImageFormat
        ) async throws {
            let writer = FilmWriter(container: container, codec: codec, colors: [0x8060C0, 0x206040, 0xFFFFFF])
            let bytes = try #require(writer.file())
            #expect(VideoCoder().recognizes(bytes.span) == .yes(format))
            let info = try VideoCoder.info(of: bytes)
            #expect(info.format == format && info.size == PixelSize(width: 32, height: 16))
            #expect(info.codec == (codec == "libvpx" ? "vp8" : codec))
            let picture = try await manager().image(for: Self.source(bytes))
            #expect(picture.image.size == PixelSize(width: 32, height: 16))
            let row = picture.bitmap.row(8)
            for (channel, wanted) in [0x80, 0x60, 0xC0, 255].enumerated() {
                #expect(abs(Int(row[16 * 4 + channel]) - wanted) <= (channel == 3 ? 0 : 6), "\(container) \(channel)")
            }
        }

        // FM-16, KF-05, NK-19
        @Test func `The picture at a time is the one that is shown then`() async throws {
            let film = ImageRequest(Self.source(try Self.exact()))
            let manager = manager()
            for (milliseconds, wanted) in [(0, 0), (-500, 0), (99, 0), (100, 1), (730, 7), (1234, 12), (1900, 19), (60_000, 19)] {
                let picture = try await manager.image(for: film.with(.videoFrame(at: .milliseconds(milliseconds))))
                #expect(gray(picture.image) == wanted * 12, "\(milliseconds) ms")
            }
            #expect(gray(try await manager.image(for: film).image) == 0)
        }

        @Test func `Between pictures that stand alone too, in every container`() async throws {
            for container in ["mp4", "mov", "avi"] {
                let writer = FilmWriter(container: container, codec: "mpeg4", keyInterval: 12, colors: Self.grays)
                let film = ImageRequest(Self.source(try #require(writer.file())))
                // AVI counts pictures and has no times: it may be the one beside.
                let tolerance = container == "avi" ? 18 : 5
                for index in [3, 11, 12, 17] {
                    let picture = try await manager().image(for: film.with(.videoFrame(at: .milliseconds(index * 100 + 50))))
                    #expect(abs(Int(picture.bitmap.row(4)[16]) - index * 12) <= tolerance, "\(container) \(index)")
                }
            }
        }

        // testAVAssetImageDataProviderCacheKeyVariesForRemote, testAVAssetImageDataProviderCacheKeyConsistForDifferentAppSandbox
        // KF-24
        @Test func `The key of a picture names the film and the time`() async throws {
            let manager = manager()
            let film = ImageRequest("https://example.org/film.mp4")
            func key(_ request: ImageRequest) throws -> RequestKeys { try manager.pipeline.blockingPrepare(request).keys }
            let first = try key(film.with(.videoFrame(at: .seconds(1))))
            let second = try key(film.with(.videoFrame(at: .seconds(2))))
            #expect(first.variant != second.variant)
            #expect(first.storage == second.storage, "the film is stored once")
            #expect(try key(film.with(.videoFrame(at: .seconds(1)))).variant == first.variant)
            #expect(try key(film).variant != first.variant)
            #expect(try key(ImageRequest("https://example.org/other.mp4", .videoFrame(at: .seconds(1)))).variant != first.variant)
            // If a program was moved, a filter can leave out the part of the path that changed.
            let filter = PathTail()
            var here = ImageRequest(.file("/one/film.mp4"), .videoFrame(at: .seconds(1)))
            var there = ImageRequest(.file("/two/film.mp4"), .videoFrame(at: .seconds(1)))
            here.cache.keyFilter = filter
            there.cache.keyFilter = filter
            #expect(try key(here).variant == key(there).variant)
        }

        private struct PathTail: CacheKeyFilter {
            let identifier = "tail"
            func key(for source: ImageSource) -> String? { source.keyText.split(separator: "/").last.map(String.init) }
        }

        @Test func `Only the picture that is shown is scaled, to the size asked for`() async throws {
            let film = try Self.exact { ($0.width, $0.height) = (64, 32) }
            let small = try await manager().image(
                for: ImageRequest(Self.source(film), .videoFrame(at: .seconds(1)), .fit(16, 16)))
            #expect(small.image.size == PixelSize(width: 16, height: 8))
            #expect(gray(small.image) == 120)
        }

        @Test func `Films of telephones are turned`() async throws {
            let writer = FilmWriter(container: "mov", codec: "mpeg4", degrees: 90, colors: [0x404040])
            let bytes = try #require(writer.file())
            #expect(try VideoCoder.info(of: bytes).orientation == .right)
            #expect(try await manager().image(for: Self.source(bytes)).image.size == PixelSize(width: 16, height: 32))
        }

        @Test func `The container tells how long the film is`() throws {
            let duration = try #require(try VideoCoder.info(of: try Self.exact()).duration)
            #expect(duration >= .milliseconds(1900) && duration <= .milliseconds(2100))
        }
    }
#endif
