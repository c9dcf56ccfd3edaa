#if AVIF
    /// Fixes valid files that libavif 0.11 refuses, reads only in part or misinterprets: boxes that extend to the end of the
    /// file, sequences with sound, sequences with depth, alpha in tiles, tiles in another order than their items.
    enum AVIFRepair {
        /// The bytes in a form that this version reads; nil if nothing needs fixing.
        static func repaired(_ bytes: [UInt8]) -> [UInt8]? {
            let plain = withPlainBoxes(bytes)
            let whole = AVIFTileAlpha.repaired(plain ?? bytes) ?? plain
            return AVIFTileOrder.repaired(whole ?? bytes) ?? whole
        }

        /// Boxes of length 0 get their length, and tracks without images are renamed to free space. No data moves.
        private static func withPlainBoxes(_ bytes: [UInt8]) -> [UInt8]? {
            let boxes = ISOBoxes(bytes: bytes)
            let withLength = ISOBoxes.withLength(bytes)
            var result = withLength ?? bytes
            var isChanged = withLength != nil
            for box in boxes.topLevel where box.type == "moov" {
                for track in boxes.boxes(in: box.content) where track.type == "trak" && !isImageTrack(track.content, boxes) {
                    result.replaceSubrange(track.start + 4..<track.start + 8, with: "free".utf8)
                    isChanged = true
                }
            }
            return isChanged ? result : nil
        }

        /// True for colour and alpha tracks. libavif 0.11 mistakes a depth track for alpha, because it does not check its kind.
        private static func isImageTrack(_ track: Range<Int>, _ boxes: ISOBoxes) -> Bool {
            guard let media = boxes.first(["mdia"], in: track),
                let handler = boxes.first(["hdlr"], in: media.content), let type = boxes.number(8, 4, in: handler.content)
            else { return true }
            // "soun", "text" and the like have no size; "pict", "auxv" and "vide" have.
            guard type == 0x6175_7876 else { return [0x7069_6374, 0x7669_6465].contains(type) }
            guard let table = boxes.first(["minf", "stbl", "stsd"], in: media.content)?.content, table.count > 8,
                let entry = boxes.boxes(in: table.lowerBound + 8..<table.upperBound).first?.content,
                entry.count > visualSampleEntry,
                let kind = boxes.first(["auxi"], in: entry.lowerBound + visualSampleEntry..<entry.upperBound)?.content
            else { return true }
            return [
                "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
            ].contains { boxes.bytes[kind.dropFirst(4)].starts(with: $0.utf8) }
        }

        /// Bytes of a "VisualSampleEntry" before its own boxes (14496-12, 12.1.3).
        private static let visualSampleEntry = 78
    }
#endif
