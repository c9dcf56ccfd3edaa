#if HEIC
    import CGannetKernels
    import CHEIF
    import GannetCore

    /// The 8-bit samples of the HEVC decoder, before any conversion. Owner of libheif's image; the planes live as long as this
    /// value.
    ///
    /// libheif 1.15 spends a quarter of the total time, and a copy of the image, on the conversion to RGBA. The kernel needs a
    /// fiftieth of that time and writes directly into the destination.
    struct HEICPlanes: ~Copyable {
        private struct Plane {
            var base: UnsafePointer<UInt8>
            var stride: Int

            func row(_ y: Int) -> UnsafePointer<UInt8> { base + y * stride }
        }

        private enum Samples {
            case gray(Plane)
            /// Chroma samples span one or two pixels in width and height.
            case ycc(Plane, Plane, Plane, isHalfWide: Bool, isHalfHigh: Bool)
            case rgb(Plane, Plane, Plane)
        }

        private let image: OpaquePointer
        let width: Int
        let height: Int
        private let samples: Samples
        private let alpha: Plane?
        private let matrix: gannet_ycc

        /// Takes ownership of the image. Nil, with the image released, if libheif has to convert these samples.
        init?(_ image: OpaquePointer) {
            guard let (size, samples, alpha, matrix) = Self.read(image) else {
                heif_image_release(image)
                return nil
            }
            self.image = image
            (width, height) = size
            (self.samples, self.alpha, self.matrix) = (samples, alpha, matrix)
        }

        deinit { heif_image_release(image) }

        private static func read(
            _ image: OpaquePointer
        ) -> (size: (Int, Int), samples: Samples, alpha: Plane?, matrix: gannet_ycc)? {
            let chroma = heif_image_get_chroma_format(image)
            let colorspace = heif_image_get_colorspace(image)
            let first = colorspace == heif_colorspace_RGB ? heif_channel_R : heif_channel_Y
            let size = (Int(heif_image_get_width(image, first)), Int(heif_image_get_height(image, first)))
            var alpha: Plane?
            if heif_image_has_channel(image, heif_channel_Alpha) != 0 {
                alpha = plane(heif_channel_Alpha, of: image, size)
                if alpha == nil { return nil }
            }
            guard let main = plane(first, of: image, size) else { return nil }
            let color = color(of: image)

            switch (colorspace, chroma) {
            case (heif_colorspace_RGB, heif_chroma_444):
                guard let green = plane(heif_channel_G, of: image, size), let blue = plane(heif_channel_B, of: image, size)
                else { return nil }
                return (size, .rgb(main, green, blue), alpha, gannet_ycc())
            case (heif_colorspace_monochrome, _), (heif_colorspace_YCbCr, gannet_heif_chroma_monochrome):
                guard let (kr, kb) = weights(color.matrix) ?? weights(6) else { return nil }
                return (size, .gray(main), alpha, gannet_ycc_make(kr, kb, color.isFullRange ? 1 : 0))
            case (heif_colorspace_YCbCr, heif_chroma_420), (heif_colorspace_YCbCr, heif_chroma_422),
                (heif_colorspace_YCbCr, heif_chroma_444):
                let isHalfWide = chroma != heif_chroma_444
                let isHalfHigh = chroma == heif_chroma_420
                let small = (isHalfWide ? (size.0 + 1) / 2 : size.0, isHalfHigh ? (size.1 + 1) / 2 : size.1)
                guard let cb = plane(heif_channel_Cb, of: image, small), let cr = plane(heif_channel_Cr, of: image, small)
                else { return nil }
                if color.matrix == 0 {
                    // Green, blue and red under other names.
                    guard chroma == heif_chroma_444, color.isFullRange else { return nil }
                    return (size, .rgb(cr, main, cb), alpha, gannet_ycc())
                }
                guard let (kr, kb) = weights(color.matrix) else { return nil }
                return (
                    size, .ycc(main, cb, cr, isHalfWide: isHalfWide, isHalfHigh: isHalfHigh), alpha,
                    gannet_ycc_make(kr, kb, color.isFullRange ? 1 : 0)
                )
            default: return nil
            }
        }

        /// Nil if the plane is missing, too small, or has another depth.
        private static func plane(_ channel: heif_channel, of image: OpaquePointer, _ size: (Int, Int)) -> Plane? {
            guard size.0 > 0, size.1 > 0, heif_image_get_bits_per_pixel_range(image, channel) == 8,
                Int(heif_image_get_width(image, channel)) >= size.0, Int(heif_image_get_height(image, channel)) >= size.1
            else { return nil }
            var stride: Int32 = 0
            guard let base = heif_image_get_plane_readonly(image, channel, &stride), Int(stride) >= size.0 else { return nil }
            return Plane(base: base, stride: Int(stride))
        }

        private static func color(of image: OpaquePointer) -> (matrix: Int, isFullRange: Bool) {
            var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
            guard heif_image_get_nclx_color_profile(image, &profile).code == heif_error_Ok, let profile else { return (2, true) }
            defer { heif_nclx_color_profile_free(profile) }
            return (Int(profile.pointee.matrix_coefficients.rawValue), profile.pointee.full_range_flag != 0)
        }

        /// The weights of red and blue in the luma (ITU-T H.273, table 4); BT.601 if unspecified, as in libheif. Nil: not of this
        /// kind.
        private static func weights(_ matrix: Int) -> (kr: Double, kb: Double)? {
            switch matrix {
            case 1: (0.2126, 0.0722)
            case 2, 5, 6: (0.299, 0.114)
            case 4: (0.30, 0.11)
            case 7: (0.212, 0.087)
            case 9: (0.2627, 0.0593)
            default: nil
            }
        }

        /// Writes 8-bit RGBA of the upper left part, `width` × `height`, rows `stride` bytes apart. O(pixels).
        func write(to target: UnsafeMutablePointer<UInt8>, stride: Int, width: Int, height: Int) {
            precondition(width <= self.width && height <= self.height)
            withUnsafePointer(to: matrix) { matrix in
                for y in 0..<height {
                    let out = target + y * stride
                    let alpha = alpha?.row(y)
                    switch samples {
                    case .gray(let luma): gannet_ycc_row(out, luma.row(y), nil, nil, alpha, width, 0, matrix)
                    case .ycc(let luma, let cb, let cr, let isHalfWide, let isHalfHigh):
                        let small = isHalfHigh ? y / 2 : y
                        gannet_ycc_row(
                            out, luma.row(y), cb.row(small), cr.row(small), alpha, width, isHalfWide ? 1 : 0, matrix)
                    case .rgb(let red, let green, let blue):
                        gannet_rgb_row(out, red.row(y), green.row(y), blue.row(y), alpha, width)
                    }
                }
            }
        }
    }
#endif
