import GannetCodecs
import GannetCore
import GannetImages
import GannetTesting
import Testing

/// The effect of `options.alpha`, in every format that has alpha.
@Suite("Alpha as it is asked for") struct AlphaTests {
    static let clear = CoderBehaviourTests.written.filter { $0 != .jpeg }

    private func decoder(
        _ bytes: ByteRope, _ format: ImageFormat, _ alpha: AlphaMode, allowsPartial: Bool = false
    ) throws -> any ImageDecoder {
        var options = DecodeOptions()
        options.alpha = alpha
        options.allowsPartial = allowsPartial
        let (coder, _) = try #require(AvailableCoders.recognizing(bytes))
        let decoder = try coder.makeDecoder(
            for: format, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
        _ = try decoder.read(from: bytes)
        return decoder
    }

    private func frame(_ decoder: any ImageDecoder, _ index: Int = 0) throws -> Bitmap {
        var buffer = try PixelBuffer(try #require(decoder.outputLayout))
        buffer.fill(0xA5)
        try decoder.decodeFrame(at: index, into: &buffer)
        return buffer.freeze()
    }

    private func isSolid(_ picture: Bitmap) -> Bool {
        let bytes = picture.packedBytes()
        return stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
    }

    @Test("Stills", arguments: clear, [AlphaMode.premultiplied, .straight, .opaque])
    func stills(format: ImageFormat, alpha: AlphaMode) throws {
        let bytes = try CoderBehaviourTests.encode(
            TestImages.still(try TestImages.flat(isOpaque: false)), EncodeOptions(format: format))
        let picture = try frame(try decoder(bytes, format, alpha))
        #expect(picture.layout.alpha == alpha)
        #expect(isSolid(picture) == (alpha == .opaque))
        let shown = try CoderBehaviourTests.decode(bytes) {
            $0.alpha = alpha
            $0.target = .size(.fit(8, 8))
        }
        #expect(shown.bitmap.layout.alpha == alpha)
        #expect(isSolid(shown.bitmap) == (alpha == .opaque))
    }

    @Test("Animations", arguments: CoderBehaviourTests.moving, [AlphaMode.premultiplied, .straight, .opaque])
    func animations(format: ImageFormat, alpha: AlphaMode) throws {
        let bytes = try CoderBehaviourTests.encode(
            .animated(try TestImages.animation(frames: 3, clears: true)), EncodeOptions(format: format))
        let decoder = try decoder(bytes, format, alpha)
        for index in [0, 2, 1] {
            let picture = try frame(decoder, index)
            #expect(picture.layout.alpha == alpha, "frame \(index)")
            #expect(isSolid(picture) == (alpha == .opaque), "frame \(index)")
        }
    }

    /// Rows that did not come are clear, so a picture without alpha has some then, unless none is wanted.
    @Test("Files that end early", arguments: CoderBehaviourTests.written, [AlphaMode.premultiplied, .straight, .opaque])
    func partial(format: ImageFormat, alpha: AlphaMode) throws {
        let whole = try CoderBehaviourTests.encode(
            TestImages.still(try TestImages.noise(width: 64, height: 64)), EncodeOptions(format: format)
        ).contiguous()
        let bytes = ByteRope(Array(whole.prefix(whole.count / 2)))
        // Not every format can show a part.
        guard let decoder = try? decoder(bytes, format, alpha, allowsPartial: true), let picture = try? frame(decoder) else {
            return
        }
        #expect(decoder.isPartial)
        if alpha == .opaque { #expect(picture.layout.alpha == .opaque) }
        #expect(isSolid(picture) || picture.layout.alpha != .opaque)
    }
}
