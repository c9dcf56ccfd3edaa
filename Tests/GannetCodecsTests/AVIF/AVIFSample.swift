#if AVIF
    import CAVIF
    import GannetCore
    import Testing

    @testable import GannetCodecs

    /// Writes AVIF files that our encoder does not write, through the library's own one. Without loss where the layout is 4:4:4.
    struct AVIFSample {
        var width = 4
        var height = 3
        var depth = 8
        var format = AVIF_PIXEL_FORMAT_YUV444
        var isPremultiplied = false
        /// Angle in quarter turns against the clock, and whether "irot" is written at all; the same for "imir".
        var rotation: Int?
        var mirror: Int?
        /// Width, height and offsets of a clean aperture, each a fraction.
        var aperture: [Int32] = []
        var profile: [UInt8] = []
        var exif: [UInt8] = []
        /// Colour, then alpha of these are lost a little if false.
        var isLossless = true
        /// Straight red, green, blue and alpha, 0 … 255, of a pixel.
        var pixel: (_ x: Int, _ y: Int) -> [UInt8]

        init(width: Int, height: Int, pixel: @escaping (_ x: Int, _ y: Int) -> [UInt8]) {
            self.width = width
            self.height = height
            self.pixel = pixel
        }

        func bytes() throws -> [UInt8] {
            let image = try makeImage(atX: 0, y: 0, width, height)
            defer { avifImageDestroy(image) }
            return try write { avifEncoderAddImage($0, image, 1, avifAddImageFlags(AVIF_ADD_IMAGE_FLAG_SINGLE.rawValue)) }
        }

        /// The same image in tiles, each coded independently.
        func grid(columns: Int, rows: Int) throws -> [UInt8] {
            var tiles: [UnsafePointer<avifImage>?] = []
            let (across, down) = (width / columns, height / rows)
            for tile in 0..<columns * rows {
                tiles.append(UnsafePointer(try makeImage(atX: tile % columns * across, y: tile / columns * down, across, down)))
            }
            defer { for tile in tiles { avifImageDestroy(UnsafeMutablePointer(mutating: tile)) } }
            return try write {
                avifEncoderAddImageGrid(
                    $0, UInt32(columns), UInt32(rows), &tiles, avifAddImageFlags(AVIF_ADD_IMAGE_FLAG_SINGLE.rawValue))
            }
        }

        /// A sequence whose frame n is shifted left by n pixels; durations in hundredths of a second.
        func sequence(durations: [Int]) throws -> [UInt8] {
            if aperture.count == 8 { return try cutSequence(durations: durations) }
            var images: [UnsafeMutablePointer<avifImage>] = []
            for index in durations.indices { images.append(try makeImage(atX: index, y: 0, width, height)) }
            defer { for image in images { avifImageDestroy(image) } }
            return try write { encoder in
                encoder.pointee.timescale = 100
                for (image, duration) in zip(images, durations) {
                    let flags = avifAddImageFlags(AVIF_ADD_IMAGE_FLAG_NONE.rawValue)
                    let result = avifEncoderAddImage(encoder, image, UInt64(duration), flags)
                    if result != AVIF_RESULT_OK { return result }
                }
                return AVIF_RESULT_OK
            }
        }

        /// With the aperture in the place of a profile of the same length: libavif 1.2 ends the process where it is to write one into a
        /// sequence.
        private func cutSequence(durations: [Int]) throws -> [UInt8] {
            let place = PictureFileWriter.box("colr", Array("prof".utf8) + [UInt8](repeating: 0x2A, count: 28))
            let box = PictureFileWriter.box("clap", aperture.flatMap { PictureFileWriter.number(Int($0), 4) })
            var plain = self
            plain.aperture = []
            plain.profile = Array(place.suffix(28))
            var bytes = try plain.sequence(durations: durations)
            // The item of the first frame keeps the profile: an aperture would have to be essential there.
            let movie = try #require(ISOBoxes(bytes: bytes).first("moov")).content
            let ranges = bytes[movie].ranges(of: place)
            try #require(!ranges.isEmpty && place.count == box.count)
            for range in ranges { bytes.replaceSubrange(range, with: box) }
            return bytes
        }

        private func write(_ add: (UnsafeMutablePointer<avifEncoder>) -> avifResult) throws -> [UInt8] {
            let encoder = try #require(avifEncoderCreate())
            defer { avifEncoderDestroy(encoder) }
            encoder.pointee.speed = 10
            if isLossless {
                encoder.pointee.maxQuantizer = 0
                encoder.pointee.maxQuantizerAlpha = 0
            }
            try #require(add(encoder) == AVIF_RESULT_OK)
            var output = avifRWData()
            defer { avifRWDataFree(&output) }
            try #require(avifEncoderFinish(encoder, &output) == AVIF_RESULT_OK)
            return Array(UnsafeBufferPointer(start: output.data, count: output.size))
        }

        private func makeImage(
            atX left: Int, y top: Int, _ width: Int, _ height: Int
        ) throws -> UnsafeMutablePointer<avifImage> {
            let image = try #require(avifImageCreate(UInt32(width), UInt32(height), UInt32(depth), format))
            let isIdentity = format == AVIF_PIXEL_FORMAT_YUV444
            image.pointee.matrixCoefficients = avifMatrixCoefficients(
                isIdentity ? AVIF_MATRIX_COEFFICIENTS_IDENTITY : AVIF_MATRIX_COEFFICIENTS_BT709)
            image.pointee.colorPrimaries = avifColorPrimaries(AVIF_COLOR_PRIMARIES_BT709)
            image.pointee.transferCharacteristics = avifTransferCharacteristics(AVIF_TRANSFER_CHARACTERISTICS_SRGB)
            image.pointee.yuvRange = isIdentity ? AVIF_RANGE_FULL : AVIF_RANGE_LIMITED
            image.pointee.alphaPremultiplied = isPremultiplied ? 1 : 0
            if !exif.isEmpty {
                // The library converts the orientation in EXIF to "irot" and "imir" automatically.
                avifImageSetMetadataExif(image, exif, exif.count)
                image.pointee.transformFlags = 0
            }
            if let rotation {
                image.pointee.transformFlags |= AVIF_TRANSFORM_IROT.rawValue
                image.pointee.irot.angle = UInt8(rotation)
            }
            if let mirror {
                image.pointee.transformFlags |= AVIF_TRANSFORM_IMIR.rawValue
                gannet_avif_mirror_axis(&image.pointee.imir).pointee = UInt8(mirror)
            }
            if aperture.count == 8 {
                let fields = aperture.map { UInt32(bitPattern: $0) }
                image.pointee.transformFlags |= AVIF_TRANSFORM_CLAP.rawValue
                image.pointee.clap = avifCleanApertureBox(
                    widthN: fields[0], widthD: fields[1], heightN: fields[2], heightD: fields[3], horizOffN: fields[4],
                    horizOffD: fields[5], vertOffN: fields[6], vertOffD: fields[7])
            }
            if !profile.isEmpty { avifImageSetProfileICC(image, profile, profile.count) }
            var pixels: [UInt8] = []
            for y in 0..<height { for x in 0..<width { pixels += pixel(left + x, top + y) } }
            var rgb = avifRGBImage()
            avifRGBImageSetDefaults(&rgb, image)
            rgb.format = AVIF_RGB_FORMAT_RGBA
            rgb.depth = 8
            rgb.ignoreAlpha = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 } ? 1 : 0
            rgb.rowBytes = UInt32(width * 4)
            try pixels.withUnsafeMutableBufferPointer { pixels in
                rgb.pixels = pixels.baseAddress
                try #require(avifImageRGBToYUV(image, &rgb) == AVIF_RESULT_OK)
            }
            return image
        }
    }
#endif
