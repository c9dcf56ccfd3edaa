#if JPEG
    import GannetCore
    import GannetImages
    import Testing

    @testable import GannetCodecs

    // NW-01
    /// What stands beside a gain map in a file: EXIF, XMP, colour profiles.
    @Suite("Gain maps and metadata") struct GainMapMetadataTests {
        private static let coders = CodersManager([JPEGCoder()])

        private func written() throws -> [UInt8] {
            let image = try ImageDecoding(coders: Self.coders).decode(ByteRope(try UltraHDRFile.sample().bytes))
            return try ImageEncoding(coders: Self.coders).encode(image).bytes.contiguous()
        }

        private func metadata(xmp: String) -> EmbeddedMetadata {
            let description = Array(UltraHDRFile.packet(xmp).dropFirst(4))
            var metadata = EmbeddedMetadata(of: [], exif: EXIF.block(orientation: .up))
            metadata.xmp = Array(description.dropFirst(GainMapXMP.prefix.count))
            return metadata
        }

        private static let claims =
            "<rdf:Description xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
            + "xmlns:C=\"http://ns.google.com/photos/1.0/container/\" xmlns:I=\"http://ns.google.com/photos/1.0/container/item/\" "
            + "hdrgm:Version=\"1.0\" dc:creator=\"me\"><C:Directory><rdf:Seq><rdf:li><C:Item I:Semantic=\"GainMap\" I:Length=\"7\"/>"
            + "</rdf:li></rdf:Seq></C:Directory><dc:title>A title</dc:title></rdf:Description>"

        @Test func thePacketOfTheSourceSaysNothingOfAnotherMap() throws {
            let described = metadata(xmp: Self.claims).describing(size: PixelSize(clamping: 128, 96))
            let without = String(decoding: try #require(described.xmp), as: UTF8.self)
            #expect(without.contains("dc:creator=\"me\"") && without.contains("<dc:title>A title</dc:title>"))
            #expect(!without.contains("hdrgm:Version") && !without.contains("Semantic") && !without.contains("C:Directory"))
            let file = try described.added(to: try written())
            let packet = String(decoding: try #require(JPEGMetadata.xmp(in: file)), as: UTF8.self)
            #expect(packet.contains("A title") && packet.contains("hdrgm:Version=\"1.0\""))
            let map = try #require(UltraHDR.gainMap(in: ByteRope(file), limits: .standard))
            #expect(packet.contains("Item:Length=\"\(map.bytes.count)\""))
            #expect(file.suffix(map.bytes.count) == map.bytes[...])
            #expect(JPEGSamples.code { _ = try JPEGSamples.decode(file) } == nil)
            #expect(try JPEGSamples.decoder(file).exif == EXIF.block(orientation: .up))
        }

        @Test func packetsThatCannotBeReadAreReplaced() throws {
            var metadata = metadata(xmp: "")
            metadata.xmp = Array("<x:xmpmeta <<< no packet".utf8)
            let file = try metadata.added(to: try written())
            let packet = String(decoding: try #require(JPEGMetadata.xmp(in: file)), as: UTF8.self)
            #expect(packet.contains("GainMap") && !packet.contains("<<<"))
            #expect(UltraHDR.gainMap(in: ByteRope(file), limits: .standard) != nil)
            metadata.xmp = metadata.xmp.map { _ in Array(repeating: 0x20, count: 65_600) }
            #expect(JPEGSamples.code { _ = try metadata.added(to: try written()) } == nil)
        }

        @Test func removedMetadataLeavesTheMap() throws {
            var file = try UltraHDRFile.sample()
            let before = try #require(file.read())
            file.imageSegments = [JPEGSamples.segment(0xE1, EXIF.prefix + EXIF.block(orientation: .right))]
            file.mapSegments.append(JPEGSamples.segment(0xFE, Array("a comment".utf8)))
            guard case .stripped(let bytes) = MetadataStripper.strip(file.bytes) else { return #expect(Bool(false)) }
            let map = try #require(UltraHDR.gainMap(in: ByteRope(bytes), limits: .standard))
            #expect(map.metadata == before.metadata && !bytes.contains(sequence: Array("a comment".utf8)))
            #expect(try JPEGSamples.decode(map.bytes).packedBytes() == JPEGSamples.decode(before.bytes).packedBytes())
            #expect(try JPEGSamples.decoder(bytes).header?.orientation == .right)
        }

        #if ColorManagement
            /// Ratios of single channels are for the primaries of the source; its pixels become sRGB's.
            @Test func ratiosKeepTheirPrimaries() throws {
                let curve = ICCProfileWriter.curve(2.2)
                let profile = ICCProfileWriter(
                    space: "RGB ",
                    tags: [
                        ("rXYZ", ICCProfileWriter.xyz(0.5151, 0.2412, 0)), ("gXYZ", ICCProfileWriter.xyz(0.2919, 0.6922, 0.0419)),
                        ("bXYZ", ICCProfileWriter.xyz(0.1572, 0.0666, 0.783)), ("wtpt", ICCProfileWriter.xyz(0.9642, 1, 0.8249)),
                        ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
                    ]
                ).bytes
                let content = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
                for (isGray, keepsBase) in [(true, true), (false, false)] {
                    var file = try UltraHDRFile.sample(isGray: isGray)
                    file.imageSegments = [JPEGSamples.segment(0xE2, content)]
                    let environment = DecodeEnvironment(colorManager: LCMSColorManager())
                    let image = try ImageDecoding(coders: Self.coders, environment: environment).decode(ByteRope(file.bytes))
                    let bytes = try ImageEncoding(coders: Self.coders).encode(image).bytes.contiguous()
                    let map = try #require(UltraHDR.gainMap(in: ByteRope(bytes), limits: .standard))
                    #expect(map.metadata.usesBaseColors == keepsBase && map.iccProfile == (keepsBase ? [] : profile))
                    // XMP cannot say it, and then says nothing.
                    #expect(
                        (JPEGMetadata.xmp(in: map.bytes) != nil) == keepsBase && (JPEGMetadata.xmp(in: bytes) != nil) == keepsBase
                    )
                    #expect(map.format == .iso)
                }
            }
        #endif
    }

    extension [UInt8] {
        fileprivate func contains(sequence: [UInt8]) -> Bool {
            indices.contains { self[$0...].starts(with: sequence) }
        }
    }
#endif
