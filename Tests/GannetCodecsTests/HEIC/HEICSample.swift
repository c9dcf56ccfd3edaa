#if HEIC
    import CHEIF
    import GannetCore
    import Testing

    @testable import GannetCodecs

    /// Sequences, which our encoder does not write: through the library's own encoder, and put together by hand.
    struct HEICSample {
        var width = 72
        var height = 64
        /// Frames may refer to later ones, which are then stored before them.
        var refersForward = false
        /// 0 is for ever.
        var repetitions: UInt32 = 1
        /// Straight red, green, blue and alpha of a pixel; frame n is shifted left by n pixels.
        var pixel: (_ x: Int, _ y: Int) -> [UInt8] = { x, y in
            [UInt8(x * 9 & 255), UInt8(y * 14 & 255), UInt8((x * 5 + y * 3) & 255), 255]
        }

        static var isSupported: Bool { gannet_heif_sequence_is_supported() == 1 }

        func pixels(_ frame: Int) -> [UInt8] {
            (0..<height).flatMap { y in (0..<width).flatMap { pixel($0 + frame, y) } }
        }

        private var hasAlpha: Bool { (0..<width).contains { pixel($0, 0)[3] != 255 } }

        /// By the library's encoder, nearly without loss; durations in hundredths of a second.
        func sequence(durations: [Int]) throws -> [UInt8] {
            let context = try #require(heif_context_alloc())
            defer { heif_context_free(context) }
            var made: OpaquePointer?
            try check(heif_context_get_encoder_for_format(context, heif_compression_HEVC, &made))
            let encoder = try #require(made)
            defer { heif_encoder_release(encoder) }
            try check(heif_encoder_set_lossless(encoder, 1))
            try check(heif_encoder_set_parameter_string(encoder, "chroma", "444"))
            try check(heif_encoder_set_parameter_string(encoder, "preset", "ultrafast"))
            let colors = try #require(heif_nclx_color_profile_alloc())
            defer { heif_nclx_color_profile_free(colors) }
            colors.pointee.color_primaries = heif_color_primaries_ITU_R_BT_709_5
            colors.pointee.transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1
            colors.pointee.matrix_coefficients = heif_matrix_coefficients_RGB_GBR
            colors.pointee.full_range_flag = 1
            var opened: OpaquePointer?
            try check(gannet_heif_sequence_begin(context, UInt16(width), UInt16(height), 100, repetitions, &opened))
            let track = try #require(opened)
            defer { gannet_heif_sequence_close(track) }
            for (frame, duration) in durations.enumerated() {
                let image = try image(frame)
                defer { heif_image_release(image) }
                try check(
                    gannet_heif_sequence_add(
                        track, image, UInt32(duration), encoder, colors, hasAlpha ? 1 : 0, refersForward ? 1 : 0))
            }
            try check(gannet_heif_sequence_end(track, encoder))
            return try written(context)
        }

        private func image(_ frame: Int) throws -> OpaquePointer {
            var made: OpaquePointer?
            let chroma = hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
            try check(heif_image_create(Int32(width), Int32(height), heif_colorspace_RGB, chroma, &made))
            let image = try #require(made)
            try check(heif_image_add_plane(image, heif_channel_interleaved, Int32(width), Int32(height), 8))
            var stride: Int32 = 0
            let rows = try #require(heif_image_get_plane(image, heif_channel_interleaved, &stride))
            let channels = hasAlpha ? 4 : 3
            for y in 0..<height {
                for x in 0..<width {
                    for (channel, value) in pixel(x + frame, y).prefix(channels).enumerated() {
                        rows[y * Int(stride) + x * channels + channel] = value
                    }
                }
            }
            return image
        }

        private final class Output { var bytes: [UInt8] = [] }

        private func written(_ context: OpaquePointer) throws -> [UInt8] {
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

        private func check(_ error: heif_error) throws {
            try #require(error.code == heif_error_Ok, "\(error.message.map { String(cString: $0) } ?? "")")
        }
    }

    /// A track of independent frames, each coded as a still image, with tables that may lie (ISO/IEC 14496-12 §8).
    struct TrackFileWriter {
        private typealias Writer = PictureFileWriter

        var brand = "msf1"
        var frames: [PictureFileWriter.Item]
        var size: (width: Int, height: Int)
        /// A still image of the same file, with its boxes and data.
        var still: PictureFileWriter.Item?
        var count: Int?
        var times: [[Int]]
        /// Offsets from decoding to display.
        var offsets: [[Int]]?
        /// First chunk, frames in each, and kind.
        var groups: [[Int]]
        /// Places of chunks, from the start of the data.
        var chunks = [0]
        var handler = "pict"
        /// Whole boxes after the configuration.
        var properties: [UInt8] = []
        var edits: [UInt8] = []

        init(_ frames: [PictureFileWriter.Item], _ width: Int, _ height: Int) {
            self.frames = frames
            size = (width, height)
            times = [[frames.count, 5]]
            groups = [[1, frames.count, 1]]
        }

        private static func full(_ type: String, _ numbers: [Int], version: UInt8 = 0) -> [UInt8] {
            Writer.box(type, [version, 0, 0, 0] + numbers.flatMap { Writer.number($0, 4) })
        }

        var bytes: [UInt8] {
            let start = Writer.box("ftyp", Array("\(brand)\0\0\0\0msf1mif1heichevc".utf8))
            var items: [UInt8] = []
            if let still {
                let file = PictureFileWriter(brand: "heic", items: [still]).bytes
                // Its data are the first of all.
                items = Array(file.dropFirst(ISOBoxes(bytes: file).first("meta")?.start ?? 0).dropLast(still.data.count + 8))
            }
            let data = frames.flatMap(\.data)
            let length = start.count + items.count + movie(dataAt: 0).count
            if let still {
                // The place of the data is the only number in the box that depends on the rest.
                let file = PictureFileWriter(brand: "heic", items: [still]).bytes
                let old = file.count - still.data.count
                let new = length + 8
                if let place = items.firstRange(of: Writer.number(old, 4) + Writer.number(still.data.count, 4)) {
                    items.replaceSubrange(place.lowerBound..<place.lowerBound + 4, with: Writer.number(new, 4))
                }
            }
            let before = still?.data ?? []
            return start + items + movie(dataAt: length + 8 + before.count) + Writer.box("mdat", before + data)
        }

        private func movie(dataAt place: Int) -> [UInt8] {
            let configuration = frames[0].properties.first { Array($0[4..<8]) == Array("hvcC".utf8) } ?? []
            let parts: [[UInt8]] = [
                [0, 0, 0, 0, 0, 0, 0, 1], Writer.number(0, 16), Writer.number(size.width, 2), Writer.number(size.height, 2),
                Writer.number(0, 50), configuration, properties,
            ]
            let entry = Writer.box("hvc1", Array(parts.joined()))
            let sizes = frames.map(\.data.count)
            var tables = Writer.box("stsd", Writer.number(0, 4) + Writer.number(1, 4) + entry)
            tables += Self.full("stts", [times.count] + times.flatMap { $0 })
            if let offsets { tables += Self.full("ctts", [offsets.count] + offsets.flatMap { $0 }, version: 1) }
            tables += Self.full("stsc", [groups.count] + groups.flatMap { $0 })
            tables += Self.full("stsz", [0, count ?? sizes.count] + sizes)
            tables += Self.full("stco", [chunks.count] + chunks.map { $0 + place })
            let media =
                Self.full("mdhd", [0, 0, 100, 5 * frames.count, 0])
                + Writer.box("hdlr", Writer.number(0, 8) + Array(handler.utf8) + Writer.number(0, 13))
                + Writer.box("minf", Self.full("vmhd", [0, 0]) + Writer.box("stbl", tables))
            let header = Self.full("tkhd", [0, 0, 1, 0, 5 * frames.count] + [Int](repeating: 0, count: 15))
            return Writer.box(
                "moov",
                Self.full("mvhd", [0, 0, 100, 5 * frames.count] + [Int](repeating: 0, count: 20))
                    + Writer.box("trak", header + edits + Writer.box("mdia", media)))
        }
    }
#endif
