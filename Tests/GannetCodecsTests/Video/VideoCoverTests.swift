#if Video && JPEG
    import GannetCore
    import GannetImages
    import GannetTestSupport
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Covers of films as small copies of them. // NW-05
    @Suite struct VideoCoverTests {
        private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            let count = content.count + 8
            return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + Array(type.utf8) + content
        }

        private static func tags(_ images: [[UInt8]], hasVersion: Bool) -> [UInt8] {
            let data = images.flatMap { box("data", [0, 0, 0, 13, 0, 0, 0, 0] + $0) }
            let handler = box("hdlr", [UInt8](repeating: 0, count: 8) + Array("mdirappl".utf8) + [UInt8](repeating: 0, count: 9))
            let version: [UInt8] = hasVersion ? [0, 0, 0, 0] : []
            return box("udta", box("meta", version + handler + box("ilst", box("covr", data))))
        }

        /// A film whose tables, which stand at its end, have these tags too.
        private static func film(_ tags: [UInt8]) throws -> [UInt8] {
            var file = try #require(FilmWriter(width: 64, height: 32, colors: [0xFF0000, 0xFF0000]).file())
            let movie = try #require(ISOBoxes(bytes: file).first("moov"))
            #expect(movie.content.upperBound == file.count)
            let length = file.count - movie.start + tags.count
            for byte in 0..<4 { file[movie.start + byte] = UInt8(truncatingIfNeeded: length >> (24 - 8 * byte)) }
            return file + tags
        }

        private static func jpeg(_ width: Int, _ height: Int) throws -> [UInt8] {
            let image = TestImages.still(try TestImages.gradient(width: width, height: height))
            return try #require(try JPEGCoder().makeEncoder(for: .jpeg, options: EncodeOptions())).encode(image)
        }

        // NW-05
        @Test("The first JPEG or PNG is the cover", arguments: [true, false]) func isFound(hasVersion: Bool) throws {
            let cover = try Self.jpeg(32, 16)
            let file = try Self.film(Self.tags([[1, 2, 3], cover, try Self.jpeg(8, 4)], hasVersion: hasVersion))
            #expect(VideoCoder().embeddedThumbnail(in: ByteRope(file), limits: .standard)?.contiguous() == cover)
            var small = DecodeLimits.standard
            small.maximumMetadataBytes = cover.count
            #expect(VideoCoder().embeddedThumbnail(in: ByteRope(file), limits: small) == nil)
            let plain = try #require(FilmWriter(colors: [0]).file())
            #expect(VideoCoder().embeddedThumbnail(in: ByteRope(plain), limits: .standard) == nil)
        }

        // NW-05
        @Test("It is shown if it has the film's shape, and the film is not asked for at a time") func isShown() throws {
            var decoding = ImageDecoding(coders: CodersManager(BuiltInCoders.all))
            let options = ResolvedDecodeOptions()
            let file = ByteRope(try Self.film(Self.tags([try Self.jpeg(32, 16)], hasVersion: true)))
            let shown = try #require(decoding.embeddedThumbnail(of: file, options, mayBeSmaller: true))
            #expect(shown.size == PixelSize(width: 32, height: 16) && shown.metadata.isPartial)
            #expect(shown.metadata.format == .mp4 && shown.metadata.originalSize == PixelSize(width: 64, height: 32))
            let poster = ByteRope(try Self.film(Self.tags([try Self.jpeg(16, 24)], hasVersion: true)))
            #expect(decoding.embeddedThumbnail(of: poster, options, mayBeSmaller: true) == nil)
            decoding.environment.load.videoTime = .milliseconds(100)
            #expect(decoding.embeddedThumbnail(of: file, options, mayBeSmaller: true) == nil)
        }

        @Test("Every end, and wrong lengths, are survived") func damage() throws {
            let cover = try Self.jpeg(8, 4)
            let file = try Self.film(Self.tags([cover], hasVersion: true))
            let start = try #require(ISOBoxes(bytes: file).first("moov")).start
            for count in 0..<file.count {
                #expect(VideoCoder().embeddedThumbnail(in: ByteRope(Array(file[..<count])), limits: .standard) == nil)
            }
            for place in start..<file.count - cover.count {
                for value: UInt8 in [0, 1, 127, 255] {
                    var bytes = file
                    bytes[place] = value
                    _ = VideoCoder().embeddedThumbnail(in: ByteRope(bytes), limits: .standard)
                }
            }
        }
    }
#endif
