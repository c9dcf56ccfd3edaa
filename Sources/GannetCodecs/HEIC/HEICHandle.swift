#if HEIC
    import CHEIF
    import GannetCore

    /// The primary image of a HEIC file: the owner of its handle.
    final class HEICHandle: HEICSource {
        private let context: HEICContext
        private let handle: OpaquePointer
        let largestArea: Int

        /// Reads all boxes, but no pixels.
        init(_ array: [UInt8], limits: DecodeLimits, threads: Int) throws(ImageError) {
            try HEICItems.check(array)
            largestArea = try HEICSizes.largestArea(array)
            // A library without sequences does not look at tracks.
            let seen = gannet_heif_sequence_is_supported() == 1 ? HEICView.ofItems(array) : array
            context = try HEICContext(HEICBytes(seen), limits: limits, threads: threads)
            handle = try context.primary()
        }

        deinit { heif_image_handle_release(handle) }

        // MARK: - What the boxes say

        var track: HEICTrack? { nil }
        var width: Int { Int(heif_image_handle_get_width(handle)) }
        var height: Int { Int(heif_image_handle_get_height(handle)) }
        var depth: Int { Int(heif_image_handle_get_luma_bits_per_pixel(handle)) }
        var hasAlpha: Bool { heif_image_handle_has_alpha_channel(handle) != 0 }
        var isPremultiplied: Bool { heif_image_handle_is_premultiplied_alpha(handle) != 0 }

        var iccByteCount: Int { heif_image_handle_get_raw_color_profile_size(handle) }

        var iccProfile: [UInt8] {
            let count = iccByteCount
            guard count > 0 else { return [] }
            return [UInt8](unsafeUninitializedCapacity: count) { target, filled in
                let error = heif_image_handle_get_raw_color_profile(handle, target.baseAddress)
                filled = error.code == heif_error_Ok ? count : 0
            }
        }

        var cicp: CICP? {
            var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
            guard heif_image_handle_get_nclx_color_profile(handle, &profile).code == heif_error_Ok, let profile else {
                return nil
            }
            defer { heif_nclx_color_profile_free(profile) }
            return CICP(
                primaries: Int(profile.pointee.color_primaries.rawValue),
                transfer: Int(profile.pointee.transfer_characteristics.rawValue),
                matrix: Int(profile.pointee.matrix_coefficients.rawValue), isFullRange: profile.pointee.full_range_flag != 0)
        }

        func exif(limit: Int) -> [UInt8] { Self.exif(of: handle, limit: limit) }

        /// The first EXIF block with its four bytes of offset; empty if there is none or it is longer than `limit`.
        static func exif(of handle: OpaquePointer, limit: Int) -> [UInt8] {
            var identifier: heif_item_id = 0
            guard heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &identifier, 1) == 1 else { return [] }
            let count = heif_image_handle_get_metadata_size(handle, identifier)
            guard count > 4, count <= limit else { return [] }
            return [UInt8](unsafeUninitializedCapacity: count) { target, filled in
                let error = heif_image_handle_get_metadata(handle, identifier, target.baseAddress)
                filled = error.code == heif_error_Ok ? count : 0
            }
        }

        // MARK: - Pixels

        func allow(_ reservedBytes: Int) { context.allow(reservedBytes) }

        func decode(
            _ index: Int, _ space: heif_colorspace, _ chroma: heif_chroma, _ watch: DecodeWatch
        ) throws(ImageError) -> OpaquePointer {
            let stop = StopSign(watch)
            var image: OpaquePointer?
            let error = gannet_heif_decode(handle, &image, space, chroma, StopSign.ask, stop.context)
            if let reason = stop.error {
                heif_image_release(image)
                throw reason
            }
            try Self.check(error)
            guard let image else { throw Self.corrupt("libheif made no image.") }
            return image
        }

        // MARK: - Errors

        static func check(_ error: heif_error) throws(ImageError) {
            guard error.code != heif_error_Ok else { return }
            let why = error.message.map { String(cString: $0) } ?? "no reason"
            switch error.code {
            case heif_error_Unsupported_feature, heif_error_Unsupported_filetype:
                throw ImageError(
                    .unsupported, stage: .decode, "The HEIC file uses something that this libheif cannot decode: \(why).")
            case heif_error_Plugin_loading_error:
                throw ImageError(
                    .unsupported, stage: .decode,
                    "libheif has no decoder for this image (\(why)). On Debian 13 and later each is a package of its own: install libheif-plugin-libde265, which decodes HEVC, and start the program again."
                )
            case heif_error_Memory_allocation_error:
                throw ImageError(.limitExceeded, stage: .decode, "libheif refuses the image's size: \(why).")
            default:
                if error.subcode == heif_suberror_Security_limit_exceeded {
                    throw ImageError(.limitExceeded, stage: .decode, "libheif refuses the image's size: \(why).")
                }
                if error.subcode == heif_suberror_End_of_data {
                    throw ImageError(.truncated, stage: .decode, "The HEIC file ends before its image does: \(why).")
                }
                throw corrupt("The HEIC file is damaged: \(why).")
            }
        }

        static func corrupt(_ message: String) -> ImageError { ImageError(.corrupt, stage: .decode, message) }
    }
#endif
