#if JPEG
    import GannetCore
    import Glibc
    import Testing

    @testable import GannetCodecs

    /// Drawn pictures and the files made of them.
    enum JPEGSamples {
        /// Soft colours with one hard edge, so that JPEG keeps it well and every place is different.
        static func picture(_ width: Int, _ height: Int, alpha: UInt8 = 255) throws -> Bitmap {
            var buffer = try PixelBuffer(
                PixelLayout(size: PixelSize(clamping: width, height), alpha: alpha == 255 ? .opaque : .straight))
            for y in 0..<height {
                var row = buffer.mutableRow(y)
                for x in 0..<width {
                    row[x * 4] = UInt8(x * 200 / width + 20)
                    row[x * 4 + 1] = UInt8(y * 200 / height + 20)
                    row[x * 4 + 2] = x > width / 2 ? 200 : 60
                    row[x * 4 + 3] = alpha
                }
            }
            return buffer.freeze()
        }

        static func still(_ bitmap: Bitmap) -> DecodedImage {
            .still(bitmap, ImageMetadata(format: nil, originalSize: bitmap.size))
        }

        static func file(_ width: Int, _ height: Int, _ options: EncodeOptions = EncodeOptions(quality: 95)) throws -> [UInt8] {
            try JPEGEncoder(options).encode(still(picture(width, height)))
        }

        /// A segment with its length.
        static func segment(_ code: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [0xFF, code, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
        }

        /// The file with segments put behind its start marker.
        static func inserting(_ segments: [[UInt8]], into file: [UInt8]) -> [UInt8] {
            Array(file[..<2]) + segments.flatMap { $0 } + Array(file[2...])
        }

        static func decoder(
            _ file: [UInt8], _ options: DecodeOptions = DecodeOptions(), limits: DecodeLimits = .standard,
            budget: ResourceBudget = .unlimited
        ) throws -> JPEGDecoder {
            let decoder = JPEGDecoder(
                options: ResolvedDecodeOptions(options), environment: DecodeEnvironment(limits: limits, budget: budget))
            _ = try decoder.read(from: ByteRope(file))
            return decoder
        }

        static func decode(_ decoder: JPEGDecoder) throws -> Bitmap {
            let layout = try #require(decoder.outputLayout)
            var buffer = try PixelBuffer(layout)
            try decoder.decodeFrame(at: 0, into: &buffer)
            return buffer.freeze()
        }

        static func decode(_ file: [UInt8], _ options: DecodeOptions = DecodeOptions()) throws -> Bitmap {
            try decode(try decoder(file, options))
        }

        /// Peak signal-to-noise ratio of the colours, decibels; infinite for equal pictures.
        static func psnr(_ first: Bitmap, _ second: Bitmap) -> Double {
            let (one, two) = (first.packedBytes(), second.packedBytes())
            var sum = 0.0
            for index in 0..<min(one.count, two.count) where index & 3 != 3 {
                let difference = Double(one[index]) - Double(two[index])
                sum += difference * difference
            }
            return sum == 0 ? .infinity : 10 * log10(Double(one.count) * 0.75 * 255 * 255 / sum)
        }

        static func code(_ body: () throws -> Void) -> ImageError.Code? {
            do {
                try body()
                return nil
            } catch {
                return (error as? ImageError)?.code
            }
        }
    }
#endif
