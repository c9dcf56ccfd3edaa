#if ColorManagement
    package import GannetCore
    import GannetKernels

    /// Converts colours to sRGB through Little CMS, with the perceptual intent.
    ///
    /// Creating a conversion costs up to 20 ms for profiles with tables, so the last ones are kept. A profile that is sRGB
    /// itself costs one comparison. All threads may share one value.
    package struct LCMSColorManager: ColorManager, WorkerLoadable {
        private let cache: LCMSTransformCache

        /// - Parameter capacity: The number of conversions kept; the least recently used one is dropped first.
        package init(capacity: Int) { cache = LCMSTransformCache(capacity: capacity) }

        /// Keeps 16 conversions.
        package init() { self.init(capacity: 16) }

        /// Uses the profile if there is one, otherwise the code points; without either, values count as sRGB.
        package func converter(from colorSpace: ColorSpace, format: PixelFormat) throws(ImageError) -> (any ColorConverter)? {
            switch colorSpace.model {
            case .rgb, .gray: break
            case .cmyk, .ycck, .lab:
                throw ImageError(
                    .misuse, stage: .decode, "Pixels of the model \(colorSpace.model.rawValue) become RGB in their decoder first."
                )
            }
            let key: LCMSTransformKey
            if !colorSpace.iccProfile.isEmpty {
                let model: LCMSTransformKey.Model = colorSpace.model == .gray ? .gray : .rgb
                key = LCMSTransformKey(source: .profile(colorSpace.iccProfile, model), isDeep: format == .rgba16)
            } else if let cicp = colorSpace.cicp, !cicp.isSRGB {
                key = LCMSTransformKey(source: .codePoints(cicp.primaries, cicp.transfer), isDeep: format == .rgba16)
            } else {
                return nil
            }
            return try cache.transform(for: key).map { LCMSConverter($0) }
        }

        package func cmykConverter(iccProfile: [UInt8]) throws(ImageError) -> (any ColorConverter)? {
            guard !iccProfile.isEmpty else { return PlainInkConverter() }
            return try cache.transform(for: LCMSTransformKey(source: .profile(iccProfile, .cmyk), isDeep: false))
                .map { LCMSConverter($0) }
        }
    }

    /// Applies one conversion to rows.
    final class LCMSConverter: ColorConverter {
        private let transform: LCMSTransform

        init(_ transform: LCMSTransform) { self.transform = transform }

        func convert(_ buffer: inout PixelBuffer) throws(ImageError) {
            guard buffer.layout.alpha != .premultiplied else {
                throw ImageError(.misuse, stage: .decode, "Colours are converted before they are multiplied by alpha.")
            }
            for y in 0..<buffer.size.height {
                if y & 63 == 0 { try ImageError.checkCancellation(stage: .decode) }
                let width = buffer.size.width
                var row = buffer.mutableRow(y)
                convertRow(&row, count: width)
            }
        }

        func convertRow(_ pixels: inout MutableSpan<UInt8>, count: Int) { transform.apply(&pixels, count: count) }
    }

    /// Converts inks without a profile: red is the light that cyan and black leave.
    final class PlainInkConverter: ColorConverter {
        func convert(_ buffer: inout PixelBuffer) throws(ImageError) {
            for y in 0..<buffer.size.height {
                let width = buffer.size.width
                var row = buffer.mutableRow(y)
                convertRow(&row, count: width)
            }
        }

        func convertRow(_ pixels: inout MutableSpan<UInt8>, count: Int) { PlainInks.convert(&pixels, count: count) }
    }
#endif
