extension EmbeddedMetadata {
    /// Only the author and the owner: artist and copyright of EXIF, creator and rights of XMP.
    package var copyright: EmbeddedMetadata {
        var result = self
        result.exif = exif.flatMap { EXIF.copyright(in: $0) }
        result.xmp = xmp.flatMap(Self.rights)
        return result
    }

    /// A packet with those elements alone; nil if there are none.
    private static func rights(in xmp: [UInt8]) -> [UInt8]? {
        let names = ["dc:creator", "dc:rights", "xmpRights:UsageTerms", "xmpRights:WebStatement"]
        let elements = names.compactMap { element($0, in: xmp) }
        if elements.isEmpty { return nil }
        let start =
            "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>"
            + "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about=''"
            + " xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:xmpRights='http://ns.adobe.com/xap/1.0/rights/'>"
        let end = "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='r'?>"
        return Array(start.utf8) + elements.joined() + Array(end.utf8)
    }

    /// From its first tag to its last one. Elements with other prefixes inside than `rdf`, which the new packet would not explain, are left
    /// out.
    private static func element(_ name: String, in xmp: [UInt8]) -> [UInt8]? {
        guard let start = xmp.firstRange(of: Array("<\(name)".utf8)),
            let end = xmp[start.upperBound...].firstRange(of: Array("</\(name)>".utf8))
        else { return nil }
        let inside = xmp[start.upperBound..<end.lowerBound]
        let first = inside.first ?? 0
        guard first == UInt8(ascii: ">") || first == 0x20 || first == 0x0A || first == 0x0D || first == 0x09 else { return nil }
        for part in inside.split(separator: UInt8(ascii: "<")).dropFirst(inside.first == UInt8(ascii: "<") ? 0 : 1) {
            let tag = part.first == UInt8(ascii: "/") ? part.dropFirst() : part
            guard tag.starts(with: Array("rdf:".utf8)) else { return nil }
        }
        return Array(xmp[start.lowerBound..<end.upperBound])
    }
}

extension EXIF {
    /// A block with the artist (tag 0x013B) and the copyright (0x8298) of another one, at most 64 KiB each; nil if it has neither. Big-endian.
    package static func copyright(in tiff: [UInt8]) -> [UInt8]? {
        guard let reader = TIFFDirectoryReader(tiff) else { return nil }
        var texts: [(tag: Int, text: [UInt8])] = []
        for tag in [0x013B, 0x8298] {
            let entry = reader.entries(at: reader.firstDirectory).first { $0.tag == tag && $0.type == 2 && $0.count > 0 }
            guard let entry else { continue }
            let inside = entry.position + 8..<entry.position + 8 + min(entry.count, 4)
            guard let range = entry.count > 4 ? reader.externalValue(of: entry) : inside, range.count <= 1 << 16 else { continue }
            texts.append((tag, Array(tiff[range])))
        }
        if texts.isEmpty { return nil }
        func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
        func long(_ value: Int) -> [UInt8] { word(value >> 16) + word(value) }
        var (directory, values) = (word(texts.count), [UInt8]())
        let valuesStart = 8 + 2 + texts.count * 12 + 4
        for (tag, text) in texts {
            directory += word(tag) + word(2) + long(text.count)
            if text.count > 4 {
                directory += long(valuesStart + values.count)
                values += text + (text.count.isMultiple(of: 2) ? [] : [0])
            } else {
                directory += text + [UInt8](repeating: 0, count: 4 - text.count)
            }
        }
        return [0x4D, 0x4D, 0, 42] + long(8) + directory + long(0) + values
    }
}
