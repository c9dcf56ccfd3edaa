#if AVIF || HEIC
    /// How long the frames of a track are shown, and how often all of them (ISO/IEC 14496-12).
    enum TrackTimes {
        /// One delay for each frame, in the order of display; nil if the boxes of the track lack the tables. `track`: the content
        /// of its box.
        static func delays(of track: Range<Int>, _ boxes: ISOBoxes, frames: Int) -> [Duration]? {
            guard let media = boxes.first(["mdia"], in: track)?.content,
                let header = boxes.first(["mdhd"], in: media)?.content, let version = boxes.number(0, 1, in: header),
                let scale = boxes.number(version == 1 ? 20 : 12, 4, in: header),
                let table = boxes.first(["minf", "stbl", "stts"], in: media)?.content, let count = boxes.number(4, 4, in: table)
            else { return nil }
            var ticks: [Int] = []
            var entry = 0
            while entry < count, ticks.count < frames, let run = boxes.number(8 + 8 * entry, 4, in: table),
                let time = boxes.number(12 + 8 * entry, 4, in: table)
            {
                ticks += repeatElement(time, count: min(run, frames - ticks.count))
                entry += 1
                // If the table ends early, its last delay applies to the remaining frames.
                if entry == count || boxes.number(12 + 8 * entry, 4, in: table) == nil {
                    ticks += repeatElement(time, count: frames - ticks.count)
                }
            }
            ticks += repeatElement(0, count: frames - ticks.count)
            if let offsets = boxes.first(["minf", "stbl", "ctts"], in: media)?.content {
                ticks = displayed(ticks, offsets, boxes) ?? ticks
            }
            return ticks.map { scale == 0 ? .zero : .nanoseconds(Int64(min(Double($0) / Double(scale) * 1e9, 1e15))) }
        }

        /// Frames that refer to later ones are stored after those; their offsets (8.6.1.3) say when each is shown.
        private static func displayed(_ ticks: [Int], _ table: Range<Int>, _ boxes: ISOBoxes) -> [Int]? {
            guard let version = boxes.number(0, 1, in: table), let count = boxes.number(4, 4, in: table) else { return nil }
            var frames: [(start: Int, ticks: Int)] = []
            var time = 0
            for entry in 0..<count where frames.count < ticks.count {
                guard let run = boxes.number(8 + 8 * entry, 4, in: table),
                    let offset = boxes.number(12 + 8 * entry, 4, in: table)
                else { return nil }
                // Signed from version 1 on.
                let shift = version == 0 ? offset : Int(Int32(truncatingIfNeeded: offset))
                for _ in 0..<min(run, ticks.count - frames.count) {
                    let own = ticks[frames.count]
                    frames.append((time + shift, own))
                    time += own
                }
            }
            guard frames.count == ticks.count else { return nil }
            frames.sort { $0.start < $1.start }
            return frames.indices.map { $0 + 1 < frames.count ? frames[$0 + 1].start - frames[$0].start : frames[$0].ticks }
        }

        /// 0 is for ever; nil: not in the file. An edit list that repeats fills the track's duration (8.6.6).
        static func loopCount(of track: Range<Int>, _ boxes: ISOBoxes) -> Int? {
            guard let list = boxes.first(["edts", "elst"], in: track)?.content,
                let header = boxes.first(["tkhd"], in: track)?.content,
                let version = boxes.number(0, 1, in: list), let flags = boxes.number(3, 1, in: list)
            else { return nil }
            guard flags & 1 == 1 else { return 1 }
            let size = version == 1 ? 8 : 4
            let isLong = boxes.number(0, 1, in: header) == 1
            guard let segment = boxes.number(8, size, in: list), segment > 0,
                let duration = boxes.number(isLong ? 28 : 20, isLong ? 8 : 4, in: header)
            else { return nil }
            let forever = isLong ? Int.max : Int(UInt32.max)
            return duration == forever ? 0 : max(1, (duration - 1) / segment + 1)
        }
    }
#endif
