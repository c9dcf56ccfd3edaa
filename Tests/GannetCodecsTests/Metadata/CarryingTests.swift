#if JPEG && PNG && WebP
    import GannetCore
    import GannetCache
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// EXIF and XMP that are written into a file which was made of another one.
    @Suite("Carrying of metadata") struct CarryingTests {
        static let xmp = Array(
            "<x:xmpmeta tiff:Orientation=\"6\" dc:creator=\"me\"><tiff:Orientation>8</tiff:Orientation></x:xmpmeta>".utf8)

        /// Orientation 6, a directory of the photograph with its size and colours, and a thumbnail.
        static func exif(bigEndian: Bool) -> [UInt8] {
            func word(_ value: Int) -> [UInt8] {
                let (high, low) = (UInt8(value >> 8 & 255), UInt8(value & 255))
                return bigEndian ? [high, low] : [low, high]
            }
            func long(_ value: Int) -> [UInt8] {
                bigEndian ? word(value >> 16) + word(value & 0xFFFF) : word(value & 0xFFFF) + word(value >> 16)
            }
            func entry(_ tag: Int, _ type: Int, _ value: Int) -> [UInt8] {
                word(tag) + word(type) + long(1) + (type == 3 ? word(value) + [0, 0] : long(value))
            }
            // The directories end at 38, 80 and 110.
            let block: [[UInt8]] = [
                bigEndian ? [0x4D, 0x4D] : [0x49, 0x49], word(42), long(8),
                word(2), entry(0x0112, 3, 6), entry(0x8769, 4, 38), long(80),
                word(3), entry(0xA001, 3, 65535), entry(0xA002, 4, 4000), entry(0xA003, 3, 3000), long(0),
                word(2), entry(0x0201, 4, 110), entry(0x0202, 4, 4), long(0), [0xFF, 0xD8, 0xFF, 0xD9], Array("end".utf8),
            ]
            return Array(block.joined())
        }

        @Test(arguments: [false, true]) func theBlockDescribesTheNewPixels(bigEndian: Bool) throws {
            let before = Self.exif(bigEndian: bigEndian)
            let after = EXIF.describing(size: PixelSize(clamping: 300, 200), in: before)
            #expect(EXIF.orientation(in: before) == .right && EXIF.orientation(in: after) == .up)
            let reader = try #require(TIFFDirectoryReader(after))
            let photograph = reader.entries(at: 38).map { reader.integer(of: $0) }
            #expect(photograph == [1, 300, 200])
            #expect(reader.second == nil && after.count == before.count)
            #expect(!after.contains(0xD8) && after.suffix(3) == Array("end".utf8))
        }

        @Test func damagedBlocksAreSurvived() {
            let whole = Self.exif(bigEndian: true)
            let size = PixelSize(clamping: 3, 2)
            for count in 0...whole.count {
                #expect(EXIF.describing(size: size, in: Array(whole.prefix(count))).count == count)
            }
            for index in whole.indices {
                for value: UInt8 in [0, 1, 127, 255] {
                    var bytes = whole
                    bytes[index] = value
                    #expect(EXIF.describing(size: size, in: bytes).count == whole.count)
                }
            }
        }

        private func encoded(_ format: ImageFormat, alpha: Bool = false, quality: Int? = nil) throws -> [UInt8] {
            let pixels = try alpha ? TestImages.discs() : TestImages.gradient()
            let encoding = ImageEncoding(coders: CodersManager(BuiltInCoders.all))
            return try encoding.encode(
                TestImages.still(pixels), options: EncodeOptions(format: format, quality: quality)
            ).bytes.contiguous()
        }

        private func metadata(of file: [UInt8]) throws -> EmbeddedMetadata {
            let bytes = ByteRope(file)
            guard case .found(let coder, let format) = CodersManager(BuiltInCoders.all).match(bytes) else {
                throw ImageError(.notAnImage, "not recognised")
            }
            let decoder = try coder.makeDecoder(
                for: format, options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
            _ = try decoder.read(from: bytes)
            return EmbeddedMetadata(of: file, exif: decoder.exif)
        }

        /// Read back by the format's own decoder, every pixel as before.
        @Test(arguments: [
            (ImageFormat.jpeg, false, nil), (.png, false, nil), (.png, true, nil), (.webp, false, 80), (.webp, true, 80),
            (.webp, false, 100), (.webp, true, 100),
        ])
        func whatIsWrittenIsRead(format: ImageFormat, alpha: Bool, quality: Int?) throws {
            let file = try encoded(format, alpha: alpha, quality: quality)
            #expect(try metadata(of: file).isEmpty)
            var carried = EmbeddedMetadata(of: [], exif: Self.exif(bigEndian: false))
            carried.xmp = Self.xmp
            let result = try carried.added(to: file)
            #expect(try metadata(of: result) == carried)
            #expect(result.count > file.count && result.count <= file.count + carried.addedBytes)
            let decoding = ImageDecoding(coders: CodersManager(BuiltInCoders.all))
            var options = DecodeOptions()
            options.appliesOrientation = false
            let resolved = ResolvedDecodeOptions(options)
            let (before, after) = (
                try decoding.decode(ByteRope(file), options: resolved), try decoding.decode(ByteRope(result), options: resolved)
            )
            #expect(before.bitmap.packedBytes() == after.bitmap.packedBytes() && before.bitmap.layout == after.bitmap.layout)
            #expect(MetadataStripper.strip(result) != .unknown)
        }

        @Test func xmpSaysUpright() throws {
            var carried = EmbeddedMetadata(of: [], exif: nil)
            carried.xmp = Self.xmp
            let text = String(decoding: carried.describing(size: PixelSize(clamping: 1, 1)).xmp ?? [], as: UTF8.self)
            #expect(text.contains("tiff:Orientation=\"1\"") && text.contains("<tiff:Orientation>1<") && text.contains("\"me\""))
        }

        @Test func whatHasNoRoomIsRefused() throws {
            let large = EmbeddedMetadata(of: [], exif: [UInt8](repeating: 1, count: 70_000))
            let jpeg = try encoded(.jpeg)
            #expect(throws: ImageError.self) { try large.added(to: jpeg) }
            #expect(try metadata(of: try large.added(to: try encoded(.png))).exif?.count == 70_000)
            let gif = #expect(throws: ImageError.self) { try large.added(to: Array("GIF89a".utf8)) }
            #expect(gif?.code == .unsupported)
        }

        @Test func damagedFilesHaveNoXMP() throws {
            for format in EmbeddedMetadata.writtenFormats {
                var carried = EmbeddedMetadata(of: [], exif: nil)
                carried.xmp = Self.xmp
                let whole = try carried.added(to: try encoded(format))
                for count in stride(from: 0, to: whole.count, by: 7) {
                    _ = EmbeddedMetadata(of: Array(whole.prefix(count)), exif: nil)
                    _ = try? carried.added(to: Array(whole.prefix(count)))
                }
            }
        }
    }
#endif
