#if AVIF && HEIC
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// The thumbnail of a file of the HEIF family in the place of its image.
    @Suite("Thumbnails inside of files") struct EmbeddedThumbnailTests {
        static let formats: [ImageFormat] = [.avif, .heic]

        private static func coder(_ format: ImageFormat) -> any ImageCoder { format == .avif ? AVIFCoder() : HEICCoder() }

        private func item(_ format: ImageFormat, _ width: Int, _ height: Int) throws -> PictureFileWriter.Item {
            let image = TestImages.still(try TestImages.gradient(width: width, height: height))
            let encoder = try #require(
                try Self.coder(format).makeEncoder(for: format, options: EncodeOptions(format: format, effort: 0)))
            return try #require(PictureFileWriter.item(format == .avif ? "av01" : "hvc1", of: try encoder.encode(image)))
        }

        private func file(_ format: ImageFormat, thumbnailOf image: Int) throws -> [UInt8] {
            var thumbnail = try item(format, 64, 64)
            thumbnail.references = [("thmb", [image])]
            let items = [try item(format, 192, 96), try item(format, 128, 64), thumbnail]
            return PictureFileWriter(brand: format == .avif ? "avif" : "heic", items: items).bytes
        }

        private func size(_ format: ImageFormat, _ bytes: [UInt8]) throws -> PixelSize {
            try ImageDecoding(coders: CodersManager([Self.coder(format)])).decode(ByteRope(bytes)).bitmap.size
        }

        // NW-05
        @Test("It is decoded instead", arguments: EmbeddedThumbnailTests.formats) func isDecoded(format: ImageFormat) throws {
            let whole = try file(format, thumbnailOf: 1)
            let promoted = try #require(EmbeddedThumbnail.promoted(in: whole))
            #expect(try size(format, whole) == PixelSize(clamping: 192, 96))
            #expect(try size(format, promoted) == PixelSize(clamping: 64, 64))
            #expect(promoted.count == whole.count)
        }

        @Test("That of another image, and none, change nothing", arguments: EmbeddedThumbnailTests.formats) func isOfTheImage(
            format: ImageFormat
        ) throws {
            #expect(EmbeddedThumbnail.promoted(in: try file(format, thumbnailOf: 2)) == nil)
            #expect(EmbeddedThumbnail.promoted(in: try file(format, thumbnailOf: 3)) == nil)
            let plain = PictureFileWriter(brand: "avif", items: [try item(format, 64, 64)]).bytes
            #expect(EmbeddedThumbnail.promoted(in: plain) == nil)
            #expect(EmbeddedThumbnail.promoted(in: []) == nil)
            #expect(EmbeddedThumbnail.promoted(in: [UInt8](repeating: 0xFF, count: 99)) == nil)
        }

        /// Every end, and wrong numbers in every place: another number of the primary item, and another name of the reference, at the most.
        @Test("Damaged tables are survived") func damage() throws {
            let whole = try file(.heic, thumbnailOf: 1)
            let tables = try #require(ISOBoxes(bytes: whole).first("meta")).content.upperBound
            for count in 0...tables { _ = EmbeddedThumbnail.promoted(in: Array(whole.prefix(count))) }
            for index in 0..<tables {
                for value: UInt8 in [0, 1, 127, 255] {
                    var bytes = whole
                    bytes[index] = value
                    guard let promoted = EmbeddedThumbnail.promoted(in: bytes) else { continue }
                    #expect(promoted.count == bytes.count && zip(promoted, bytes).count { $0 != $1 } <= 8)
                }
            }
        }
    }
#endif
