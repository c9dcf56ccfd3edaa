#if ICO
    import GannetCodecs
    import GannetCore

    /// Icons through the decoder alone.
    enum ICOTrial {
        static func decode(
            _ bytes: [UInt8], _ change: (inout DecodeOptions) -> Void = { _ in }
        ) throws(ImageError) -> (bitmap: Bitmap, header: ImageHeader) {
            var options = DecodeOptions()
            change(&options)
            let decoder = try ICOCoder().makeDecoder(
                for: .ico, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(bytes))
            guard let header = decoder.header, let layout = decoder.outputLayout else { throw ImageError(.misuse, "none") }
            var buffer = try PixelBuffer(layout)
            try decoder.decodeFrame(at: 0, into: &buffer)
            return (buffer.freeze(), header)
        }
    }
#endif
