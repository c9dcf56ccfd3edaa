#if JPEG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    /// A JPEG and a gain map, joined by hand: what other programs write, and what nobody should.
    struct UltraHDRFile {
        var image: [UInt8]
        var map: [UInt8]
        /// Segments of the map: XMP or the standard's.
        var mapSegments: [[UInt8]]
        var isBigEndian = true
        /// What the index says; nil: the truth.
        var offset: Int?
        var size: Int?
        /// Entries in the index, of which the last is the map.
        var entries = 2
        /// Other segments of the image, before the index.
        var imageSegments: [[UInt8]] = []

        var bytes: [UInt8] {
            let map = JPEGSamples.inserting(mapSegments, into: map)
            let others = imageSegments.flatMap { $0 }
            let index = segment(map.count, imageEnd: 0).count
            let start = 2 + others.count + 8
            let end = image.count + others.count + index
            let directory = segment(map.count, imageEnd: end - start)
            return Array(image[..<2]) + others + directory + Array(image[2...]) + map
        }

        /// `imageEnd` is where the image ends, from the header of the index on.
        private func segment(_ mapBytes: Int, imageEnd: Int) -> [UInt8] {
            var content: [UInt8] = isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
            content += long(8) + word(2)
            content += word(0xB001) + word(4) + long(1) + long(entries)
            content += word(0xB002) + word(7) + long(entries * 16) + long(38)
            content += long(0)
            for entry in 0..<entries {
                let isMap = entry == entries - 1
                content += long(entry == 0 ? 0x030000 : 0) + long(isMap ? size ?? mapBytes : 0)
                content += long(isMap ? offset ?? imageEnd : 0) + long(0)
            }
            return JPEGSamples.segment(0xE2, Array("MPF\0".utf8) + content)
        }

        private func word(_ value: Int) -> [UInt8] {
            let bytes = [UInt8(value >> 8 & 255), UInt8(value & 255)]
            return isBigEndian ? bytes : bytes.reversed()
        }

        private func long(_ value: Int) -> [UInt8] {
            isBigEndian ? word(value >> 16) + word(value & 0xFFFF) : word(value & 0xFFFF) + word(value >> 16)
        }

        // MARK: Samples

        /// A drawn image with a map of a quarter of its sides; stops grow from 0 at the left to `stops` at the right.
        static func sample(
            _ width: Int = 128, _ height: Int = 96, segments: [[UInt8]] = [xmp(attributes)], isGray: Bool = true
        ) throws -> UltraHDRFile {
            UltraHDRFile(
                image: try JPEGSamples.file(width, height), map: try mapFile(width / 4, height / 4, isGray: isGray),
                mapSegments: segments)
        }

        static let stops = 3.0

        /// Dark at the left and above, bright at the right and below; in three channels blue is constant.
        static func mapPixels(_ width: Int, _ height: Int, isGray: Bool = true) throws -> Bitmap {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height), alpha: .opaque))
            for y in 0..<height {
                var row = buffer.mutableRow(y)
                for x in 0..<width {
                    let value = UInt8((Double(x) + 0.5) / Double(width) * 160 + (Double(y) + 0.5) / Double(height) * 80)
                    (row[x * 4], row[x * 4 + 1], row[x * 4 + 2], row[x * 4 + 3]) = (value, value, isGray ? value : 30, 255)
                }
            }
            return buffer.freeze()
        }

        static func mapFile(_ width: Int, _ height: Int, isGray: Bool = true) throws -> [UInt8] {
            let pixels = try mapPixels(width, height, isGray: isGray)
            let handle = try JPEGEncoderHandle(limit: .max)
            _ = try handle.start(pixels.size, quality: 98, isProgressive: false, isOptimised: false, isGray: isGray)
            _ = try handle.writeRows(of: pixels, 0..<height)
            return try #require(try handle.finish(limit: .max))
        }

        static let attributes =
            "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"3\" hdrgm:HDRCapacityMax='2.5' hdrgm:OffsetSDR=\"0.0\" hdrgm:OffsetHDR=\"0\""

        /// A packet with these properties of Adobe's.
        static func xmp(_ attributes: String, _ elements: String = "") -> [UInt8] {
            packet(
                "<rdf:Description xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\" \(attributes)>\(elements)</rdf:Description>"
            )
        }

        static func packet(_ description: String) -> [UInt8] {
            let text =
                "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n "
                + "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><!-- a > b -->\(description)</rdf:RDF>"
                + "</x:xmpmeta><?xpacket end=\"w\"?>"
            return JPEGSamples.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(text.utf8))
        }

        /// The standard's metadata: flags, then numbers.
        static func iso(version: Int = 0, flags: UInt8, _ numbers: [Int]) -> [UInt8] {
            let longs = numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
            let head: [UInt8] = [UInt8(version >> 8), UInt8(version & 255), 0, 0, flags]
            return JPEGSamples.segment(0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + head + longs)
        }

        func read(limits: DecodeLimits = .standard) -> EncodedGainMap? {
            UltraHDR.gainMap(in: ByteRope(bytes), limits: limits)
        }
    }
#endif
