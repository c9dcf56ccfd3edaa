import GannetCore
import Testing

@testable import GannetCodecs

/// What is left of metadata if only the rights stay.
@Suite("Copyright alone") struct CopyrightMetadataTests {
    /// Software, artist and copyright; texts of up to four bytes lie in the directory.
    private static func exif(bigEndian: Bool, artist: String, copyright: String) -> [UInt8] {
        func word(_ value: Int) -> [UInt8] {
            let bytes = [UInt8(value >> 8 & 255), UInt8(value & 255)]
            return bigEndian ? bytes : bytes.reversed()
        }
        func long(_ value: Int) -> [UInt8] {
            bigEndian ? word(value >> 16) + word(value & 0xFFFF) : word(value & 0xFFFF) + word(value >> 16)
        }
        var (directory, values) = (word(3), [UInt8]())
        for (tag, text) in [(0x0131, "software"), (0x013B, artist), (0x8298, copyright)] {
            let bytes = Array(text.utf8) + [0]
            directory += word(tag) + word(2) + long(bytes.count)
            if bytes.count > 4 {
                directory += long(8 + 2 + 36 + 4 + values.count)
                values += bytes
            } else {
                directory += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
            }
        }
        return (bigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + word(42) + long(8) + directory + long(0) + values
    }

    private static func texts(_ block: [UInt8]) throws -> [Int: String] {
        let reader = try #require(TIFFDirectoryReader(block))
        var texts: [Int: String] = [:]
        for entry in reader.entries(at: reader.firstDirectory) {
            let range = reader.externalValue(of: entry) ?? entry.position + 8..<entry.position + 8 + entry.count
            texts[entry.tag] = String(decoding: block[range].dropLast(), as: UTF8.self)
        }
        return texts
    }

    @Test("Artist and copyright stay, short or long", arguments: [false, true], ["me", "someone else", "odd"])
    func exif(bigEndian: Bool, name: String) throws {
        let block = Self.exif(bigEndian: bigEndian, artist: name, copyright: "all " + name)
        let kept = try #require(EXIF.copyright(in: block))
        #expect(try Self.texts(kept) == [0x013B: name, 0x8298: "all " + name])
        #expect(EXIF.copyright(in: EXIF.block(orientation: .right)) == nil)
    }

    @Test("Damaged blocks are survived") func damage() {
        let whole = Self.exif(bigEndian: true, artist: "someone", copyright: "everyone")
        for count in 0...whole.count { _ = EXIF.copyright(in: Array(whole.prefix(count))) }
        for index in whole.indices {
            for value: UInt8 in [0, 1, 127, 255] {
                var bytes = whole
                bytes[index] = value
                #expect((EXIF.copyright(in: bytes)?.count ?? 0) <= 2 * whole.count)
            }
        }
    }

    private static func copyright(_ inside: String) -> EmbeddedMetadata {
        var metadata = EmbeddedMetadata(of: [], exif: nil)
        metadata.xmp = xmp(inside)
        return metadata.copyright
    }

    private static func xmp(_ inside: String) -> [UInt8] {
        Array("<x:xmpmeta><rdf:RDF><rdf:Description>\(inside)</rdf:Description></rdf:RDF></x:xmpmeta>".utf8)
    }

    @Test("Creator and rights stay, and no place") func packet() throws {
        let rights = "<dc:rights><rdf:Alt><rdf:li xml:lang=\"x-default\">all mine</rdf:li></rdf:Alt></dc:rights>"
        let inside =
            "<exif:GPSLatitude>51,30N</exif:GPSLatitude>\(rights)<dc:creator><rdf:Seq><rdf:li>me</rdf:li></rdf:Seq></dc:creator>"
        let metadata = Self.copyright(inside)
        let text = String(decoding: try #require(metadata.xmp), as: UTF8.self)
        #expect(text.contains(rights) && text.contains("<rdf:li>me</rdf:li>") && !text.contains("GPS"))
        #expect(text.hasPrefix("<?xpacket begin") && text.hasSuffix("<?xpacket end='r'?>"))
    }

    @Test(
        "What the new packet could not explain is left out",
        arguments: [
            "<dc:title>a</dc:title>", "<dc:rights><my:thing>a</my:thing></dc:rights>", "<dc:rights>a",
            "<dc:rightsOf>a</dc:rights>",
            "<dc:rights><![CDATA[a]]></dc:rights>", "dc:rights",
        ])
    func otherPackets(inside: String) {
        #expect(Self.copyright(inside).isEmpty)
    }
}
