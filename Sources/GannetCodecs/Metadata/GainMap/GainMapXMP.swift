import GannetCore

/// What XMP says about a gain map: the properties of Adobe and Apple, and the list of the file's parts that Ultra HDR demands in the
/// image's own packet.
enum GainMapXMP {
    static let prefix = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

    private static let adobe = "http://ns.adobe.com/hdr-gain-map/1.0/"
    private static let appleMap = "http://ns.apple.com/HDRGainMap/1.0/"
    private static let appleData = "http://ns.apple.com/pixeldatainfo/1.0/"
    private static let container = "http://ns.google.com/photos/1.0/container/"
    private static let item = "http://ns.google.com/photos/1.0/container/item/"
    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

    // MARK: Reading

    /// The values of simple properties and of lists of them, by name.
    private static func properties(of packet: [UInt8]) -> [XMPScanner.Name: [String]] {
        var scanner = XMPScanner(packet)
        var found: [XMPScanner.Name: [String]] = [:]
        var open: XMPScanner.Name?
        while let token = scanner.next() {
            switch token {
            case .start(let name, let attributes, _, let isEmpty):
                for attribute in attributes { found[attribute.name] = [attribute.value] }
                if [adobe, appleMap, appleData].contains(name.space), !isEmpty {
                    open = name
                    found[name] = []
                }
            case .end(let name, _): if name == open { open = nil }
            case .text(let text):
                let value = text.trimmingSpace
                if let open, !value.isEmpty, found[open, default: []].count < 3 { found[open]?.append(value) }
            }
        }
        return found
    }

    /// Adobe's properties of a map's packet; nil if they are missing, or make no map.
    static func adobeMetadata(in packet: [UInt8]) -> GainMapMetadata? {
        let found = properties(of: packet)
        func values(_ name: String, else value: Double?) -> [Double]? {
            guard let texts = found[.init(adobe, name)] else { return value.map { [$0, $0, $0] } }
            let numbers = texts.compactMap { Double($0) }
            guard numbers.count == texts.count else { return nil }
            return numbers.count == 1 ? [numbers[0], numbers[0], numbers[0]] : numbers.count == 3 ? numbers : nil
        }
        guard found[.init(adobe, "Version")] != nil, let minima = values("GainMapMin", else: 0),
            let maxima = values("GainMapMax", else: nil), let gammas = values("Gamma", else: 1),
            let standard = values("OffsetSDR", else: 1.0 / 64), let high = values("OffsetHDR", else: 1.0 / 64),
            let lowest = values("HDRCapacityMin", else: 0)?.first, let highest = values("HDRCapacityMax", else: nil)?.first
        else { return nil }
        let isBaseHDR = found[.init(adobe, "BaseRenditionIsHDR")]?.first?.lowercased() == "true"
        let channels = (0..<3).map {
            GainMapMetadata.Channel(
                minimum: minima[$0], maximum: maxima[$0], gamma: gammas[$0], baseOffset: isBaseHDR ? high[$0] : standard[$0],
                alternateOffset: isBaseHDR ? standard[$0] : high[$0])
        }
        return GainMapMetadata(
            channels[0], channels[1], channels[2], baseHeadroom: isBaseHDR ? highest : lowest,
            alternateHeadroom: isBaseHDR ? lowest : highest)
    }

    /// Whether a packet is that of Apple's map, and the headroom as a factor, if the packet has it.
    static func appleHeadroom(in packet: [UInt8]) -> (isMap: Bool, headroom: Double?) {
        let found = properties(of: packet)
        let type = found[.init(appleData, "AuxiliaryImageType")]?.first
        return (
            type == "urn:com:apple:photo:2020:aux:hdrgainmap",
            found[.init(appleMap, "HDRGainMapHeadroom")]?.first.flatMap { Double($0) }
        )
    }

    // MARK: Writing

