#if HEIC
    import CHEIF
    import GannetCore

    /// The content of a HEIC file: its primary image, or the frames of a track.
    protocol HEICSource: AnyObject {
        var width: Int { get }
        var height: Int { get }
        /// −1 if the file does not say.
        var depth: Int { get }
        var hasAlpha: Bool { get }
        var isPremultiplied: Bool { get }
        var iccByteCount: Int { get }
        var iccProfile: [UInt8] { get }
        var cicp: CICP? { get }
        /// Pixels of the largest part for which libheif may allocate memory.
        var largestArea: Int { get }
        /// Nil for a still image.
        var track: HEICTrack? { get }

        /// The first EXIF block with its four bytes of offset; empty if there is none or it is longer than `limit`.
        func exif(limit: Int) -> [UInt8]

        /// Sets how much memory libheif may use for a reservation.
        func allow(_ reservedBytes: Int)

        /// The decoded image, which the caller releases.
        func decode(
            _ index: Int, _ space: heif_colorspace, _ chroma: heif_chroma, _ watch: DecodeWatch
        ) throws(ImageError) -> OpaquePointer
    }

    extension HEICSource {
        /// The decoded samples; nil if ``HEICPlanes`` cannot convert them.
        func planes(of index: Int = 0, _ watch: DecodeWatch) throws(ImageError) -> HEICPlanes? {
            HEICPlanes(try decode(index, heif_colorspace_undefined, heif_chroma_undefined, watch))
        }

        /// Passes the rows that libheif converted to the closure: four channels of 8 bits, or with `isDeep` of `depth` bits in
        /// two bytes, little-endian.
        func withPixels(
            of index: Int = 0, isDeep: Bool, _ watch: DecodeWatch,
            _ body: (_ rows: UnsafePointer<UInt8>, _ stride: Int, _ width: Int, _ height: Int) throws(ImageError) -> Void
        ) throws(ImageError) {
            let chroma = isDeep ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RGBA
            let image = try decode(index, heif_colorspace_RGB, chroma, watch)
            defer { heif_image_release(image) }
            var stride: Int32 = 0
            guard let rows = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride) else {
                throw HEICHandle.corrupt("libheif made no pixels.")
            }
            let width = Int(heif_image_get_width(image, heif_channel_interleaved))
            let height = Int(heif_image_get_height(image, heif_channel_interleaved))
            guard width > 0, height > 0, Int(stride) >= width * (isDeep ? 8 : 4) else {
                throw HEICHandle.corrupt("The image has no pixels.")
            }
            try body(rows, Int(stride), width, height)
        }
    }
#endif
