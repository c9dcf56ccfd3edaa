#if JP2
    import COpenJPEG
    import Testing

    /// JPEG 2000 files through the library's own encoder, without loss unless it is asked for; boxes put together by hand.
    struct JP2Sample {
        struct Component {
            var bits = 8
            var isSigned = false
            var dx = 1
            var dy = 1
            /// Of a sample, by its place in the component.
            var value: (_ x: Int, _ y: Int) -> Int
        }

        var width = 24
        var height = 16
        var components: [Component]
        var levels = 3
        /// The size of tiles; nil: one tile.
        var tile: (width: Int, height: Int)?
        /// Of the image on the reference grid.
        var origin = (x: 0, y: 0)
        /// Numbers with fractions (9-7), and a tenth of the bytes.
        var isLossy = false

        static let red: @Sendable (Int, Int) -> Int = { x, y in (x * 9 + y * 2) & 255 }
        static let green: @Sendable (Int, Int) -> Int = { x, y in (x * 3 + y * 11) & 255 }
        static let blue: @Sendable (Int, Int) -> Int = { x, y in (255 - x * 5 - y) & 255 }

        static var rgb: JP2Sample {
            JP2Sample(components: [Component(value: red), Component(value: green), Component(value: blue)])
        }

        static func gray(_ value: @escaping (Int, Int) -> Int) -> JP2Sample { JP2Sample(components: [Component(value: value)]) }

        // MARK: Codestream

        private final class Output {
            var bytes: [UInt8] = []
            var position = 0
        }

        func codestream() throws -> [UInt8] {
            let image = try image()
            defer { opj_image_destroy(image) }
            let codec = try #require(opj_create_compress(OPJ_CODEC_J2K))
            defer { opj_destroy_codec(codec) }
            var parameters = opj_cparameters_t()
            opj_set_default_encoder_parameters(&parameters)
            parameters.tcp_numlayers = 1
            parameters.tcp_rates.0 = isLossy ? 10 : 0
            parameters.irreversible = isLossy ? 1 : 0
            parameters.cp_disto_alloc = 1
            parameters.numresolution = Int32(levels + 1)
            let isPlain = components.count >= 3 && components.prefix(3).allSatisfy { $0.dx == 1 && $0.dy == 1 }
            parameters.tcp_mct = isPlain ? 1 : 0
            if let tile {
                parameters.tile_size_on = OPJ_TRUE
                (parameters.cp_tdx, parameters.cp_tdy) = (Int32(tile.width), Int32(tile.height))
            }
            try #require(opj_setup_encoder(codec, &parameters, image) == OPJ_TRUE)
            let output = Output()
            let stream = try #require(opj_stream_create(1 << 16, OPJ_FALSE))
            defer { opj_stream_destroy(stream) }
            opj_stream_set_user_data(stream, Unmanaged.passUnretained(output).toOpaque(), nil)
            opj_stream_set_write_function(stream) { bytes, count, user in
                guard let bytes, let user else { return 0 }
                let output = Unmanaged<Output>.fromOpaque(user).takeUnretainedValue()
                output.bytes += UnsafeRawBufferPointer(start: bytes, count: count)
                return count
            }
            try #require(opj_start_compress(codec, image, stream) == OPJ_TRUE)
            try #require(opj_encode(codec, stream) == OPJ_TRUE)
            try #require(opj_end_compress(codec, stream) == OPJ_TRUE)
            return withExtendedLifetime(output) { output.bytes }
        }

        private func image() throws -> UnsafeMutablePointer<opj_image_t> {
            var parameters = components.map { component in
                var made = opj_image_cmptparm_t()
                (made.dx, made.dy) = (UInt32(component.dx), UInt32(component.dy))
                func count(_ start: Int, _ length: Int, _ step: Int) -> UInt32 {
                    UInt32((start + length + step - 1) / step - (start + step - 1) / step)
                }
                made.w = count(origin.x, width, component.dx)
                made.h = count(origin.y, height, component.dy)
                (made.x0, made.y0) = (UInt32(origin.x), UInt32(origin.y))
                made.prec = UInt32(component.bits)
                made.sgnd = component.isSigned ? 1 : 0
                return made
            }
            let image = try #require(
                opj_image_create(UInt32(components.count), &parameters, components.count < 3 ? OPJ_CLRSPC_GRAY : OPJ_CLRSPC_SRGB))
            (image.pointee.x0, image.pointee.y0) = (UInt32(origin.x), UInt32(origin.y))
            (image.pointee.x1, image.pointee.y1) = (UInt32(origin.x + width), UInt32(origin.y + height))
            for (number, component) in components.enumerated() {
                let (w, h) = (Int(parameters[number].w), Int(parameters[number].h))
                let data = try #require(image.pointee.comps[number].data)
                for y in 0..<h { for x in 0..<w { data[y * w + x] = Int32(component.value(x, y)) } }
            }
            return image
        }

        // MARK: Boxes

        static func long(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }

        static func box(_ type: String, _ content: [UInt8]) -> [UInt8] { long(content.count + 8) + Array(type.utf8) + content }

        /// By the number of an enumerated colour space: 16 sRGB, 17 grey, 18 sYCC.
        static func colors(_ number: Int) -> [UInt8] { box("colr", [1, 0, 0] + long(number)) }

        static func colors(profile: [UInt8]) -> [UInt8] { box("colr", [2, 0, 0] + profile) }

        /// For each channel its type (0 colour, 1 alpha, 2 premultiplied alpha) and association.
        static func definitions(_ channels: [(type: Int, association: Int)]) -> [UInt8] {
            box(
                "cdef",
                [0, UInt8(channels.count)]
                    + channels.enumerated().flatMap { [0, UInt8($0), 0, UInt8($1.type), 0, UInt8($1.association)] })
        }

        /// The boxes of the header, and others before the codestream.
        func file(_ boxes: [UInt8], before others: [UInt8] = []) throws -> [UInt8] {
            let header =
                Self.box(
                    "ihdr",
                    Self.long(height) + Self.long(width) + [0, UInt8(components.count), 7, 7, 0, 0]) + boxes
            let parts: [[UInt8]] = [
                [0, 0, 0, 12], Array("jP  ".utf8), [13, 10, 0x87, 10], Self.box("ftyp", Array("jp2 \0\0\0\0jp2 ".utf8)),
                Self.box("jp2h", header), others, Self.box("jp2c", try codestream()),
            ]
            return Array(parts.joined())
        }
    }
#endif
