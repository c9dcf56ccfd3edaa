import GannetCore
import GannetTesting
import Testing

/// Shared by the suites of coders that also encode: files of drawn images, and the requirements that all of them must meet.
struct WritingCoder {
    var coder: any ImageCoder
    /// Bytes at the end of a file whose loss need not be noticed.
    var insignificantTail = 0
    /// The quickest way to write, so that tests are quick.
    var effort: Int?

    private var format: ImageFormat { coder.formats[0] }

    func options(_ change: (inout EncodeOptions) -> Void = { _ in }) -> EncodeOptions {
        var options = EncodeOptions(effort: effort)
        change(&options)
        return options
    }

    func file(_ image: DecodedImage, _ options: EncodeOptions? = nil) throws -> [UInt8] {
        try #require(try coder.makeEncoder(for: format, options: options ?? self.options())).encode(image)
    }

    func conformance(_ image: DecodedImage, _ name: String, _ options: EncodeOptions? = nil) throws -> CoderConformance {
        CoderConformance(
            coder, format: format, sample: try file(image, options), name: name, insignificantTail: insignificantTail)
    }

    // MARK: - What must hold

    func expectPromises(
        _ image: DecodedImage, _ name: String, _ options: EncodeOptions? = nil, at place: SourceLocation = #_sourceLocation
    ) async throws {
        let check = try conformance(image, name, options)
        #expect(check.failures() == [], sourceLocation: place)
        #expect(check.opacity() == [], sourceLocation: place)
        #expect(await check.cancellation() == [], sourceLocation: place)
    }

    func expectReturn(
        of image: DecodedImage, _ options: EncodeOptions? = nil, within tolerance: Int,
        at place: SourceLocation = #_sourceLocation
    ) {
        let check = CoderConformance(coder, format: format, sample: [], name: "written")
        let failures = check.roundTrip(image, options: options ?? self.options(), tolerance: tolerance)
        #expect(failures == [], sourceLocation: place)
    }

    /// Small pictures of every width, clear ones, flat ones, the first frame of an animation: all exactly.
    func expectExactReturns(at place: SourceLocation = #_sourceLocation) throws {
        for width in 1...9 {
            expectReturn(of: TestImages.still(try TestImages.noise(width: width, height: 5)), within: 0, at: place)
        }
        for picture in [
            try TestImages.discs(), try TestImages.flat(), try TestImages.flat(isOpaque: false),
            try TestImages.gradient(width: 70, height: 3),
        ] { expectReturn(of: TestImages.still(picture), within: 0, at: place) }
        let animation = DecodedImage.animated(try TestImages.animation())
        expectReturn(of: animation, options { $0.firstFrameOnly = true }, within: 0, at: place)
    }

    /// Files do not exceed the requested limits, in pixels and in bytes; if that is impossible, the error says so.
    func expectSizesKept(at place: SourceLocation = #_sourceLocation) throws {
        let picture = TestImages.still(try TestImages.noise(width: 96, height: 64))
        let fitted = try file(picture, options { $0.maximumPixelSize = PixelSize(width: 32, height: 32) })
        #expect(try header(fitted).size == PixelSize(width: 32, height: 21), sourceLocation: place)
        let half = try file(picture).count / 2
        #expect(try file(picture, options { $0.maximumFileSize = half }).count <= half, sourceLocation: place)
        let tiny = TestImages.still(try TestImages.noise(width: 4, height: 4))
        let error = #expect(throws: ImageError.self, sourceLocation: place) {
            try file(tiny, options { $0.maximumFileSize = 10 })
        }
        #expect(error?.code == .encodeFailed, sourceLocation: place)
    }

    /// 16 bits in, and 16 or 8 out, exact to the given number of 8-bit steps.
    func expectDeepReturn(within deepError: Double, _ plainError: Double, at place: SourceLocation = #_sourceLocation) throws {
        let ramp = TestImages.still(try DeepPictures.ramp(width: 64, height: 8))
        let bytes = try file(ramp, options { $0.quality = 100 })
        for keeps in [true, false] {
            let picture = try decode(bytes) { $0.keeps16Bit = keeps }
            #expect(picture.layout.format == (keeps ? .rgba16 : .rgba8), sourceLocation: place)
            #expect(DeepPictures.largestError(picture) <= (keeps ? deepError : plainError), sourceLocation: place)
        }
    }

    // MARK: - Decoding

    func header(_ bytes: [UInt8]) throws -> ImageHeader { try #require(try decoder(bytes).header) }

    /// A frame as the decoder delivers it.
    func decode(_ bytes: [UInt8], frame: Int = 0, _ change: (inout DecodeOptions) -> Void = { _ in }) throws -> Bitmap {
        let decoder = try decoder(bytes, change)
        var buffer = try PixelBuffer(try #require(decoder.outputLayout))
        try decoder.decodeFrame(at: frame, into: &buffer)
        return buffer.freeze()
    }

    private func decoder(_ bytes: [UInt8], _ change: (inout DecodeOptions) -> Void = { _ in }) throws -> any ImageDecoder {
        var wishes = DecodeOptions()
        change(&wishes)
        let decoder = try coder.makeDecoder(
            for: format, options: ResolvedDecodeOptions(wishes), environment: DecodeEnvironment())
        _ = try decoder.read(from: ByteRope(bytes))
        return decoder
    }
}
