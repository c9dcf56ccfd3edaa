#if JXL
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Files whose headers do not reveal their cost are first decoded in another process.
    @Suite("JPEG XL files that are decoded elsewhere first") struct JXLWorkerTests {
        private func code(_ file: [UInt8], memory: Int, _ limits: DecodeLimits = .standard) -> ImageError.Code? {
            do throws(ImageError) {
                try JXLWorker.check(file, frames: 1, memory: memory, DecodeWatch(limits))
                return nil
            } catch { return error.code }
        }

        private static let bomb = JXLFramesTests.start + JXLFramesTests.hidden(12_000, hasData: true) + JXLFramesTests.last(40)
        /// libjxl ends its process where it gets no memory for it.
        // U-23, S3-06
        @Test("Its end there is an error of that picture alone") func bomb() {
            #expect(code(Self.bomb, memory: 64 << 20) == .limitExceeded)
        }

        @Test("It ends in its time, and when nobody wants it any more") func time() {
            var limits = DecodeLimits.standard
            limits.maximumDecodeTime = .zero
            #expect(code(Self.bomb, memory: 256 << 20, limits) == .limitExceeded)
        }

        @Test("Good files and damaged ones pass") func good() throws {
            let image = TestImages.still(try TestImages.discs(width: 90, height: 70))
            let file = try #require(try JXLCoder().makeEncoder(for: .jxl, options: EncodeOptions())).encode(image)
            #expect(code(file, memory: 64 << 20) == nil)
            #expect(code(Array(file.dropLast(9)), memory: 64 << 20) == nil)
            #expect(code([], memory: 64 << 20) == .limitExceeded)
        }

        /// One frame's end is not in sight, so it is tried; the same pixels come of it.
        @Test("A file whose frames are not known is decoded as others are") func unknown() throws {
            let image = TestImages.still(try TestImages.discs(width: 90, height: 70))
            let file = try #require(try JXLCoder().makeEncoder(for: .jxl, options: EncodeOptions())).encode(image)
            let hidden = JXLFramesTests.start + JXLFramesTests.hidden(1000, isPermuted: true) + JXLFramesTests.last(40)
            let coders = CodersManager([JXLCoder()])
            let decoding = ImageDecoding(coders: coders)
            #expect(throws: ImageError.self) { try decoding.decode(ByteRope(hidden), options: ResolvedDecodeOptions()) }
            #expect(try decoding.decode(ByteRope(file), options: ResolvedDecodeOptions()).size.width == 90)
        }
    }
#endif
