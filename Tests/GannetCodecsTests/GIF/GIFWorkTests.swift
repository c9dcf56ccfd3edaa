#if GIF
    import GannetCore
    import GannetImages
    import Testing

    @testable import GannetCodecs

    /// Small files with many frames on a large canvas.
    @Suite("Work that a small animation may ask for") struct GIFWorkTests {  // U-02
        /// `frames` frames of one pixel on a canvas of `side` × `side`: 26 bytes each.
        static func file(side: Int, frames: Int) -> [UInt8] {
            var file = Array("GIF89a".utf8)
            file += [UInt8(side & 255), UInt8(side >> 8), UInt8(side & 255), UInt8(side >> 8), 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
            for _ in 0..<frames {
                file += [0x21, 0xF9, 4, 0x04, 5, 0, 0, 0]
                // Codes of 3 bits: clear, colour 1, end.
                file += [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 0x01, 0]
            }
            return file + [0x3B]
        }

        private func code(_ file: [UInt8], _ frames: FrameSelection, limit: Int) -> ImageError.Code? {
            var options = DecodeOptions()
            options.frames = frames
            options.limits = DecodeLimits(maximumAnimationPixels: limit)
            let decoding = ImageDecoding(coders: CodersManager([GIFCoder()]))
            do throws(ImageError) {
                _ = try decoding.decode(ByteRope(file), options: ResolvedDecodeOptions(options))
                return nil
            } catch { return error.code }
        }

        @Test func moreThanTheLimitIsRefused() throws {
            let file = Self.file(side: 500, frames: 100)
            let work = 500 * 500 * 100
            try #require(work > 4000 * file.count)
            #expect(code(file, .all, limit: work) == nil)
            #expect(code(file, .all, limit: work - 1) == .limitExceeded)
            // Frames that are not requested cost nothing.
            #expect(code(file, .first, limit: 0) == nil)
            #expect(code(file, .index(99), limit: work - 1) == .limitExceeded)
        }

        @Test func largeFilesMayAskForMore() throws {
            let file = Self.file(side: 100, frames: 50)
            try #require(100 * 100 * 50 < 4000 * file.count)
            #expect(code(file, .all, limit: 0) == nil)
        }

        /// Codes of 3 bits: clear, and one that cannot come first.
        @Test(arguments: [FrameSelection.first, .index(1), .all]) func damageThatIsAllowedIsTold(frames: FrameSelection) throws {
            var file = Self.file(side: 2, frames: 2)
            let data = try #require(file.indices.last { file[$0] == 0x4C })
            file[data] = 0x7C
            let decoding = ImageDecoding(coders: CodersManager([GIFCoder()]))
            var options = DecodeOptions()
            options.frames = frames
            options.allowsPartial = true
            let image = try decoding.decode(ByteRope(file), options: ResolvedDecodeOptions(options))
            // A frame that was not drawn cannot be damaged.
            #expect(image.metadata.isPartial == (frames == .index(1)))
            options.frames = .index(1)
            options.allowsPartial = false
            #expect { try decoding.decode(ByteRope(file), options: ResolvedDecodeOptions(options)) } throws: {
                ($0 as? ImageError)?.code == .corrupt
            }
        }

        @Test("Rows are drawn against the clock, however few bytes they come from") func rows() throws {
            // 1 × 4,000 pixels in one block: code 4 clears, and each code after it is one more of colour 0 than the one before.
            var bits: [(code: Int, width: Int)] = [(4, 3), (0, 3)]
            var (next, width, drawn) = (6, 3, 1)
            while drawn < 4000 {
                bits.append((next, width))
                drawn += next - 4
                next += 1
                if next == 1 << width { width += 1 }
            }
            var (data, held, count): ([UInt8], Int, Int) = ([], 0, 0)
            for bit in bits {
                held |= bit.code << count
                count += bit.width
                while count >= 8 {
                    data.append(UInt8(held & 255))
                    (held, count) = (held >> 8, count - 8)
                }
            }
            data.append(UInt8(held))
            try #require(data.count < 256)
            var file = Array("GIF89a".utf8) + [1, 0, 0xA0, 0x0F, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
            file += [0x2C, 0, 0, 0, 0, 1, 0, 0xA0, 0x0F, 0, 2, UInt8(data.count)] + data + [0, 0x3B]
            func code(_ limit: Duration) -> ImageError.Code? {
                DecodeWatch.$time.withValue(StepTimeSource(step: .milliseconds(1))) {
                    var options = DecodeOptions()
                    options.limits = DecodeLimits(maximumDecodeTime: limit)
                    let decoding = ImageDecoding(coders: CodersManager([GIFCoder()]))
                    do throws(ImageError) {
                        _ = try decoding.decode(ByteRope(file), options: ResolvedDecodeOptions(options))
                        return nil
                    } catch { return error.code }
                }
            }
            #expect(code(.seconds(1)) == nil)
            #expect(code(.milliseconds(50)) == .limitExceeded)
        }

        // S3-05
        @Test func theStandardLimitStopsBombs() throws {
            let limits = DecodeLimits.standard
            let size = PixelSize(clamping: 5000, 5000)
            #expect(throws: ImageError.self) { try limits.check(animationOf: size, frames: 2000, encodedBytes: 46_045) }
            // Two minutes of full HD, and the largest number of frames at a usual size.
            try limits.check(animationOf: PixelSize(clamping: 1920, 1080), frames: 3000, encodedBytes: 20 << 20)
            try limits.check(animationOf: PixelSize(clamping: 480, 270), frames: 10_000, encodedBytes: 4 << 20)
        }
    }
#endif
