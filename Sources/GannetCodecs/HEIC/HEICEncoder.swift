#if HEIC
    import CHEIF
    import GannetCore
    import GannetKernels

    /// Writes HEIC: 4:2:0 below quality 90, 4:4:4 above; at 100 no channel is off by more than one step (the best that libheif
    /// 1.15 does); 10 bits for 16-bit images; a thumbnail if requested. Of animations, only the first frame is written.
    final class HEICEncoder: ImageEncoder {
        /// The longer side of an embedded thumbnail, in pixels.
        private static let thumbnailSide: Int32 = 320
        private let options: EncodeOptions

        init(options: EncodeOptions) { self.options = options }

        func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8] {
            try EncodeSizing.encode(image, options: options, defaultQuality: 60) { (frames, quality) throws(ImageError) in
                try write(unpremultiplied(frames.bitmap(0)), quality)
            }
        }

        private func write(_ bitmap: Bitmap, _ quality: Int) throws(ImageError) -> [UInt8] {
            guard let context = heif_context_alloc() else { throw Self.failed("no memory") }
            defer { heif_context_free(context) }
            var encoder: OpaquePointer?
            try check(heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder))
            guard let encoder else { throw Self.failed("this libheif cannot write HEVC") }
            defer { heif_encoder_release(encoder) }
            try check(heif_encoder_set_lossy_quality(encoder, Int32(min(quality, 99))))
            try check(heif_encoder_set_lossless(encoder, quality >= 100 ? 1 : 0))
            try check(heif_encoder_set_parameter_string(encoder, "chroma", quality >= 90 ? "444" : "420"))
            if let effort = options.effort {
                let presets = [
                    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
                ]
                try check(heif_encoder_set_parameter_string(encoder, "preset", presets[min(max(effort, 0), 9)]))
            }
            let source = try HEICImage(bitmap)
            guard let encodingOptions = heif_encoding_options_alloc(), let colors = heif_nclx_color_profile_alloc() else {
                throw Self.failed("no memory")
            }
            defer {
                heif_encoding_options_free(encodingOptions)
                heif_nclx_color_profile_free(colors)
            }
            // sRGB; the identity matrix stores the samples unchanged.
            colors.pointee.color_primaries = heif_color_primaries_ITU_R_BT_709_5
            colors.pointee.transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1
            colors.pointee.matrix_coefficients =
                quality >= 100 ? heif_matrix_coefficients_RGB_GBR : heif_matrix_coefficients_ITU_R_BT_601_6
            colors.pointee.full_range_flag = 1
            encodingOptions.pointee.output_nclx_profile = colors
            encodingOptions.pointee.save_alpha_channel = source.hasAlpha ? 1 : 0
            var handle: OpaquePointer?
            try check(heif_context_encode_image(context, source.image, encoder, encodingOptions, &handle))
            guard let handle else { throw Self.failed("libheif made no image") }
            defer { heif_image_handle_release(handle) }
            if options.embedsThumbnail {
                var thumbnail: OpaquePointer?
                try check(
                    heif_context_encode_thumbnail(
                        context, source.image, handle, encoder, encodingOptions, Self.thumbnailSide, &thumbnail)
                )
                // The library makes none if the image is not larger than a thumbnail.
                if let thumbnail { heif_image_handle_release(thumbnail) }
            }
            return try file(context)
        }

        private final class Output { var bytes: [UInt8] = [] }

        private func file(_ context: OpaquePointer) throws(ImageError) -> [UInt8] {
            let output = Output()
            var writer = heif_writer()
            writer.writer_api_version = 1
            writer.write = { _, data, size, output in
                if let data, let output {
                    Unmanaged<Output>.fromOpaque(output).takeUnretainedValue().bytes.append(
                        contentsOf: UnsafeRawBufferPointer(start: data, count: size))
                }
                return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
            }
            try check(heif_context_write(context, &writer, Unmanaged.passUnretained(output).toOpaque()))
            return output.bytes
        }

        private func check(_ error: heif_error) throws(ImageError) {
            guard error.code != heif_error_Ok else { return }
            throw Self.failed(error.message.map { String(cString: $0) } ?? "no reason")
        }

        fileprivate static func failed(_ why: String) -> ImageError {
            ImageError(.encodeFailed, stage: .encode, "HEIC was not written; libheif says: \(why).")
        }
    }

    /// The owner of one image for libheif: interleaved, with straight alpha or none.
    private final class HEICImage {
        let image: OpaquePointer
        let hasAlpha: Bool

        init(_ bitmap: Bitmap) throws(ImageError) {
            let isDeep = bitmap.layout.format == .rgba16
            hasAlpha = !isOpaque(bitmap)
            let width = Int32(bitmap.width)
            let height = Int32(bitmap.height)
            var made: OpaquePointer?
            let chroma = isDeep ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RGBA
            guard heif_image_create(width, height, heif_colorspace_RGB, chroma, &made).code == heif_error_Ok, let made else {
                throw HEICEncoder.failed("no memory")
            }
            image = made
            var stride: Int32 = 0
            guard heif_image_add_plane(made, heif_channel_interleaved, width, height, isDeep ? 10 : 8).code == heif_error_Ok,
                let rows = heif_image_get_plane(made, heif_channel_interleaved, &stride)
            else { throw HEICEncoder.failed("no memory") }
            let opaque = bitmap.layout.alpha == .opaque
            for y in 0..<bitmap.height {
                let row = bitmap.row(y)
                let out = rows + y * Int(stride)
                if isDeep {
                    out.withMemoryRebound(to: UInt16.self, capacity: bitmap.width * 4) { out in
                        for sample in 0..<bitmap.width * 4 {
                            let value = Int(row[sample * 2]) | Int(row[sample * 2 + 1]) << 8
                            out[sample] = opaque && sample & 3 == 3 ? 1023 : UInt16((value * 1023 + 32767) / 65535)
                        }
                    }
                } else {
                    for byte in 0..<row.count { out[byte] = opaque && byte & 3 == 3 ? 255 : row[byte] }
                }
            }
        }

        deinit { heif_image_release(image) }
    }
#endif
