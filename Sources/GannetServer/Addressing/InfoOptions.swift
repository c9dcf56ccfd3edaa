#if Server
    import GannetCore
    import GannetSupport

    /// Options of `/info`: facts of a source that are not in every answer. Their names are those of imgproxy, where it has one.
    struct InfoOptions: Equatable, Sendable {
        /// Shows the camera's settings, without the place.
        var showsCamera = false
        /// Where the photograph was taken: only by this word, because it is private.
        var showsPlace = false
        /// Made of the pixels: the image is decoded for them alone.
        var colors = ColorFacts.Selection()

        /// They show more of the source than an image does, as `sm:0`: addresses with them need a signature.
        var isCostly: Bool { showsCamera || showsPlace }

        /// Of equal texts the facts are equal.
        var keyText: String { "\(showsCamera)|\(showsPlace)|\(colors.keyText)" }

        /// False: another option.
        mutating func read(_ option: PathOption) throws(ImageError) -> Bool {
            switch option.name {
            case "exif": showsCamera = try option.flag()
            case "gps": showsPlace = try option.flag()
            case "dominant_color", "dc": colors.dominant = try option.flag()
            case "thumbhash", "th": colors.thumbHash = try option.flag()
            case "palette", "p":
                let count = try option.whole(try option.only(), 0...256)
                guard count != 1 else { throw option.wrong("a palette has 2 to 256 colours, or 0 for none") }
                colors.palette = count == 0 ? nil : count
            case "blurhash", "bh":
                guard option.values.count == 2 else { throw option.wrong("blurhash:X:Y is expected, each 1 to 9") }
                colors.blurHash = ColorFacts.Selection.Components(
                    across: try option.whole(option.values[0], 1...9), down: try option.whole(option.values[1], 1...9))
            default: return false
            }
            return true
        }
    }
#endif
