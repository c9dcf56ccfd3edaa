#if AVIF
    import GannetCore

    /// Puts a gain map beside the image of an AVIF file: an item that is derived from both (`tmap`, ISO/IEC 23008-12), with the metadata
    /// of ISO 21496-1. Readers that do not know it show the image.
    struct AVIFGainMapWriting {
        /// A file with the map alone.
        let map: [UInt8]
        let encoded: EncodedGainMap

        /// Bytes by which a file grows, at most.
        var addedBytes: Int { map.count + encoded.iccProfile.count + 1024 }

        /// `file` is that of a still image. Nil: it has more than that, such as alpha.
        func added(to file: [UInt8]) -> [UInt8]? {
            var writer = HEIFWriter(brands: ["avif", "avif", "mif1", "miaf", "tmap"])
            guard let image = HEIFIndex(file), let map = HEIFIndex(map), image.items.count == 1, map.items.count == 1,
                let base = item(image, &writer), let colors = writer.place(of: colors), var gain = item(map, &writer)
            else { return nil }
            gain.isHidden = true
            let shared = base.properties.filter { ["ispe", "pixi"].contains(type(writer.properties[$0])) }
            let derived = HEIFWriter.Item(
                type: "tmap", properties: shared + [colors], data: [0] + ISOGainMap.content(encoded.metadata))
            writer.items = [base, derived, gain]
            writer.references = [("dimg", 2, [1, 3])]
            writer.alternatives = [2, 1]
            return writer.file()
        }

        /// The one item of a file of libavif.
        private func item(_ index: HEIFIndex, _ writer: inout HEIFWriter) -> HEIFWriter.Item? {
            guard let found = index.items[index.primary],
                let data = index.data(of: index.primary, limit: index.boxes.bytes.count)
            else { return nil }
            var places: [Int] = []
            for property in found.properties.map({ index.properties[$0] }) {
                let box = Array(index.boxes.bytes[property.start..<property.content.upperBound])
                guard let place = writer.place(of: box) else { return nil }
                places.append(place)
            }
            return HEIFWriter.Item(type: found.type, properties: places, data: data)
        }

        private func type(_ box: [UInt8]) -> String { String(decoding: box[4..<8], as: UTF8.self) }

        /// Those of the brighter image: the primaries of the base and PQ, or the profile that its ratios are for.
        private var colors: [UInt8] {
            if !encoded.metadata.usesBaseColors { return HEIFWriter.box("colr", Array("prof".utf8) + encoded.iccProfile) }
            let points = HEIFWriter.word(1) + HEIFWriter.word(16) + HEIFWriter.word(6)
            return HEIFWriter.box("colr", Array("nclx".utf8) + points + [0x80])
        }
    }
#endif
