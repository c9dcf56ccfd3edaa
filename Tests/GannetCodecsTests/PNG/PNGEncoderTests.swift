#if PNG
    import GannetCore
    import GannetKernels
    import Testing

    @testable import GannetCodecs

    @Suite("Encoding PNG") struct PNGEncoderTests {
        private func bitmap(_ width: Int, _ height: Int, _ format: PixelFormat, _ alpha: AlphaMode, seed: Int = 0) throws
            -> Bitmap
        {
            var buffer = try PixelBuffer(
                PixelLayout(size: PixelSize(clamping: width, height), format: format, alpha: alpha))
            for y in 0..<height {
                var row = buffer.mutableRow(y)
                for index in row.indices { row[index] = UInt8(truncatingIfNeeded: index * 7 + y * 13 + seed * 29) }
                let step = format.bytesPerPixel
                guard alpha == .opaque else { continue }
                for x in 0..<width {
                    for byte in 0..<step / 4 { row[(x + 1) * step - 1 - byte] = 255 }
                }
            }
            return buffer.freeze()
        }

        private func metadata(_ bitmap: Bitmap) -> ImageMetadata { ImageMetadata(format: nil, originalSize: bitmap.size) }

        @Test("What was encoded comes back", arguments: [false, true])
        func roundTrip(isInterlaced: Bool) throws {  // CD-06
            for (width, height) in [(1, 1), (5, 3), (17, 12)] {
                for format in [PixelFormat.rgba8, .rgba16] {
                    for alpha in [AlphaMode.opaque, .straight] {
                        for effort in [0, 2, 4, 9] {
                            let bitmap = try bitmap(width, height, format, alpha)
                            let file = try PNGEncoder(EncodeOptions(effort: effort, progressive: isInterlaced))
                                .encode(.still(bitmap, metadata(bitmap)))
                            let decoder = try PNGDecoding.decoder(file, PNGDecoding.options { $0.keeps16Bit = true })
                            let back = try PNGDecoding.frame(decoder)
                            #expect(back.layout == bitmap.layout)
                            #expect(back.packedBytes() == bitmap.packedBytes())
                            #expect(decoder.header?.isProgressive == isInterlaced)
                        }
                    }
                }
            }
        }

        @Test func fitsIntoPixelsAndBytes() throws {  // CD-06
            let bitmap = try bitmap(60, 40, .rgba8, .opaque)
            let image = DecodedImage.still(bitmap, metadata(bitmap))
            let small = try PNGEncoder(EncodeOptions(maximumPixelSize: PixelSize(clamping: 30, 30))).encode(image)
            #expect(try PNGDecoding.decoder(small).header?.size == PixelSize(width: 30, height: 20))
            let light = try PNGEncoder(EncodeOptions(maximumFileSize: 600)).encode(image)
            #expect(light.count <= 600)
            #expect(PNGDecoding.code { _ = try PNGEncoder(EncodeOptions(maximumFileSize: 60)).encode(image) } == .encodeFailed)
        }

        // CD-35
        @Test func animationsKeepFramesDelaysAndLoops() throws {
            var frames = try (0..<3).map { try bitmap(12, 9, .rgba8, .straight, seed: $0) }
            // Frame 3 differs from frame 2 in one pixel, frame 4 not at all.
            var copy = try frames[2].mutableCopy()
            var row = copy.mutableRow(4)
            row[5 * 4] ^= 0xFF
            frames.append(copy.freeze())
            frames.append(frames[3])
            let delays: [Duration] = [.milliseconds(40), .milliseconds(1234), .zero, .seconds(100), .seconds(4000)]
            let animation = AnimatedImage(
                metadata: metadata(frames[0]), poster: frames[0], loopCount: 3, delays: delays, source: FrameArray(frames))
            let file = try PNGEncoder(EncodeOptions()).encode(.animated(animation))
            let decoder = try PNGDecoding.decoder(file)
            #expect(decoder.header?.animation == AnimationInfo(loopCount: 3, delays: delays))
            for index in frames.indices {
                #expect(try PNGDecoding.frame(decoder, index).packedBytes() == frames[index].packedBytes(), "frame \(index)")
            }
            let first = try PNGEncoder(EncodeOptions(firstFrameOnly: true)).encode(.animated(animation))
            #expect(try PNGDecoding.decoder(first).header?.frameCount == 1)
            let small = try PNGEncoder(EncodeOptions(maximumFileSize: file.count - 20)).encode(.animated(animation))
            #expect(small.count <= file.count - 20)
            #expect(try PNGDecoding.decoder(small).header?.frameCount == 5)
        }

        @Test func onlyTheChangedPartIsStored() throws {
            let bitmap = try bitmap(12, 9, .rgba8, .straight)
            var copy = try bitmap.mutableCopy()
            var row = copy.mutableRow(2)
            row[3 * 4 + 1] ^= 1
            row = copy.mutableRow(6)
            row[7 * 4 + 3] ^= 1
            let changed = PNGEncoder.changed(from: bitmap, to: copy.freeze())
            #expect(changed == PixelRect(x: 3, y: 2, width: 5, height: 5))
            #expect(PNGEncoder.changed(from: bitmap, to: bitmap) == PixelRect(x: 0, y: 0, width: 1, height: 1))
        }
    }
#endif
