#if AVIF
    /// The durations of a sequence's frames. libavif 0.11 counts from the first frame and the first table entry for each frame
    /// requested: two minutes for the 10,000 frames of a small file.
    enum AVIFTiming {
        /// One delay for each frame; nil if the boxes have no track of images.
        static func delays(in bytes: [UInt8], frames: Int) -> [Duration]? {
            let boxes = ISOBoxes(bytes: bytes)
            guard let movie = boxes.first("moov"),
                let track = boxes.boxes(in: movie.content).first(where: { $0.type == "trak" && isShown($0.content, boxes) })
            else { return nil }
            return TrackTimes.delays(of: track.content, boxes, frames: frames)
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
