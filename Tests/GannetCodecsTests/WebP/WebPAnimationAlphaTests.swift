#if WebP
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    /// What the header of an animation says of alpha: many decoders give no alpha where it says that there is none.
    struct WebPAnimationAlphaTests {
        private func file(clears: Bool, quality: Int) throws -> [UInt8] {
            let encoder = try #require(try WebPCoder().makeEncoder(for: .webp, options: EncodeOptions(quality: quality)))
            return try encoder.encode(.animated(try TestImages.animation(frames: 3, clears: clears)))
        }

        /// Each rectangle is an opaque block, and the canvas around it is clear.
        @Test(arguments: [80, 100]) func opaqueRectanglesOnAClearCanvasAreAlpha(quality: Int) throws {
            let file = try file(clears: true, quality: quality)
            try #require(file[12..<16].elementsEqual("VP8X".utf8))
            #expect(file[20] & 0x10 != 0)
            let decoder = try WebPCoder().makeDecoder(
                for: .webp, options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment())
            #expect(try decoder.read(from: ByteRope(file)) == .finished)
            #expect(decoder.header?.hasAlpha == true)
        }

        /// Without loss, libwebp leaves pixels clear that do not change, and sets the flag itself.
        @Test func opaqueAnimationsHaveNone() throws {
            let file = try file(clears: false, quality: 80)
            try #require(file[12..<16].elementsEqual("VP8X".utf8))
            #expect(file[20] & 0x10 == 0)
        }
    }
#endif
