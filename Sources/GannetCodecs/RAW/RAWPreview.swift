#if RAW
    import GannetCore

    /// The JPEG that a camera puts into its raw files, often as large as the image.
    enum RAWPreview {
        /// The largest one of a raw file, as a file of its own that has the raw file's orientation; nil if there is none, or this is no
        /// raw file. LibRaw is not asked. O(n) for the copy.
        static func jpeg(in file: [UInt8]) -> [UInt8]? {
            guard case .yes = RAWSignature.recognize(file.span.extracting(first: 4096)) else { return nil }
            let structure = RAWStructure(file)
            let found = structure.previews.filter { isImage(file, $0) }.max { $0.count < $1.count }
            guard let found else { return nil }
            let jpeg = Array(file[found])
            guard RAWStructure.exif(ofJPEG: jpeg) == nil, let orientation = structure.orientation else { return jpeg }
            let exif = JPEGSegments.segment(0xE1, EXIF.prefix + EXIF.block(orientation: orientation))
            return Array(jpeg.prefix(2)) + exif + Array(jpeg.dropFirst(2))
        }

        /// A JPEG of the kinds that are shown. Sensors are stored as lossless ones.
        private static func isImage(_ file: [UInt8], _ range: Range<Int>) -> Bool {
            guard range.lowerBound >= 0, range.upperBound <= file.count, file[range].starts(with: [0xFF, 0xD8, 0xFF]) else {
                return false
            }
            let frame = JPEGSegments(ByteRope(Array(file[range]))).first {
                (0xC0...0xCF).contains($0.marker) && ![0xC4, 0xC8, 0xCC].contains($0.marker)
            }
            return frame.map { (0xC0...0xC2).contains($0.marker) } ?? false
        }
    }

    extension RAWStructure {
        /// Of the image; nil if the file does not say.
        fileprivate var orientation: Orientation? {
            switch shape {
            case .tiff(let reader):
                let entry = reader.entries(at: reader.firstDirectory).first { $0.tag == 0x0112 }
                return entry.flatMap(reader.integer).flatMap { Orientation(rawValue: $0) }
            case .boxes(let boxes): return Self.main(of: boxes).flatMap { EXIF.orientation(in: $0) }
            case .parts, .unknown: return nil
            }
        }

        /// Where the file says that JPEGs are.
        fileprivate var previews: [Range<Int>] {
            switch shape {
            case .tiff(let reader): directories(reader).all.flatMap { Self.previews(of: $0) }
            case .parts(let jpeg, _): [jpeg]
            case .boxes(let boxes): boxes.topLevel.compactMap { Self.preview(of: $0, boxes) }
            case .unknown: []
            }
        }

        private static func previews(of directory: Directory) -> [Range<Int>] {
            var found: [Range<Int>] = []
            if let start = directory.integer(0x0201), let length = directory.integer(0x0202) {
                found.append(start..<start + length)
            }
            // Panasonic's.
            if let entry = directory.entry(0x002E), let range = directory.reader.externalValue(of: entry) { found.append(range) }
            let (starts, lengths) = (directory.integers(0x0111), directory.integers(0x0117))
            if starts.count == 1, lengths.count == 1, [6, 7].contains(directory.integer(0x0103)),
                ![32_803, 34_892].contains(directory.integer(0x0106))
            {
                found.append(starts[0]..<starts[0] + lengths[0])
            }
            return found
        }

        /// Canon's box has a few numbers before the JPEG.
        private static func preview(of box: ISOBoxes.Box, _ boxes: ISOBoxes) -> Range<Int>? {
            guard box.type == "uuid", box.content.count > 64 else { return nil }
            let start = box.content.lowerBound + 16
            let head = boxes.bytes[start..<min(start + 64, box.content.upperBound)]
            return head.firstRange(of: [0xFF, 0xD8, 0xFF]).map { $0.lowerBound..<box.content.upperBound }
        }
    }
#endif
