#if ICO
    import GannetCore

    /// An icon: the list, the main image, and perhaps a smaller one to decode instead.
    struct ICOFile: WholeFileFormat {
        // Images can be anywhere in the file.
        static let headerBytes = Int.max

        private let options: ResolvedDecodeOptions
        private let environment: DecodeEnvironment
        private let image: ICOImage
        let header: ImageHeader

        /// Candidates of the largest size that are examined: one for each depth is usual, and all may share bytes.
        private static let mostCandidates = 256
        /// Most bits of a pixel.
        private static let mostBits = 32

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            guard let directory = try ICODirectory(head, limits: environment.limits) else { return nil }
            let largest = directory.entries.map(\.area).max() ?? 0
            var best: ICOImage?
            for entry in directory.entries.lazy.filter({ $0.area == largest }).prefix(Self.mostCandidates) {
                if let best, best.depth >= Self.mostBits { break }
                guard let one = try ICOImage(entry, in: head, environment: environment) else { return nil }
                if best.map({ $0.depth < one.depth }) ?? true { best = one }
            }
            guard let best else { return nil }
            self.options = options
            self.environment = environment
            let wanted = options.scaledSize(for: best.header)
            guard let entry = Self.entry(for: wanted, in: directory, shownAt: best.header.size) else {
                image = best
                header = best.header
                return
            }
            guard isComplete || head.count >= entry.bytes.upperBound else { return nil }
            // A broken small image must not prevent showing the large one.
            let small = try? ICOImage(entry, in: head, environment: environment)
            let fits = small.map {
                $0.header.size.width == entry.width && $0.header.size.height == entry.height && $0.end <= head.count
                    && $0.depth >= best.depth
            }
            image = fits == true ? small ?? best : best
            var header = best.header
            // The smaller image may have clear pixels where the largest has none.
            header.hasAlpha = header.hasAlpha || image.header.hasAlpha
            self.header = header
        }

        /// The smallest entry that is large enough for the target; nil if that is the largest one.
        private static func entry(
            for wanted: PixelSize, in directory: ICODirectory, shownAt size: PixelSize
        ) -> ICODirectory.Entry? {
            let candidates = directory.entries.filter {
                $0.width >= wanted.width && $0.height >= wanted.height && $0.width < size.width
                    && $0.width * size.height == $0.height * size.width
            }
            return candidates.min { $0.area < $1.area }
        }

        var outputSize: PixelSize { image.header.size }
        var outputColorSpace: ColorSpace { image.header.colorSpace }
        var leastBytes: Int { image.end }

        func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            try watch.check()
            return try image.decode(bytes, options: options, environment: environment, into: &buffer, watch)
        }
    }

    extension ICOImage {
        /// Bits of a pixel; the image with the most bits is preferred.
        var depth: Int {
            switch kind {
            case .bitmap(let bitmap): bitmap.bits
            case .png: 32
            }
        }
    }
#endif
