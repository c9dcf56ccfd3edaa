#if HEIC
    import CHEIF
    import GannetCore

    /// The owner of a libheif context, the handle of its primary image, and the bytes that both read.
    final class HEICHandle {
        private let bytes: UnsafeMutableBufferPointer<UInt8>
        private let context: OpaquePointer
        private let picture: OpaquePointer
        /// Pixels of the largest part for which libheif may allocate memory.
        let largestArea: Int

        /// Reads all boxes, but no pixels.
        init(_ array: [UInt8], limits: DecodeLimits, threads: Int) throws(ImageError) {
            try HEICItems.check(array)
            largestArea = try HEICSizes.largestArea(array)
            guard let context = heif_context_alloc() else {
                throw ImageError(.limitExceeded, stage: .decode, "libheif has no memory for this picture.")
            }
            let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, array.count))
            _ = bytes.initialize(from: array)
            var picture: OpaquePointer?
            do throws(ImageError) {
                var own = Self.limits(limits)
                gannet_heif_set_limits(context, &own)
                // 0 means this thread.
                heif_context_set_max_decoding_threads(context, threads > 1 ? Int32(clamping: threads) : 0)
                try Self.check(heif_context_read_from_memory_without_copy(context, bytes.baseAddress, array.count, nil))
                try Self.check(heif_context_get_primary_image_handle(context, &picture))
                guard picture != nil else { throw Self.corrupt("The HEIC file has no primary picture.") }
            } catch {
                heif_context_free(context)
                bytes.deallocate()
                throw error
            }
            self.bytes = bytes
            self.context = context
            self.picture = picture!
        }

        /// Limits for the library, high enough above ours that it only refuses what ours do not see: coded images are up to 63
        /// pixels wider and higher than shown, which is less than four times as many pixels or less than 8 million.
        private static func limits(_ limits: DecodeLimits) -> gannet_heif_limits {
            let pixels = UInt64(clamping: limits.maximumPixels).multipliedReportingOverflow(by: 4)
            return gannet_heif_limits(
                pixels: pixels.overflow ? .max : max(pixels.partialValue, 1 << 23), items: UInt32(HEIFLists.heic.most),
                extents_per_item: UInt32(HEICSizes.maximumExtents), tiles: UInt32(HEICItems.maximumDecodes),
                profile_bytes: UInt32(clamping: max(limits.maximumMetadataBytes, 1)))
        }

        deinit {
            heif_image_handle_release(picture)
            heif_context_free(context)
            bytes.deallocate()
        }

        // MARK: - What the boxes say

        var width: Int { Int(heif_image_handle_get_width(picture)) }
        var height: Int { Int(heif_image_handle_get_height(picture)) }
        /// −1 if the file does not say.
        var depth: Int { Int(heif_image_handle_get_luma_bits_per_pixel(picture)) }
        var hasAlpha: Bool { heif_image_handle_has_alpha_channel(picture) != 0 }
        var isPremultiplied: Bool { heif_image_handle_is_premultiplied_alpha(picture) != 0 }

        var iccByteCount: Int { heif_image_handle_get_raw_color_profile_size(picture) }

        var iccProfile: [UInt8] {
            let count = iccByteCount
            guard count > 0 else { return [] }
            return [UInt8](unsafeUninitializedCapacity: count) { target, filled in
                let error = heif_image_handle_get_raw_color_profile(picture, target.baseAddress)
                filled = error.code == heif_error_Ok ? count : 0
            }
        }

        var cicp: CICP? {
            var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
            guard heif_image_handle_get_nclx_color_profile(picture, &profile).code == heif_error_Ok, let profile else {
                return nil
            }
            defer { heif_nclx_color_profile_free(profile) }
            return CICP(
                primaries: Int(profile.pointee.color_primaries.rawValue),
                transfer: Int(profile.pointee.transfer_characteristics.rawValue),
                matrix: Int(profile.pointee.matrix_coefficients.rawValue), isFullRange: profile.pointee.full_range_flag != 0)
        }

        /// The first EXIF block with its four bytes of offset; empty if there is none or it is longer than `limit`.
        func exif(limit: Int) -> [UInt8] {
            var identifier: heif_item_id = 0
            guard heif_image_handle_get_list_of_metadata_block_IDs(picture, "Exif", &identifier, 1) == 1 else { return [] }
            let count = heif_image_handle_get_metadata_size(picture, identifier)
            guard count > 4, count <= limit else { return [] }
            return [UInt8](unsafeUninitializedCapacity: count) { target, filled in
                let error = heif_image_handle_get_metadata(picture, identifier, target.baseAddress)
                filled = error.code == heif_error_Ok ? count : 0
            }
        }

        // MARK: - Pixels

        /// Sets how much memory libheif may use for a reservation: rows are padded, and tiles are held in addition to the whole
        /// image.
        func allow(_ reservedBytes: Int) {
            gannet_heif_set_memory_limit(context, 2 * UInt64(clamping: reservedBytes) + (16 << 20))
        }

        /// The decoded samples; nil if ``HEICPlanes`` cannot convert them.
        func planes(_ watch: DecodeWatch) throws(ImageError) -> HEICPlanes? {
            HEICPlanes(try decode(heif_colorspace_undefined, heif_chroma_undefined, watch))
        }

        private func decode(
            _ space: heif_colorspace, _ chroma: heif_chroma, _ watch: DecodeWatch
        ) throws(ImageError) -> OpaquePointer {
            let stop = StopSign(watch)
            var image: OpaquePointer?
            let error = gannet_heif_decode(picture, &image, space, chroma, StopSign.ask, stop.context)
            if let reason = stop.error {
                heif_image_release(image)
                throw reason
            }
            try Self.check(error)
            guard let image else { throw Self.corrupt("libheif made no picture.") }
            return image
        }

        /// Passes the rows that libheif converted to the closure: four channels of 8 bits, or with `isDeep` of `depth` bits in
        /// two bytes, little-endian.
        func withPixels(
            isDeep: Bool, _ watch: DecodeWatch,
            _ body: (_ rows: UnsafePointer<UInt8>, _ stride: Int, _ width: Int, _ height: Int) throws(ImageError) -> Void
        ) throws(ImageError) {
            let chroma = isDeep ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RGBA
            let image = try decode(heif_colorspace_RGB, chroma, watch)
            defer { heif_image_release(image) }
            var stride: Int32 = 0
            guard let rows = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride) else {
                throw Self.corrupt("libheif made no pixels.")
            }
            let width = Int(heif_image_get_width(image, heif_channel_interleaved))
            let height = Int(heif_image_get_height(image, heif_channel_interleaved))
            guard width > 0, height > 0, Int(stride) >= width * (isDeep ? 8 : 4) else {
                throw Self.corrupt("The picture has no pixels.")
            }
            try body(rows, Int(stride), width, height)
        }

        // MARK: - Errors

        static func check(_ error: heif_error) throws(ImageError) {
            guard error.code != heif_error_Ok else { return }
            let why = error.message.map { String(cString: $0) } ?? "no reason"
            switch error.code {
            case heif_error_Unsupported_feature, heif_error_Unsupported_filetype:
                throw ImageError(
                    .unsupported, stage: .decode, "The HEIC file uses something that this libheif cannot decode: \(why).")
            case heif_error_Memory_allocation_error:
                throw ImageError(.limitExceeded, stage: .decode, "libheif refuses the picture's size: \(why).")
            default:
                if error.subcode == heif_suberror_Security_limit_exceeded {
                    throw ImageError(.limitExceeded, stage: .decode, "libheif refuses the picture's size: \(why).")
                }
                if error.subcode == heif_suberror_End_of_data {
                    throw ImageError(.truncated, stage: .decode, "The HEIC file ends before its picture does: \(why).")
                }
                throw corrupt("The HEIC file is damaged: \(why).")
            }
        }

        static func corrupt(_ message: String) -> ImageError { ImageError(.corrupt, stage: .decode, message) }
    }
#endif
