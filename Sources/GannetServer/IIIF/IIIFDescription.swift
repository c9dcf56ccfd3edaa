#if Server
    import GannetCore
    import GannetSupport

    /// `info.json`: what viewers need to ask for the parts of an image.
    struct IIIFDescription {
        /// The address of the image, without a slash at its end.
        var id: String
        /// Upright.
        var size: PixelSize
        /// Of a side of a result.
        var limit: Int
        /// Of the pixels that a request may have decoded.
        var maximumPixels: Int
        var writesWebP: Bool

        static let context = "http://iiif.io/api/image/3/context.json"
        static let profile = "http://iiif.io/api/image/3/level2.json"

        /// Of a square tile.
        private static let tileSide = 512

        var json: JSON {
            let tile = min(Self.tileSide, limit)
            let scales = Self.scales(size, tile, maximumPixels)
            // Those in which all of the image is served.
            let sizes = scales.reversed().map { PixelSize(clamping: Self.part(size.width, $0), Self.part(size.height, $0)) }
                .filter { $0.width <= limit && $0.height <= limit && size.width * size.height <= maximumPixels }
            return .object([
                ("@context", .string(Self.context)), ("id", .string(id)), ("type", .string("ImageService3")),
                ("protocol", .string("http://iiif.io/api/image")), ("profile", .string("level2")),
                ("width", .integer(size.width)), ("height", .integer(size.height)), ("maxWidth", .integer(limit)),
                (
                    "sizes",
                    .array(sizes.map { .object([("width", .integer($0.width)), ("height", .integer($0.height))]) })
                ),
                (
                    "tiles",
                    .array([.object([("width", .integer(tile)), ("scaleFactors", .array(scales.map { .integer($0) }))])])
                ),
                ("extraFormats", .array(writesWebP ? [.string("webp")] : [])),
                ("extraQualities", .array([.string("bitonal"), .string("color"), .string("gray")])),
                (
                    "extraFeatures",
                    .array(["mirroring", "profileLinkHeader", "sizeUpscaling"].map { .string($0) })
                ),
            ])
        }

        /// Powers of two, up to the first at which one tile shows all, or the last at which one may be decoded.
        private static func scales(_ size: PixelSize, _ tile: Int, _ maximumPixels: Int) -> [Int] {
            var scales = [1]
            while let last = scales.last, part(max(size.width, size.height), last) > tile,
                min(size.width, tile * last * 2) * min(size.height, tile * last * 2) <= maximumPixels
            {
                scales.append(last * 2)
            }
            return scales
        }

        private static func part(_ side: Int, _ scale: Int) -> Int { (side + scale - 1) / scale }
    }
#endif
