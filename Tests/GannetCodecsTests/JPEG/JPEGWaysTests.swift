#if JPEG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    @Suite("Ways of decoding JPEG") struct JPEGWaysTests {
        @Test func fourInksBecomeRGB() throws {  // CD-39, U-35
            // As Adobe stores them: 255 is no ink. Cyan at half, yellow at full, black at a fifth.
            let file = JPEGFlatFile(blocks: [[128, 255, 0, 204], [255, 255, 255, 255]], across: 2, adobeTransform: 0).bytes
            let decoder = try JPEGSamples.decoder(file)
            #expect(decoder.header?.colorSpace.model == .cmyk)
            #expect(decoder.outputColorSpace == .sRGB)
            let picture = try JPEGSamples.decode(decoder)
            let row = Array(picture.packedBytes().prefix(64))
            #expect(Array(row[0..<4]) == [102, 204, 0, 255])
            #expect(Array(row[32..<36]) == [255, 255, 255, 255])
        }

        @Test func withoutAdobesMarkerInksAreReadTheSameWay() throws {
            let file = JPEGFlatFile(blocks: [[128, 255, 0, 204]], across: 1, adobeTransform: nil).bytes
            #expect(Array(try JPEGSamples.decode(file).packedBytes().prefix(4)) == [102, 204, 0, 255])
        }

        @Test func aProfileOfInksIsUsedUnlessItIsBroken() throws {
            final class Swap: ColorConverter {
                func convert(_ buffer: inout PixelBuffer) {}
                func convertRow(_ pixels: inout MutableSpan<UInt8>, count: Int) {
                    for x in 0..<count { pixels[x * 4 + 3] = 255 }
                }
            }
            struct Manager: ColorManager {
                var isBroken: Bool
                func converter(from: ColorSpace, format: PixelFormat) -> (any ColorConverter)? { nil }
                func cmykConverter(iccProfile: [UInt8]) throws(ImageError) -> (any ColorConverter)? {
                    guard !isBroken else { throw ImageError(.corrupt, "broken") }
                    return Swap()
                }
            }
            let file = JPEGSamples.inserting(
                [JPEGSamples.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 9])],
                into: JPEGFlatFile(blocks: [[128, 255, 0, 204]], across: 1, adobeTransform: 0).bytes)
            for (isBroken, expected) in [(false, [127, 0, 255, 255]), (true, [102, 204, 0, 255])] as [(Bool, [UInt8])] {
                let decoder = JPEGDecoder(
                    options: ResolvedDecodeOptions(), environment: DecodeEnvironment(colorManager: Manager(isBroken: isBroken)))
                _ = try decoder.read(from: ByteRope(file))
                #expect(Array(try JPEGSamples.decode(decoder).packedBytes().prefix(4)) == expected)
            }
        }

        @Test func greyBecomesEqualChannels() throws {
            let decoder = try JPEGSamples.decoder(JPEGFlatFile(blocks: [[77]], across: 1).bytes)
            #expect(decoder.header?.colorSpace.model == .gray)
            #expect(Array(try JPEGSamples.decode(decoder).packedBytes().prefix(4)) == [77, 77, 77, 255])
        }

        @Test func restartMarkersAreFollowed() throws {
            let blocks = (0..<12).map { [UInt8($0 * 20)] }
            let plain = JPEGFlatFile(blocks: blocks, across: 3)
            var restarted = plain
            for interval in [1, 2, 5] {
                restarted.restartInterval = interval
                #expect(try JPEGSamples.decode(restarted.bytes).packedBytes() == JPEGSamples.decode(plain.bytes).packedBytes())
            }
        }

        // OP-11, CD-05, TR-16, NK-09
        @Test("Smaller on request", arguments: [16, 20, 33, 50, 64, 100, 127, 128, 200])
        func targets(side: Int) throws {  // CD-31, CX-12
            let file = try JPEGSamples.file(128, 96)
            var options = DecodeOptions()
            options.target = .size(.fit(side, side))
            let decoder = try JPEGSamples.decoder(file, options)
            let header = try #require(decoder.header)
            let expected = ResolvedDecodeOptions(options).scaledSize(for: header)
            #expect(decoder.outputLayout?.size == expected)
            let small = try JPEGSamples.decode(decoder)
            #expect(small.size == expected)
            #expect(JPEGSamples.psnr(small, try JPEGSamples.picture(expected.width, expected.height)) > 20)
        }

        @Test func theBoxIsMeantForThePictureOnScreen() throws {  // CD-34
            let file = JPEGSamples.inserting(
                [JPEGSamples.segment(0xE1, EXIF.prefix + EXIF.block(orientation: .left))], into: try JPEGSamples.file(128, 64))
            var options = DecodeOptions()
            options.target = .size(.fit(32, 1000))
            #expect(try JPEGSamples.decoder(file, options).outputLayout?.size == PixelSize(width: 64, height: 32))
        }

        @Test func enlargingIsLeftToOthers() throws {
            var options = DecodeOptions()
            options.target = .size(TargetSize(.fit, width: 100, height: 100, allowsUpscaling: true))
            #expect(
                try JPEGSamples.decoder(JPEGSamples.file(10, 10), options).outputLayout?.size == PixelSize(width: 10, height: 10))
        }

        // MG-16, DL-36, NK-14, S3-16
        @Test("Previews get better until they are the picture", arguments: [false, true], [nil, 24])
        func previews(progressive: Bool, side: Int?) throws {  // CD-43
            let file = try JPEGSamples.file(96, 96, EncodeOptions(quality: 90, progressive: progressive))
            var options = DecodeOptions()
            if let side { options.target = .size(.fit(side, side)) }
            let whole = try JPEGSamples.decode(file, options)
            var blank = try PixelBuffer(whole.layout)
            blank.fill(0)
            let worst = JPEGSamples.psnr(blank.freeze(), whole)

            let decoder = JPEGDecoder(options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
            var rope = ByteRope()
            var quality: [Double] = []
            var half: Double?
            for start in stride(from: 0, to: file.count, by: 50) {
                rope.append(Array(file[start..<min(start + 50, file.count)]))
                #expect(try decoder.read(from: rope) == .needsMoreData)
                guard let layout = decoder.outputLayout else { continue }
                var buffer = try PixelBuffer(layout)
                if try decoder.decodePreview(into: &buffer) {
                    quality.append(JPEGSamples.psnr(buffer.freeze(), whole))
                }
                if half == nil, start > file.count / 2 { half = quality.last }
            }
            rope.isComplete = true
            #expect(try decoder.read(from: rope) == .finished)
            #expect(try JPEGSamples.decode(decoder).packedBytes() == whole.packedBytes())
            #expect(quality.count >= 3)
            #expect(try #require(quality.last) >= #require(quality.first))
            #expect(try #require(half) > worst + (side == nil ? 6 : 3))
        }

        // KF-13
        @Test func nothingNewIsNoPreview() throws {
            let file = try JPEGSamples.file(96, 96)
            let decoder = JPEGDecoder(options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
            let rope = ByteRope(Array(file.prefix(file.count * 2 / 3)), isComplete: false)
            _ = try decoder.read(from: rope)
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            #expect(try decoder.decodePreview(into: &buffer))
            #expect(try !decoder.decodePreview(into: &buffer))
        }

        @Test func truncationAfterPreviewsIsNoticed() throws {
            for progressive in [false, true] {
                let file = try JPEGSamples.file(48, 48, EncodeOptions(progressive: progressive))
                let decoder = JPEGDecoder(options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
                var rope = ByteRope(Array(file.prefix(file.count - 30)), isComplete: false)
                _ = try decoder.read(from: rope)
                var buffer = try PixelBuffer(try #require(decoder.outputLayout))
                _ = try decoder.decodePreview(into: &buffer)
                rope.isComplete = true
                _ = try decoder.read(from: rope)
                #expect(JPEGSamples.code { try decoder.decodeFrame(at: 0, into: &buffer) } == .truncated)
            }
        }
    }
#endif
