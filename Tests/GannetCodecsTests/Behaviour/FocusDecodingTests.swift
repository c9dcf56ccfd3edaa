#if PNG
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    /// The decoder crops around the focus as a resize of the whole image does.
    struct FocusDecodingTests {
        @Test(arguments: [TargetSize.Focus.point(x: 0, y: 0), .point(x: 1, y: 1), .point(x: 0.3, y: 0.5), .attention])
        func decodedAsResized(_ focus: TargetSize.Focus) throws {
            let coders = AvailableCoders.manager
            let image = TestImages.still(try TestImages.gradient(width: 96, height: 32))
            let bytes = try ImageEncoding(coders: coders).encode(image, options: EncodeOptions(format: .png)).bytes
            let decoding = ImageDecoding(coders: coders)
            // The scale is 1, so that both ways have the same pixels.
            let target = TargetSize.fill(32, 32).focused(on: focus)
            var options = ResolvedDecodeOptions()
            options.target = .size(target)
            let whole = try decoding.decode(bytes, options: ResolvedDecodeOptions())
            let decoded = try decoding.decode(bytes, options: options)
            #expect(decoded.bitmap.packedBytes() == (try whole.bitmap.resized(target)).packedBytes())
        }
    }
#endif
