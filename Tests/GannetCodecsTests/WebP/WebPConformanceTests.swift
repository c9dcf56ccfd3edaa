#if WebP
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct WebPConformanceTests {
        private let coder = WebPCoder()

        private func conformance(
            _ image: DecodedImage, _ name: String, quality: Int, previewGain: Double? = nil
        ) throws -> CoderConformance {
            let encoder = try #require(try coder.makeEncoder(for: .webp, options: EncodeOptions(quality: quality)))
            return CoderConformance(coder, format: .webp, sample: try encoder.encode(image), name: name, previewGain: previewGain)
        }

        @Test(arguments: [80, 100]) func stillPictureKeepsEveryPromise(quality: Int) async throws {
            let picture = try TestImages.gradient(width: 40, height: 50)
            let check = try conformance(TestImages.still(picture), "gradient \(quality)", quality: quality)
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
        }

        // CD-43
        @Test func rowsAreSeenWhileTheyCome() throws {
            let picture = try TestImages.noise(width: 96, height: 96)
            let check = try conformance(TestImages.still(picture), "noise", quality: 90, previewGain: 1)
            #expect(check.previews() == [])
        }

        @Test(arguments: [80, 100]) func pictureWithAlphaKeepsEveryPromise(quality: Int) throws {
            let check = try conformance(TestImages.still(TestImages.discs()), "discs \(quality)", quality: quality)
            #expect(check.failures() == [])
        }

        @Test(arguments: [false, true], [(0xFF, 0xFF), (0xFF, 0x01)])
        func aCanvasLargerThanTheFormatAllowsIsCorrupt(partial: Bool, top: (UInt8, UInt8)) throws {
            let encoder = try #require(try coder.makeEncoder(for: .webp, options: EncodeOptions(quality: 100)))
            var file = try encoder.encode(.animated(TestImages.animation(frames: 2, clears: false)))
            // Behind the header and the flags: both sides less one, in three bytes each.
            for index in 24..<30 { file[index] = 0xFF }
            (file[26], file[29]) = top
            var options = DecodeOptions()
            options.allowsPartial = partial
            for count in [file.count, file.count - 9] {
                let decoder = try coder.makeDecoder(
                    for: .webp, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
                let error = #expect(throws: ImageError.self) { try decoder.read(from: ByteRope(Array(file.prefix(count)))) }
                #expect(error?.code == .corrupt)
            }
        }

        /// A profile that comes in pieces was counted once for each of them.
        @Test func metadataAreCountedOnce() throws {
            let encoder = try #require(try coder.makeEncoder(for: .webp, options: EncodeOptions(quality: 100)))
            let plain = try encoder.encode(TestImages.still(TestImages.flat(width: 1, height: 1)))
            let picture = try #require((12..<plain.count).first { plain[$0..<$0 + 4].elementsEqual("VP8L".utf8) })
            func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
                Array(type.utf8) + [UInt8(content.count & 255), UInt8(content.count >> 8), 0, 0] + content
            }
            let body =
                Array("WEBP".utf8) + chunk("VP8X", [0x20] + [UInt8](repeating: 0, count: 9))
                + chunk("ICCP", [UInt8](repeating: 7, count: 1000)) + plain[picture...]
            let file = chunk("RIFF", body)
            for (limit, isEnough) in [(1000, true), (999, false)] {
                let limits = DecodeLimits(maximumMetadataBytes: limit)
                let decoder = try coder.makeDecoder(
                    for: .webp, options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment(limits: limits))
                var rope = ByteRope()
                do throws(ImageError) {
                    for start in stride(from: 0, to: file.count, by: 50) {
                        rope.append(Array(file[start..<min(start + 50, file.count)]))
                        _ = try decoder.read(from: rope)
                    }
                    #expect(isEnough)
                    #expect(decoder.header?.colorSpace.iccProfile.count == 1000)
                } catch {
                    #expect(!isEnough)
                    #expect(error.code == .limitExceeded)
                }
            }
        }

        // CD-04, FM-05
        @Test(arguments: [false, true]) func animationKeepsEveryPromise(clears: Bool) async throws {
            let animation = try TestImages.animation(frames: 6, clears: clears)
            let check = try conformance(.animated(animation), "animation", quality: 100)
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
        }

        @Test func clearPartsOfAnAnimationThatDeniesThemAreClear() throws {
            let animation = try TestImages.animation(frames: 3, clears: true)
            let encoder = try #require(try coder.makeEncoder(for: .webp, options: EncodeOptions(quality: 100)))
            // Opaque frames smaller than the canvas, as other programs write them: bit 4 of the flags of VP8X says that there is alpha.
            var sample = try encoder.encode(.animated(animation))
            sample[20] &= ~0x10
            #expect(CoderConformance(coder, format: .webp, sample: sample, name: "clear parts").opacity() == [])
        }

        @Test func qualityHundredIsLossless() throws {  // CD-06, FM-05
            let check = CoderConformance(coder, format: .webp, sample: [], name: "lossless")
            let options = EncodeOptions(quality: 100)
            #expect(check.roundTrip(try TestImages.still(TestImages.noise()), options: options, tolerance: 0) == [])
            // Premultiplied pixels come back within one step.
            #expect(check.roundTrip(try TestImages.still(TestImages.discs()), options: options, tolerance: 1) == [])
            for loopCount in [0, 1, 7] {
                let animation = try TestImages.animation(frames: 5, loopCount: loopCount)
                #expect(check.roundTrip(.animated(animation), options: options, tolerance: 0) == [])
            }
        }

        @Test func lossyPicturesComeBackNear() throws {
            let check = CoderConformance(coder, format: .webp, sample: [], name: "lossy")
            #expect(check.roundTrip(try TestImages.still(TestImages.gradient()), tolerance: 40) == [])
        }

        @Test func largestFileIsKept() throws {
            let picture = try TestImages.still(TestImages.noise(width: 64, height: 64))
            let encoder = try #require(try coder.makeEncoder(for: .webp, options: EncodeOptions(maximumFileSize: 1500)))
            let bytes = try encoder.encode(picture)
            #expect(bytes.count <= 1500)
            let impossible = try #require(try coder.makeEncoder(for: .webp, options: EncodeOptions(maximumFileSize: 10)))
            let error = #expect(throws: ImageError.self) { try impossible.encode(picture) }
            #expect(error?.code == .encodeFailed)
        }

        // CD-31
        @Test func opaquePicturesShrinkInTheLibrary() throws {
            let picture = try TestImages.gradient(width: 400, height: 300)
            let encoder = try #require(try coder.makeEncoder(for: .webp, options: EncodeOptions(quality: 95)))
            let bytes = try encoder.encode(TestImages.still(picture))
            var options = DecodeOptions()
            options.target = .size(.fit(40, 40))
            let decoder = try coder.makeDecoder(
                for: .webp, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
            #expect(try decoder.read(from: ByteRope(bytes)) == .finished)
            let layout = try #require(decoder.outputLayout)
            #expect(layout.size == PixelSize(width: 80, height: 60))
            var buffer = try PixelBuffer(layout)
            try decoder.decodeFrame(at: 0, into: &buffer)
            let small = buffer.freeze()
            let expected = try TestImages.gradient(width: 80, height: 60)
            let difference = try #require(ImageDifference(small, expected))
            #expect(difference.largest < 24)
        }
    }
#endif
