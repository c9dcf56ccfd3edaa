#if GIF && JPEG && PNG
    import GannetCodecs
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    /// The format chosen for an image if the request names none. // DC-19
    @Suite struct FormatChoiceTests {
        private let encoding = ImageEncoding(coders: CodersManager([JPEGCoder(), PNGCoder(), GIFCoder()]))

        private func animation(_ format: ImageFormat?, frames: Int = 3) throws -> DecodedImage {
            let drawn = try TestImages.animation(frames: frames)
            return .animated(
                AnimatedImage(
                    metadata: ImageMetadata(format: format, originalSize: drawn.metadata.originalSize), poster: drawn.poster,
                    loopCount: drawn.loopCount, delays: drawn.delays, source: drawn.source))
        }

        /// They became a JPEG of their first frame.
        // U-21
        @Test func opaqueAnimationsKeepTheirFrames() throws {
            for format in [nil, ImageFormat.jpeg, .bmp, .webp] {
                #expect(try encoding.encode(animation(format)).format == .png)
            }
            #expect(try encoding.encode(animation(.gif)).format == .gif)
            let alone = ImageEncoding(coders: CodersManager([JPEGCoder(), GIFCoder()]))
            #expect(try alone.encode(animation(nil)).format == .gif)
            let decoded = try ImageDecoding(coders: encoding.coders).decode(
                encoding.encode(animation(nil)).bytes, options: ResolvedDecodeOptions())
            #expect(decoded.frameCount == 3)
        }

        @Test func stillsAreAsBefore() throws {
            #expect(try encoding.encode(animation(nil), options: EncodeOptions(firstFrameOnly: true)).format == .jpeg)
            let flat = try TestImages.flat()
            #expect(try encoding.encode(TestImages.still(flat)).format == .jpeg)
            #expect(try encoding.encode(TestImages.still(TestImages.flat(isOpaque: false))).format == .png)
        }
    }
#endif
