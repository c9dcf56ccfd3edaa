#if AVIF || HEIC
    /// The brightest light of a file with PQ: the boxes `clli` and `mdcv` (ISO/IEC 14496-12, 12.1.5).
    enum LightLevel {
        /// cd/m²; nil: the file does not say. Of several images, the first level counts.
        static func ofHEIF(_ bytes: [UInt8]) -> Int? {
            let boxes = ISOBoxes(bytes: bytes)
            guard let meta = boxes.first("meta"), meta.content.count > 4,
                let list = boxes.first(["iprp", "ipco"], in: meta.content.lowerBound + 4..<meta.content.upperBound)
            else { return nil }
            let properties = boxes.boxes(in: list.content)
            func number(_ type: String, _ offset: Int, _ count: Int) -> Int? {
                let light = properties.first { $0.type == type }.flatMap { boxes.number(offset, count, in: $0.content) }
                return light == 0 ? nil : light
            }
            // The display's is stored in ten-thousandths, behind eight coordinates.
            return number("clli", 0, 2) ?? number("mdcv", 16, 4).map { max(1, ($0 + 5000) / 10_000) }
        }
    }
#endif
