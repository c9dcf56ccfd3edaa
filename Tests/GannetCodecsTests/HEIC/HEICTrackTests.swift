#if HEIC
    import GannetCore
    import GannetCache
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Tracks put together by hand: what the boxes say, and where they lie (U-05).
    @Suite("Tracks of HEIC files") struct HEICTrackTests {
        private let files = WritingCoder(coder: HEICCoder(), effort: 0)

        private func coded(_ bitmap: Bitmap) throws -> PictureFileWriter.Item {
            let options = EncodeOptions(quality: 100, effort: 0)
            return try #require(PictureFileWriter.item("hvc1", of: files.file(TestImages.still(bitmap), options)))
        }

        private func pictures(_ count: Int) throws -> [Bitmap] {
            try (0..<count).map { try TestImages.noise(width: 64, height: 64, seed: UInt64($0 + 1)) }
        }

        private func writer(_ pictures: [Bitmap]) throws -> TrackFileWriter {
            TrackFileWriter(try pictures.map(coded), pictures[0].width, pictures[0].height)
        }

        private func track(_ bytes: [UInt8], _ limits: DecodeLimits = .standard) throws(ImageError) -> HEICTrack? {
            try HEICTrack(ISOBoxes(bytes: bytes), isComplete: true, limits: limits)
        }

        private func code(_ bytes: [UInt8], _ limits: DecodeLimits = .standard) -> ImageError.Code? {
            do throws(ImageError) {
                _ = try track(bytes, limits)
                return nil
            } catch { return error.code }
        }

        private func shown(_ bytes: [UInt8]) throws -> DecodedImage {
            try ImageDecoding(coders: CodersManager([HEICCoder()])).decode(ByteRope(bytes), options: ResolvedDecodeOptions())
        }

        private func expectSame(_ bitmap: Bitmap, _ wanted: Bitmap) {
            let largest = zip(bitmap.packedBytes(), wanted.packedBytes()).map { abs(Int($0) - Int($1)) }.max()
            #expect(largest ?? 255 <= 1)
        }

        // MARK: - What is shown

        /// As libavif decides it for AVIF. An older libheif shows the first image of all of them.
        @Test("The major brand decides between the image and the sequence", arguments: ["msf1", "hevc", "heic", "mif1"])
        func choice(brand: String) throws {  // FM-06
            let pictures = try pictures(4)
            var file = try writer(Array(pictures[1...]))
            file.still = try coded(pictures[0])
            file.brand = brand
            let image = try shown(file.bytes)
            let isSequence = HEICSample.isSupported && ["msf1", "hevc"].contains(brand)
            #expect(image.frameCount == (isSequence ? 3 : 1))
            expectSame(image.bitmap, pictures[isSequence ? 1 : 0])
        }

        @Test("A file without items is a sequence", .enabled(if: HEICSample.isSupported, "libheif 1.21 reads sequences"))
        func withoutItems() throws {
            let pictures = try pictures(3)
            var file = try writer(pictures)
            file.brand = "heic"
            expectSame(try shown(file.bytes).bitmap, pictures[0])
            #expect(try shown(file.bytes).frameCount == 3)
        }

        @Test("A track of one frame is a still image", .enabled(if: HEICSample.isSupported, "libheif 1.21 reads sequences"))
        func oneFrame() throws {
            let pictures = try pictures(1)
            let image = try shown(try writer(pictures).bytes)
            #expect(!image.isAnimated)
            expectSame(image.bitmap, pictures[0])
        }

        @Test("Deep samples", .enabled(if: HEICSample.isSupported, "libheif 1.21 reads sequences"))
        func deep() throws {
            let ramp = try coded(try DeepPictures.ramp(width: 64, height: 64))
            let bytes = TrackFileWriter([ramp, ramp], 64, 64).bytes
            #expect(try files.header(bytes).bitDepth == 10)
            for keeps in [true, false] {
                for frame in [1, 0] {
                    let picture = try files.decode(bytes, frame: frame) { $0.keeps16Bit = keeps }
                    #expect(DeepPictures.largestError(picture) <= (keeps ? 0.126 : 0.63))
                }
            }
        }

        // MARK: - Tables

        @Test("Times in the order of display") func times() throws {
            var file = try writer(try pictures(4))
            file.times = [[1, 5], [2, 7], [1, 9]]
            #expect(try track(file.bytes)?.delays == [50, 70, 70, 90].map { .milliseconds($0) })
            // Shown at 0, 20, 10 and 30 hundredths.
            file.times = [[4, 10]]
            file.offsets = [[1, 0], [1, 10], [1, -10], [1, 0]]
            #expect(try track(file.bytes)?.delays == [Duration](repeating: .milliseconds(100), count: 4))
            // At 0, 25, 5 and 30.
            file.offsets = [[1, 0], [1, 15], [1, -15], [1, 0]]
            #expect(try track(file.bytes)?.delays == [50, 200, 50, 100].map { .milliseconds($0) })
        }

        @Test("Frames in several chunks") func chunks() throws {
            let pictures = try pictures(4)
            var file = try writer(pictures)
            let lengths = file.frames.map(\.data.count)
            file.groups = [[1, 1, 1], [3, 2, 1]]
            file.chunks = [0, lengths[0], lengths[0] + lengths[1]]
            let samples = try #require(try track(file.bytes)).colors.samples
            #expect(
                samples.map(\.count) == lengths && zip(samples, samples.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound }
            )
            guard HEICSample.isSupported else { return }
            for (index, picture) in pictures.enumerated() { expectSame(try files.decode(file.bytes, frame: index), picture) }
        }

        @Test("Tables that contradict each other are damaged") func lies() throws {
            let file = try writer(try pictures(4))
            func code(_ change: (inout TrackFileWriter) -> Void) -> ImageError.Code? {
                var changed = file
                change(&changed)
                return self.code(changed.bytes)
            }
            #expect(code { _ in } == nil)
            #expect(code { $0.count = 5 } == .corrupt)
            #expect(code { $0.count = 3 } == .corrupt)
            #expect(code { $0.count = 1 << 31 } == .limitExceeded)
            #expect(code { $0.times = [[5, 5]] } == .corrupt)
            #expect(code { $0.times = [[0xFFFF_FFFF, 5], [5, 5]] } == .corrupt)
            #expect(code { $0.offsets = [[3, 5]] } == .corrupt)
            // Groups of chunks: beyond the frames, too few, empty, not from the first, backwards, of a kind that is not there.
            for groups in [
                [[1, 5, 1]], [[1, 3, 1]], [[1, 0, 1]], [[2, 4, 1]], [[1, 2, 1], [1, 2, 1]], [[1, 4, 2]], [[1, 4, 0]], [],
            ] {
                #expect(code { $0.groups = groups } == .corrupt, "\(groups)")
            }
            #expect(code { $0.chunks = [] } == .corrupt)
            #expect(code { $0.chunks = [Int](repeating: 0, count: 5) } == .corrupt)
            // Beyond the end, and the same bytes in all chunks.
            #expect(code { $0.chunks = [10_000_000] } == .truncated)
            #expect(code { $0.size = (64, 65) } == nil, "the frames are compared with it later")
        }

        @Test("Frames of another size than the track's are refused") func otherSizes() throws {
            let small = try coded(try TestImages.noise(width: 64, height: 64))
            var file = TrackFileWriter([small, small], 64, 65)
            if HEICSample.isSupported {
                let error = #expect(throws: ImageError.self) { try files.decode(file.bytes) }
                #expect(error?.code == .corrupt)
            }
            // A larger one among the data: its parameter set comes with it.
            let large = try coded(try TestImages.noise(width: 640, height: 480))
            let configuration = try #require(large.properties.first { Array($0[4..<8]) == Array("hvcC".utf8) })
            var units: [UInt8] = []
            try HEVCUnits.ofConfiguration(0..<configuration.count - 8, ISOBoxes(bytes: Array(configuration[8...]))) {
                (unit) throws(ImageError) in units += PictureFileWriter.number(unit.count, 4) + unit
            }
            var second = small
            second.data = units + large.data
            file = TrackFileWriter([small, second], 64, 64)
            #expect(code(file.bytes) == .corrupt)
        }

        @Test("A size behind the track's claim is seen") func largeSets() throws {
            var item = try coded(try TestImages.noise(width: 640, height: 480))
            item.data = [0, 0, 0, 1, 0]
            let bytes = TrackFileWriter([item, item], 64, 64).bytes
            let track = try #require(try track(bytes))
            #expect(try HEICSizes.largestArea(bytes, and: track.sets) > 500 * 400)
            var options = DecodeOptions()
            options.limits = DecodeLimits(maximumPixels: 10_000)
            guard HEICSample.isSupported else { return }
            let error = #expect(throws: ImageError.self) {
                try ImageDecoding(coders: CodersManager([HEICCoder()])).decode(
                    ByteRope(bytes), options: ResolvedDecodeOptions(options))
            }
            #expect(error?.code == .limitExceeded)
        }

        @Test("The library sees only what was checked") func hidden() throws {
            var file = try writer(try pictures(2))
            file.properties = PictureFileWriter.box("colr", Array("nclx".utf8) + [0, 12, 0, 13, 0, 6, 0x80])
            file.edits = PictureFileWriter.box("edts", PictureFileWriter.box("elst", [UInt8](repeating: 0, count: 8)))
            let bytes = file.bytes
            let track = try #require(try track(bytes))
            #expect(track.cicp == CICP(primaries: 12, transfer: 13, matrix: 6, isFullRange: true))
            let seen = ISOBoxes(bytes: HEICView.of(track, bytes))
            let trak = try #require(seen.first("moov", "trak")).content
            #expect(seen.boxes(in: trak).map(\.type) == ["tkhd", "free", "mdia"])
            #expect(seen.bytes.count == bytes.count && seen.bytes.firstRange(of: Array("colr".utf8)) == nil)
            let items = ISOBoxes(bytes: HEICView.ofItems(bytes))
            #expect(items.first("moov") == nil && items.bytes.firstRange(of: Array("msf1".utf8)) == nil)
        }
    }
#endif