    /// The packet of a map. Its ratios must apply to the primaries of the base: these properties cannot say otherwise.
    static func mapPacket(_ metadata: GainMapMetadata) -> [UInt8] {
        let isBaseHDR = metadata.isBaseHDR
        let numbers: [(String, (GainMapMetadata.Channel) -> Double)] = [
            ("GainMapMin", { $0.minimum }), ("GainMapMax", { $0.maximum }), ("Gamma", { $0.gamma }),
            ("OffsetSDR", { isBaseHDR ? $0.alternateOffset : $0.baseOffset }),
            ("OffsetHDR", { isBaseHDR ? $0.baseOffset : $0.alternateOffset }),
        ]
        var attributes = "hdrgm:Version=\"1.0\""
        var elements = ""
        for (name, value) in numbers {
            let texts = metadata.channels.map { GainMapNumbers.text(value($0)) }
            if Set(texts).count == 1 {
                attributes += " hdrgm:\(name)=\"\(texts[0])\""
            } else {
                let list = texts.map { "<rdf:li>\($0)</rdf:li>" }.joined()
                elements += "<hdrgm:\(name)><rdf:Seq>\(list)</rdf:Seq></hdrgm:\(name)>"
            }
        }
        let (low, high) =
            isBaseHDR
            ? (metadata.alternateHeadroom, metadata.baseHeadroom) : (metadata.baseHeadroom, metadata.alternateHeadroom)
        attributes +=
            " hdrgm:HDRCapacityMin=\"\(GainMapNumbers.text(low))\" hdrgm:HDRCapacityMax=\"\(GainMapNumbers.text(high))\""
        attributes += " hdrgm:BaseRenditionIsHDR=\"\(isBaseHDR ? "True" : "False")\""
        return packet("<rdf:Description rdf:about=\"\" xmlns:hdrgm=\"\(adobe)\" \(attributes)>\(elements)</rdf:Description>")
    }

    /// The packet of an image whose map, of `mapBytes`, stands behind it. `other` is another packet of the image, which goes into it.
    static func imagePacket(mapBytes: Int, joining other: [UInt8]?) -> [UInt8] {
        func part(_ semantic: String, _ more: String) -> String {
            "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"\(semantic)\" Item:Mime=\"image/jpeg\"\(more)/></rdf:li>"
        }
        let parts = part("Primary", "") + part("GainMap", " Item:Length=\"\(mapBytes)\"")
        let description =
            "<rdf:Description rdf:about=\"\" xmlns:Container=\"\(container)\" xmlns:Item=\"\(item)\" xmlns:hdrgm=\"\(adobe)\" "
            + "hdrgm:Version=\"1.0\"><Container:Directory><rdf:Seq>\(parts)</rdf:Seq></Container:Directory></rdf:Description>"
        return other.flatMap { inserting(description, into: $0) } ?? packet(description)
    }

    private static func packet(_ description: String) -> [UInt8] {
        Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(rdf)\">\(description)</rdf:RDF></x:xmpmeta>".utf8)
    }

    // MARK: Changing

    /// The packet without what it says about a gain map and about parts of the file, which another file does not have.
    static func withoutGainMap(_ packet: [UInt8]) -> [UInt8] {
        var scanner = XMPScanner(packet)
        var cuts: [Range<Int>] = []
        // The property that is being cut: its name, where it begins, and how many of that name are open.
        var cut: (name: XMPScanner.Name, start: Int, depth: Int)?
        while let token = scanner.next() {
            switch token {
            case .start(let name, let attributes, let place, let isEmpty):
                if let open = cut {
                    if open.name == name, !isEmpty { cut?.depth += 1 }
                } else if isOfGainMap(name) {
                    if isEmpty { cuts.append(place) } else { cut = (name, place.lowerBound, 1) }
                } else {
                    cuts += attributes.filter { isOfGainMap($0.name) }.map(\.place)
                }
            case .end(let name, let place):
                guard let open = cut, open.name == name else { break }
                cut?.depth -= 1
                if open.depth == 1 {
                    cuts.append(open.start..<place.upperBound)
                    cut = nil
                }
            case .text: break
            }
        }
        var result: [UInt8] = []
        var position = 0
        for range in cuts {
            result += packet[position..<range.lowerBound]
            position = range.upperBound
        }
        return result + packet[position...]
    }

    private static func isOfGainMap(_ name: XMPScanner.Name) -> Bool {
        [adobe, appleMap, item].contains(name.space) || name == .init(container, "Directory")
    }

    /// Nil: the packet is none that could be read to its end.
    private static func inserting(_ description: String, into packet: [UInt8]) -> [UInt8]? {
        var scanner = XMPScanner(packet)
        var place: Int?
        while let token = scanner.next() {
            if case .end(let name, let range) = token, name == .init(rdf, "RDF") { place = range.lowerBound }
        }
        // The names in the description are declared in it, but for this one.
        guard let place, packet[place...].starts(with: "</rdf:RDF".utf8) else { return nil }
        return packet[..<place] + Array(description.utf8) + packet[place...]
    }
}

extension String {
    fileprivate var trimmingSpace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
