#if AVIF || HEIC
    import GannetCore
    import GannetKernels

    /// The gain map of a HEIC or AVIF file: an image of which, and of the shown one, a third is derived (`tmap`), with the metadata of ISO
    /// 21496-1; or Apple's auxiliary image. It is handed on as a file of its own.
    enum HEIFGainMap {
        private static let appleType = Array("urn:com:apple:photo:2020:aux:hdrgainmap".utf8)
        /// Longer ones are of no map.
        private static let mostMetadata = 1 << 16
        /// Items of one kind that are looked at. Real files have one of each, and two lists of thousands would be gone through together.
        private static let mostItems = 8
        /// Profiles that only name primaries have a few hundred; those of printers have more, and name none.
        private static let mostProfile = 1 << 20

        /// `isUpright`: the decoder turns pixels as the file says.
        static func gainMap(in file: ByteRope, limits: DecodeLimits, isUpright: Bool) -> EncodedGainMap? {
            guard file.isComplete, let index = HEIFIndex(file.contiguous()) else { return nil }
            guard let found = derived(index) ?? auxiliary(index) else { return nil }
            let turns = index.turns(of: found.item) ?? index.turns(of: index.primary) ?? []
            // What does not turn pixels does not cut them either.
            guard var size = index.size(of: found.item), isUpright || index.property("clap", of: found.item) == nil else {
                return nil
            }
            if isUpright, index.swapsSides(turns) { size = size.transposed }
            guard (try? limits.check(size: size, allocating: PixelLayout(size: size))) != nil,
                let bytes = HEIFItemFile.file(of: found.item, in: index, turns: turns), isHonest(bytes, size)
            else { return nil }
            return EncodedGainMap(
                bytes: bytes, size: size, isGray: index.isGray(found.item), metadata: found.metadata, format: found.format,
                iccProfile: found.profile, recoding: found.recoding)
        }

        /// Memory for the map is reserved by its size, and the decoder takes it for the coded images. Blocks, tiles and what is cut off may
        /// make them larger; libavif's decoder is told as much.
        private static func isHonest(_ file: [UInt8], _ size: PixelSize) -> Bool {
            #if HEIC
                guard let largest = try? HEICSizes.largestArea(file) else { return false }
                return largest <= max(4 * size.area, 1 << 20)
            #else
                return true
            #endif
        }

        private struct Found {
            var item: Int
            var metadata: GainMapMetadata
            var format: GainMapFormat
            /// Of the alternate rendition.
            var profile: [UInt8] = []
            var recoding: [UInt8]?
        }

        private static func derived(_ index: HEIFIndex) -> Found? {
            let derived = index.distinct("dimg", to: index.primary).lazy.filter { index.items[$0.from]?.type == "tmap" }
            for reference in derived.prefix(mostItems) {
                guard reference.to.count == 2, reference.to[0] == index.primary, reference.to[1] != index.primary,
                    // A version stands before the metadata.
                    let data = index.data(of: reference.from, limit: mostMetadata), data.first == 0,
                    let metadata = ISOGainMap.read(data.dropFirst())
                else { continue }
                let profile = index.profile(of: reference.from, limit: mostProfile)
                if profile.isEmpty, !metadata.usesBaseColors, let primaries = index.primaries(of: reference.from) {
                    return named(primaries, Found(item: reference.to[1], metadata: metadata, format: .iso), index)
                }
                return Found(item: reference.to[1], metadata: metadata, format: .iso, profile: profile)
            }
            return nil
        }

        /// Ratios for the primaries that a number of H.273 names, which become those of a profile. Nil: they are not known, and matter.
        private static func named(_ primaries: Int, _ found: Found, _ index: HEIFIndex) -> Found? {
            var found = found
            if let matrix = LightMatrix(primaries: primaries) {
                let numbers = LightMatrix.fromD50.inverse.after(matrix).numbers
                let columns = (0..<3).map { SIMD3(numbers[$0], numbers[$0 + 3], numbers[$0 + 6]) }
                found.profile = ProfileWriter.profile(red: columns[0], green: columns[1], blue: columns[2])
                return found
            }
            return index.isGray(found.item) && found.metadata.hasEqualChannels ? found : nil
        }

        private static func auxiliary(_ index: HEIFIndex) -> Found? {
            // A portrait has many others.
            let ofApple = index.distinct("auxl", to: index.primary).lazy.filter { isOfApple($0.from, index) }
            for reference in ofApple.prefix(mostItems) {
                guard let headroom = headroom(of: reference.from, index), let metadata = AppleGainMap.metadata(headroom: headroom)
                else { continue }
                return Found(
                    item: reference.from, metadata: metadata, format: .apple,
                    recoding: AppleGainMap.recoding(headroom: headroom))
            }
            return nil
        }

        private static func isOfApple(_ item: Int, _ index: HEIFIndex) -> Bool {
            guard let kind = index.property("auxC", of: item), kind.count >= 4 else { return false }
            // Thousands of items may share a text of megabytes.
            let text = index.boxes.bytes[kind.dropFirst(4).prefix(appleType.count + 1)]
            return text.prefix { $0 != 0 }.elementsEqual(appleType)
        }

        /// In the map's own XMP, or in the notes of the camera in the image's EXIF.
        private static func headroom(of item: Int, _ index: HEIFIndex) -> Double? {
            func described(_ type: String, _ item: Int) -> some Sequence<[UInt8]> {
                index.distinct("cdsc", to: item).lazy.filter { index.items[$0.from]?.type == type }.prefix(mostItems)
                    .compactMap { index.data(of: $0.from, limit: mostMetadata) }
            }
            for data in described("mime", item) {
                if let headroom = GainMapXMP.appleHeadroom(in: data).headroom { return headroom }
            }
            for data in described("Exif", index.primary) where data.count > 4 {
                // Four bytes say where the TIFF header is.
                let offset = data[0..<4].reduce(0) { $0 << 8 | Int($1) }
                guard offset < data.count - 4 else { continue }
                let block = EXIF.strippingPrefix(Array(data[(4 + offset)...]))
                if let headroom = AppleGainMap.headroom(exif: block) { return headroom }
            }
            return nil
        }
    }

    extension HEIFIndex {
        /// As stored (`ispe`), or of the part that is shown (`clap`).
        fileprivate func size(of item: Int) -> PixelSize? {
            if let range = property("clap", of: item) {
                let numbers = [0, 4, 8, 12].compactMap { boxes.number($0, 4, in: range) }
                guard numbers.count == 4, numbers[1] > 0, numbers[3] > 0 else { return nil }
                return PixelSize(width: numbers[0] / numbers[1], height: numbers[2] / numbers[3])
            }
            guard let range = property("ispe", of: item), let width = boxes.number(4, 4, in: range),
                let height = boxes.number(8, 4, in: range)
            else { return nil }
            return PixelSize(width: width, height: height)
        }

        /// Nil: it says nothing.
        fileprivate func turns(of item: Int) -> [Int]? {
            let found = items[item]?.properties.filter { ["irot", "imir"].contains(properties[$0].type) } ?? []
            return found.isEmpty ? nil : found
        }

        fileprivate func swapsSides(_ turns: [Int]) -> Bool {
            turns.contains { properties[$0].type == "irot" && (boxes.number(0, 1, in: properties[$0].content) ?? 0) & 1 == 1 }
        }

        /// One channel: by `pixi`, or by what the coded image says.
        fileprivate func isGray(_ item: Int) -> Bool {
            if let range = property("pixi", of: item), let count = boxes.number(4, 1, in: range) { return count == 1 }
            let coded = references("dimg", from: item).first ?? item
            if let range = property("av1C", of: coded) { return (boxes.number(2, 1, in: range) ?? 0) & 0x10 != 0 }
            return property("hvcC", of: coded).flatMap { boxes.number(16, 1, in: $0) }.map { $0 & 3 == 0 } ?? false
        }

        /// By their number in H.273. Nil: it says nothing of them.
        fileprivate func primaries(of item: Int) -> Int? {
            for place in items[item]?.properties ?? [] where properties[place].type == "colr" {
                let content = properties[place].content
                guard content.count >= 6, boxes.bytes[content.prefix(4)].elementsEqual("nclx".utf8) else { continue }
                return boxes.number(4, 2, in: content).flatMap { $0 == 2 ? nil : $0 }
            }
            return nil
        }

        /// Empty: none, or a longer one.
        fileprivate func profile(of item: Int, limit: Int) -> [UInt8] {
            for place in items[item]?.properties ?? [] where properties[place].type == "colr" {
                let content = properties[place].content
                guard content.count > 4 else { continue }
                let kind = String(decoding: boxes.bytes[content.prefix(4)], as: UTF8.self)
                if kind == "prof" || kind == "rICC" {
                    return content.count - 4 <= limit ? Array(boxes.bytes[content.dropFirst(4)]) : []
                }
            }
            return []
        }
    }
#endif
