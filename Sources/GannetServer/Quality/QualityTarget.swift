#if Server
    import GannetCore

    /// How much a file may differ from its image: the quality is the lowest that keeps to it.
    struct QualityTarget: Hashable, Sendable {
        /// As ``Bitmap/structuralDissimilarity(to:background:)`` measures it.
        var difference: Double
        /// The qualities that are tried. The defaults are imgproxy's.
        var lowest = 70
        var highest = 80
        /// A quality whose difference is as near to the wanted one ends the search.
        var error = 0.001

        /// For one file.
        static let encodes = 6

        init(difference: Double) { self.difference = difference }

        /// Of equal texts the qualities are equal.
        var keyText: String { "dssim \(difference),\(lowest),\(highest),\(error)" }

        /// The file of the lowest quality with at most this difference, found by bisection; if none is found, that of the highest quality.
        /// `encode` is called ``encodes`` times at most, the last time for the highest quality.
        func search<File>(
            _ encode: (_ quality: Int) throws(ImageError) -> (file: File, difference: Double)
        ) throws(ImageError) -> File {
            var (low, high, found) = (lowest, highest, File?.none)
            for _ in 1..<Self.encodes where low <= high {
                try ImageError.checkCancellation(stage: .encode)
                let quality = (low + high) / 2
                let made = try encode(quality)
                // Nothing better can be had.
                if abs(made.difference - difference) <= error || quality == highest { return made.file }
                if made.difference > difference {
                    low = quality + 1
                } else {
                    found = made.file
                    high = quality - 1
                }
            }
            if let found { return found }
            return try encode(highest).file
        }
    }
#endif
