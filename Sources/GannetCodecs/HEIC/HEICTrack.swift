#if HEIC
    import GannetCore

    /// The track of a HEIC sequence, as its boxes describe it (ISO/IEC 14496-12 §8, 23008-12 §7). Its tables are read before the
    /// library sees them: it allocates by their counts, and trusts that they belong together.
    struct HEICTrack {
        /// The frames of one track: those that are shown, or their alpha.
        struct Frames {
            /// The content of the track's box, and the number by which others refer to it.
            var track: Range<Int>
            var number: Int
            var width: Int
            var height: Int
            var depth: Int
            /// The places of the coded frames in the file, in the order of decoding.
            var samples: [Range<Int>]
            /// The HEVC parameter sets, each once.
            var sets: Set<HEVCParameterSet>
        }

        let colors: Frames
        let alpha: Frames?
        let sets: [HEVCParameterSet]
        let isPremultiplied: Bool
        let delays: [Duration]
        let loopCount: Int?
        let iccProfile: [UInt8]
        let cicp: CICP?

        /// The first track of HEVC images that belongs to no other track; nil if there is none. Throws `corrupt` if its boxes
        /// contradict each other, `limitExceeded`, and with `isComplete`, `truncated` if frames lie beyond the end.
        init?(_ boxes: ISOBoxes, isComplete: Bool, limits: DecodeLimits) throws(ImageError) {
            guard let movie = boxes.first("moov") else { return nil }
            let tracks = boxes.boxes(in: movie.content).filter { $0.type == "trak" }.map(\.content)
            let reader = HEICTrackReader(boxes: boxes, isComplete: isComplete, limits: limits)
            guard let shown = tracks.first(where: { reader.isShown($0) }), let colors = try reader.frames(of: shown) else {
                return nil
            }
            self.colors = colors
            if let track = tracks.first(where: { reader.isAlpha($0, of: colors.number) }) {
                guard let alpha = try reader.frames(of: track) else {
                    throw ImageError(
                        .unsupported, stage: .decode, "The alpha of the HEIC sequence is not coded in HEVC. Save it again.")
                }
                guard alpha.samples.count == colors.samples.count, alpha.number != colors.number else {
                    throw HEICHandle.corrupt(
                        "The HEIC sequence has \(colors.samples.count) frames, and alpha for \(alpha.samples.count).")
                }
                self.alpha = alpha
                isPremultiplied = reader.references("prem", in: shown).contains(alpha.number)
            } else {
                alpha = nil
                isPremultiplied = false
            }
            // Neither the library nor its caller could use frames of several sizes.
            sets = Array(colors.sets.union(alpha?.sets ?? []))
            guard Set(sets.map { [$0.width, $0.height] }).count <= 1 else { throw Self.otherSizes }
            let count = colors.samples.count
            delays = TrackTimes.delays(of: shown, boxes, frames: count) ?? [Duration](repeating: .zero, count: count)
            loopCount = TrackTimes.loopCount(of: shown, boxes)
            (iccProfile, cicp) = try reader.colorSpace(of: shown)
        }

        fileprivate static var otherSizes: ImageError {
            HEICHandle.corrupt("The frames of the HEIC sequence have different sizes.")
        }

        /// Decoded frames that the library's decoder keeps of each track.
        var keptPictures: Int { sets.map(\.pictures).max() ?? 16 }
        var largestSample: Int { (colors.samples + (alpha?.samples ?? [])).map(\.count).max() ?? 0 }
    }

    /// Reads the tables of a track.
    private struct HEICTrackReader {
        let boxes: ISOBoxes
        let isComplete: Bool
        let limits: DecodeLimits

        // MARK: - Which track

        func isShown(_ track: Range<Int>) -> Bool {
            guard let kind = kind(track), kind == "pict" || kind == "vide", boxes.first(["tref", "auxl"], in: track) == nil,
                boxes.first(["tref", "thmb"], in: track) == nil, let table = table("stsz", track)
            else { return false }
            return isHEVC(track) && boxes.number(8, 4, in: table) ?? 0 > 0
        }

        func isAlpha(_ track: Range<Int>, of number: Int) -> Bool {
            guard kind(track) == "auxv", references("auxl", in: track).contains(number), let entry = entries(track).first,
                let type = boxes.first(["auxi"], in: properties(entry))?.content, type.count > 4
            else { return false }
            let name = String(decoding: boxes.bytes[type.lowerBound + 4..<type.upperBound].prefix { $0 != 0 }, as: UTF8.self)
            return ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:avc:2015:auxid:1"]
                .contains(name)
        }

        private func kind(_ track: Range<Int>) -> String? {
            guard let handler = boxes.first(["mdia", "hdlr"], in: track)?.content, handler.count >= 12 else { return nil }
            return String(decoding: boxes.bytes[handler.lowerBound + 8..<handler.lowerBound + 12], as: UTF8.self)
        }

        private func isHEVC(_ track: Range<Int>) -> Bool {
            let entries = entries(track)
            return !entries.isEmpty && entries.allSatisfy { $0.type == "hvc1" && $0.content.count >= 78 }
        }

        /// The tracks that a track refers to in this way.
        func references(_ type: String, in track: Range<Int>) -> [Int] {
            guard let list = boxes.first(["tref", type], in: track)?.content else { return [] }
            return (0..<list.count / 4).compactMap { boxes.number(4 * $0, 4, in: list) }
        }

        private func table(_ type: String, _ track: Range<Int>) -> Range<Int>? {
            boxes.first(["mdia", "minf", "stbl", type], in: track)?.content
        }

        /// The kinds of coded frames.
        private func entries(_ track: Range<Int>) -> [ISOBoxes.Box] {
            guard let table = table("stsd", track), table.count > 8 else { return [] }
            return boxes.boxes(in: table.lowerBound + 8..<table.upperBound)
        }

        /// The boxes in an entry, after its fields (14496-12 §12.1.3).
        private func properties(_ entry: ISOBoxes.Box) -> Range<Int> {
            min(entry.content.lowerBound + 78, entry.content.upperBound)..<entry.content.upperBound
        }

        // MARK: - Tables

        /// Nil if the track is not of HEVC images.
        func frames(of track: Range<Int>) throws(ImageError) -> HEICTrack.Frames? {
            guard isHEVC(track) else { return nil }
            guard let header = boxes.first(["tkhd"], in: track)?.content,
                let number = boxes.number(boxes.number(0, 1, in: header) == 1 ? 20 : 12, 4, in: header), number > 0
            else { throw damaged }
            let entries = entries(track)
            var frames = HEICTrack.Frames(track: track, number: number, width: 0, height: 0, depth: 8, samples: [], sets: [])
            for entry in entries {
                guard let width = boxes.number(24, 2, in: entry.content), let height = boxes.number(26, 2, in: entry.content),
                    let configuration = boxes.first(["hvcC"], in: properties(entry))?.content,
                    let depth = boxes.number(17, 1, in: configuration)
                else { throw damaged }
                guard frames.width == 0 || frames.width == width && frames.height == height else { throw HEICTrack.otherSizes }
                (frames.width, frames.height, frames.depth) = (width, height, depth & 7 + 8)
                try HEVCUnits.ofConfiguration(configuration, boxes) { (unit) throws(ImageError) in
                    try note(unit, in: &frames)
                }
            }
            frames.samples = try samples(track, kinds: entries.count)
            if isComplete { try look(at: &frames) }
            return frames
        }

        /// §8.5 to §8.7. Each table stands for as many frames as the others.
        private func samples(_ track: Range<Int>, kinds: Int) throws(ImageError) -> [Range<Int>] {
            guard let sizes = table("stsz", track), let size = boxes.number(4, 4, in: sizes),
                let count = boxes.number(8, 4, in: sizes), let times = table("stts", track), let groups = table("stsc", track),
                let chunks = table("stco", track), let chunkCount = boxes.number(4, 4, in: chunks)
            else { throw damaged }
            try limits.check(frames: count)
            guard size > 0 || 12 + 4 * count <= sizes.count, chunkCount <= count, 8 + 4 * chunkCount <= chunks.count,
                isSum(of: times, count), table("ctts", track).map({ isSum(of: $0, count) }) ?? true,
                let groupCount = boxes.number(4, 4, in: groups), groupCount <= chunkCount, 8 + 12 * groupCount <= groups.count
            else { throw damaged }
            var samples: [Range<Int>] = []
            for group in 0..<groupCount {
                let place = groups.lowerBound + 8 + 12 * group
                let (first, each, kind) = (boxes.number(place, 4), boxes.number(place + 4, 4), boxes.number(place + 8, 4))
                let end = group + 1 < groupCount ? boxes.number(place + 12, 4) : chunkCount + 1
                guard group > 0 || first == 1, first < end, end <= chunkCount + 1, each > 0, (1...kinds).contains(kind),
                    (end - first) * each <= count - samples.count
                else { throw damaged }
                for chunk in first..<end {
                    var start = boxes.number(chunks.lowerBound + 4 + 4 * chunk, 4)
                    for _ in 0..<each {
                        let length = size > 0 ? size : boxes.number(sizes.lowerBound + 12 + 4 * samples.count, 4)
                        samples.append(start..<start + length)
                        start += length
                    }
                }
            }
            guard samples.count == count else { throw damaged }
            return samples
        }

        /// True if the runs in a table of times are `count` frames together.
        private func isSum(of table: Range<Int>, _ count: Int) -> Bool {
            guard let entries = boxes.number(4, 4, in: table), entries <= count, 8 + 8 * entries <= table.count else {
                return false
            }
            return (0..<entries).reduce(0) { $0 + boxes.number(table.lowerBound + 8 + 8 * $1, 4) } == count
        }

        /// Parameter sets may lie among the frames too.
        private func look(at frames: inout HEICTrack.Frames) throws(ImageError) {
            var patience = 4 * boxes.bytes.count
            for sample in frames.samples {
                guard sample.upperBound <= boxes.bytes.count else {
                    throw ImageError(.truncated, stage: .decode, "The HEIC file ends before its last frame does.")
                }
                patience -= sample.count
                guard patience >= 0 else {
                    throw HEICHandle.corrupt("The HEIC sequence's frames are made of the same bytes again and again.")
                }
                try HEVCUnits.ofPicture(sample, boxes) { (unit) throws(ImageError) in
                    try note(unit, in: &frames)
                }
            }
        }

        private func note(_ unit: ArraySlice<UInt8>, in frames: inout HEICTrack.Frames) throws(ImageError) {
            guard let set = HEVCParameterSet(unit) else { return }
            if let other = frames.sets.first, (other.width, other.height) != (set.width, set.height) {
                throw HEICTrack.otherSizes
            }
            frames.sets.insert(set)
        }

        // MARK: - Colours

        /// The colour profile and code points of the boxes; the library reads code points from the coded frames only.
        func colorSpace(of track: Range<Int>) throws(ImageError) -> (iccProfile: [UInt8], cicp: CICP?) {
            var profile: [UInt8] = []
            var cicp: CICP?
            guard let entry = entries(track).first else { return (profile, cicp) }
            for box in boxes.boxes(in: properties(entry)) where box.type == "colr" && box.content.count >= 4 {
                let range = box.content
                switch String(decoding: boxes.bytes[range.lowerBound..<range.lowerBound + 4], as: UTF8.self) {
                case "prof", "rICC":
                    try limits.check(metadataBytes: range.count - 4)
                    profile = Array(boxes.bytes[range.lowerBound + 4..<range.upperBound])
                case "nclx":
                    guard let primaries = boxes.number(4, 2, in: range), let transfer = boxes.number(6, 2, in: range),
                        let matrix = boxes.number(8, 2, in: range), let flags = boxes.number(10, 1, in: range)
                    else { continue }
                    cicp = CICP(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: flags >> 7 == 1)
                default: break
                }
            }
            return (profile, cicp)
        }

        private var damaged: ImageError { HEICHandle.corrupt("The tables of the HEIC sequence contradict each other.") }
    }
#endif
