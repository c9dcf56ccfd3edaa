import GannetCore
import GannetImages
import Testing

/// Files are made of parts here; no image is in them.
struct ContentCredentialsTests {
    private static func big(_ number: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }

    private static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
        let content = Array(parts.joined())
        return big(8 + content.count) + Array(type.utf8) + content
    }

    /// A superbox of JUMBF, `name` in its description, and 100 bytes of content.
    private static func manifest(_ name: String = "c2pa") -> [UInt8] {
        let rest: [UInt8] = [0x00, 0x11, 0x00, 0x10, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71]
        return box(
            "jumb", box("jumd", Array(name.utf8), rest, [3], Array("c2pa\u{0}".utf8)),
            box("free", [UInt8](repeating: 7, count: 92)))
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big(content.count + 2, 2) + content
    }

    private static func jpeg(_ manifest: [UInt8], after scan: Bool = false) -> [UInt8] {
        let piece = Array("JP".utf8) + [0, 1, 0, 0, 0, 1]
        let other = segment(0xEB, Array("HDR_RI ver=11".utf8)) + segment(0xE1, Array("Exif\u{0}\u{0}".utf8))
        let found = segment(0xEB, piece + manifest)
        let start: [UInt8] = [0xFF, 0xD8]
        let scans = segment(0xDA, [1, 2, 3])
        return Array([start, other, scan ? scans : [], found, scan ? [] : scans].joined())
    }

    private static func png(_ type: String) -> [UInt8] {
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] { big(content.count) + Array(type.utf8) + content + big(0) }
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
        let parts = [chunk("IHDR", [UInt8](repeating: 0, count: 13)), chunk(type, manifest()), chunk("IDAT", [1])]
        return start + Array(parts.joined())
    }

    private static func webp(_ type: String) -> [UInt8] {
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            Array(type.utf8) + big(content.count).reversed() + content + (content.count % 2 == 1 ? [0] : [])
        }
        let parts = Array([chunk("VP8X", [UInt8](repeating: 0, count: 9)), chunk(type, manifest())].joined())
        return Array("RIFF".utf8) + big(parts.count + 4).reversed() + Array("WEBP".utf8) + parts
    }

    private static let name: [UInt8] = [
        0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
    ]

    private static func boxes(_ name: [UInt8]) -> [UInt8] {
        Array([box("ftyp", Array("avif".utf8)), box("uuid", name, manifest()), box("mdat", [1, 2])].joined())
    }

    private static func container() -> [UInt8] {
        Array([box("JXL ", [13, 10, 0x87, 10]), box("jumb", Array(manifest().dropFirst(8))), box("jxlc", [1])].joined())
    }

    private static let size = manifest().count

    private func count(_ bytes: [UInt8]) -> Int { ContentCredentials.byteCount(in: ByteRope(bytes)) }

    @Test func theyAreFound() {
        #expect(count(Self.jpeg(Self.manifest())) == Self.size)
        #expect(count(Self.png("caBX")) == Self.size)
        #expect(count(Self.webp("C2PA")) == Self.size)
        #expect(count(Self.boxes(Self.name)) == Self.size)
        #expect(count(Self.container()) == Self.size)
    }

    @Test func otherPartsAreNone() {
        #expect(count(Self.jpeg(Self.manifest("json"))) == 0)
        #expect(count(Self.jpeg(Self.manifest(), after: true)) == 0)
        #expect(count(Self.png("tEXt")) == 0)
        #expect(count(Self.webp("XMP ")) == 0)
        #expect(count(Self.boxes([UInt8](repeating: 1, count: 16))) == 0)
        #expect(count([]) == 0 && count([0xFF]) == 0)
    }

    /// Ends, and reads nothing beyond the file, wherever that is cut or changed.
    @Test func damageIsHarmless() {
        for file in [Self.jpeg(Self.manifest()), Self.png("caBX"), Self.webp("C2PA"), Self.boxes(Self.name), Self.container()] {
            for end in file.indices { #expect(count(Array(file.prefix(end))) <= Self.size) }
            for index in file.indices {
                for byte: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                    var changed = file
                    changed[index] = byte
                    #expect((0...file.count).contains(count(changed)))
                }
            }
        }
        // A box that ends within its name.
        #expect(count(Self.big(10) + Array("uuid".utf8) + Self.name) == 0)
        let endless = Array(repeatElement(Self.box("free"), count: 5000).joined())
        #expect(count(endless + Self.boxes(Self.name)) == 0)
    }
}
