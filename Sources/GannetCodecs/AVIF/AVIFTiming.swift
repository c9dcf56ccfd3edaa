#if AVIF
    /// The durations of a sequence's frames. libavif 0.11 counts from the first frame and the first table entry for each frame
    /// requested: two minutes for the 10,000 frames of a small file.
    enum AVIFTiming {
        /// One delay for each frame; nil if the boxes have no track of images.
        static func delays(in bytes: [UInt8], frames: Int) -> [Duration]? {
            let boxes = ISOBoxes(bytes: bytes)
            guard let movie = boxes.first("moov"),
                let track = boxes.boxes(in: movie.content).first(where: { $0.type == "trak" && isShown($0.content, boxes) }),
                let media = boxes.first(["mdia"], in: track.content)?.content,
                let header = boxes.first(["mdhd"], in: media)?.content, let version = boxes.number(0, 1, in: header),
                let scale = boxes.number(version == 1 ? 20 : 12, 4, in: header),
                let table = boxes.first(["minf", "stbl", "stts"], in: media)?.content, let count = boxes.number(4, 4, in: table)
            else { return nil }
            var delays: [Duration] = []
            var last = Duration.zero
            var entry = 0
            while entry < count, delays.count < frames, let run = boxes.number(8 + 8 * entry, 4, in: table),
                let time = boxes.number(12 + 8 * entry, 4, in: table)
            {
                last = scale == 0 ? .zero : .nanoseconds(Int64(min(Double(time) / Double(scale) * 1e9, 1e15)))
                delays += repeatElement(last, count: min(run, frames - delays.count))
                entry += 1
            }
            // If the table ends early, its last delay applies to the remaining frames.
            return delays + repeatElement(last, count: frames - delays.count)
        }

        /// True for a track of AV1 colour images, as opposed to one that belongs to another track.
        private static func isShown(_ track: Range<Int>, _ boxes: ISOBoxes) -> Bool {
            guard boxes.first(["tref", "auxl"], in: track) == nil,
                let formats = boxes.first(["mdia", "minf", "stbl", "stsd"], in: track)?.content, formats.count > 8
            else { return false }
            return boxes.boxes(in: formats.lowerBound + 8..<formats.upperBound).contains { $0.type == "av01" }
        }
    }
#endif
