#if AVIF
    /// Valid files that libavif 0.11 refuses or sees only in part: boxes that reach to the end of the file, sequences with sound,
    /// alpha in tiles.
    enum AVIFRepair {
        /// The bytes as that version can read them; nil where there is nothing to repair.
        static func repaired(_ bytes: [UInt8]) -> [UInt8]? {
            let plain = withPlainBoxes(bytes)
            return AVIFTileAlpha.repaired(plain ?? bytes) ?? plain
        }

        /// Boxes of length 0 are given their length, and tracks that are not pictures are renamed to free space. Nothing moves.
        private static func withPlainBoxes(_ bytes: [UInt8]) -> [UInt8]? {
            let boxes = ISOBoxes(bytes: bytes)
            var result = bytes
            var isChanged = false
            for box in boxes.topLevel {
                if boxes.number(box.start, 4) == 0, bytes.count - box.start <= Int(UInt32.max) {
                    let length = bytes.count - box.start
                    for byte in 0..<4 { result[box.start + byte] = UInt8(length >> (24 - 8 * byte) & 255) }
                    isChanged = true
                }
                guard box.type == "moov" else { continue }
                for track in boxes.boxes(in: box.content) where track.type == "trak" && !isPicture(track.content, boxes) {
                    result.replaceSubrange(track.start + 4..<track.start + 8, with: "free".utf8)
                    isChanged = true
                }
            }
            return isChanged ? result : nil
        }

        private static func isPicture(_ track: Range<Int>, _ boxes: ISOBoxes) -> Bool {
            guard let media = boxes.boxes(in: track).first(where: { $0.type == "mdia" }),
                let handler = boxes.boxes(in: media.content).first(where: { $0.type == "hdlr" }),
                let type = boxes.number(8, 4, in: handler.content)
            else { return true }
            // "soun" and "text" and their like have no size; "pict", "auxv" and "vide" have.
            return [0x7069_6374, 0x6175_7876, 0x7669_6465].contains(type)
        }
    }
#endif
