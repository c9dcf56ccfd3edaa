#if PNG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    @Suite("Decoding PNG") struct PNGDecoderTests {
        // CD-38, U-35
        @Test("Every colour type, depth and transparency", arguments: [false, true])
        func everyLayout(isInterlaced: Bool) throws {  // FM-03
            for (width, height) in [(1, 1), (3, 2), (13, 9), (33, 21)] {
                for sample in PNGSample.all(width, height, isInterlaced: isInterlaced) {
                    let pixels = try PNGDecoding.pixels(sample.file())
                    #expect(
                        pixels == sample.expected, "\(width)×\(height) \(sample.color) \(sample.depth) \(sample.transparency)")
                }
            }
        }

        @Test("Every filter in every row", arguments: 0..<5)
        func everyFilter(filter: Int) throws {
            for sample in PNGSample.all(19, 11, isInterlaced: false) {
                #expect(try PNGDecoding.pixels(sample.file(filter: filter)) == sample.expected, "\(sample.color) \(sample.depth)")
            }
        }

        @Test("Without room for scratch memory the rows come one by one, and are the same")
        func tightBudget() throws {
            let tight = DecodeEnvironment(budget: ResourceBudget(capacity: 0))
            for isInterlaced in [false, true] {
                for sample in PNGSample.all(21, 10, isInterlaced: isInterlaced) {
                    let file = sample.file(pieces: 3)
                    #expect(try PNGDecoding.pixels(file, PNGDecoding.options(), tight) == sample.expected)
                }
            }
        }

        @Test("However the bytes are cut, the picture is the same", arguments: [1, 2, 7, 100])
        func pieces(step: Int) throws {  // CD-02
            for sample in PNGSample.all(9, 7, isInterlaced: true) + PNGSample.all(9, 7, isInterlaced: false) {
                let file = sample.file(pieces: 4)
                let decoder = PNGDecoder(options: PNGDecoding.options(), environment: DecodeEnvironment())
                var rope = ByteRope()
                for start in stride(from: 0, to: file.count, by: step) {
                    rope.append(Array(file[start..<min(start + step, file.count)]))
                    _ = try decoder.read(from: rope)
                }
                rope.isComplete = true
                #expect(try decoder.read(from: rope) == .finished)
                #expect(try PNGDecoding.frame(decoder).packedBytes() == sample.expected)
            }
        }

        @Test("Every truncation is an error, and a marked picture where that was asked for")
        func truncations() throws {  // U-05
            let sample = PNGSample(width: 9, height: 12, color: .rgb, depth: 8)
            let file = sample.file(pieces: 3)
            let expected = sample.expected
            // The last data lack only their checksums.
            let pixelsEnd = file.count - 12 - 4 - 4
            for count in 0..<file.count {
                let cut = Array(file.prefix(count))
                let isWhole = count >= pixelsEnd
                let failure = PNGDecoding.code { _ = try PNGDecoding.pixels(cut) }
                #expect(failure == (isWhole ? nil : .truncated), "\(count) of \(file.count) bytes")
                let decoder = PNGDecoder(
                    options: PNGDecoding.options { $0.allowsPartial = true }, environment: DecodeEnvironment())
                let code = PNGDecoding.code { _ = try decoder.read(from: ByteRope(cut)) }
                guard code == nil else {
                    #expect(code == .truncated && decoder.header == nil)
                    continue
                }
                guard count >= file.firstRange(of: Array("IDAT".utf8))?.upperBound ?? 0 else {
                    #expect(PNGDecoding.code { _ = try PNGDecoding.frame(decoder) } == .truncated)
                    continue
                }
                let pixels = try PNGDecoding.frame(decoder).packedBytes()
                #expect(decoder.isPartial == !isWhole, "\(count) bytes")
                #expect(!isWhole || pixels == expected)
                // Rows that came are right, the others are clear.
                #expect(zip(pixels, expected).allSatisfy { $0 == $1 || $0 == 0 }, "\(count) bytes")
            }
        }

        // CD-42
        @Test func theHeaderIsReadWithoutPixels() throws {
            let exif = EXIF.block(orientation: .leftMirrored)
            let sample = PNGSample(width: 40, height: 20, color: .grayAlpha, depth: 16, isInterlaced: true)
            let file = sample.file(extra: [("eXIf", exif), ("cICP", [9, 16, 0, 1])])
            let start = try #require(file.indices.first { Array(file[$0...].prefix(4)) == Array("IDAT".utf8) })
            let decoder = PNGDecoder(options: PNGDecoding.options(), environment: DecodeEnvironment())
            #expect(try decoder.read(from: ByteRope(Array(file.prefix(start - 4)), isComplete: false)) == .needsMoreData)
            #expect(decoder.header == nil)
            #expect(try decoder.read(from: ByteRope(Array(file.prefix(start + 4)), isComplete: false)) == .needsMoreData)
            let header = try #require(decoder.header)
            #expect(header.size == PixelSize(width: 40, height: 20))
            #expect(header.orientation == .leftMirrored && header.hasAlpha && header.isProgressive)
            #expect(header.bitDepth == 16 && header.frameCount == 1)
            #expect(header.colorSpace.cicp == CICP(primaries: 9, transfer: 16, matrix: 0, isFullRange: true))
            #expect(decoder.exif == exif)
        }

        // CD-05, U-35
        @Test func sixteenBitsAreKeptCutOrRounded() throws {
            let sample = PNGSample(width: 7, height: 5, color: .rgba, depth: 16)
            let kept = try PNGDecoding.pixels(sample.file(), PNGDecoding.options { $0.keeps16Bit = true })
            let cut = try PNGDecoding.pixels(sample.file(), PNGDecoding.options { $0.color = .raw })
            for index in 0..<7 * 5 * 4 {
                let pixel = sample.pixel(index / 4 % 7, index / 28)[index % 4]
                #expect(Int(kept[index * 2]) | Int(kept[index * 2 + 1]) << 8 == pixel)
                #expect(Int(cut[index]) == pixel >> 8)
            }
        }

        @Test("Alpha as asked for", arguments: [AlphaMode.premultiplied, .opaque])
        func alpha(mode: AlphaMode) throws {
            for sample in PNGSample.all(33, 6, isInterlaced: false) {
                let decoder = try PNGDecoding.decoder(sample.file(), PNGDecoding.options { $0.alpha = mode })
                let bitmap = try PNGDecoding.frame(decoder)
                let hasAlpha = !sample.transparency.isEmpty || sample.color == .rgba || sample.color == .grayAlpha
                #expect(bitmap.layout.alpha == (hasAlpha ? mode : .opaque))
                let pixels = bitmap.packedBytes()
                let straight = sample.expected
                var wrong = 0
                for start in stride(from: 0, to: pixels.count, by: 4) {
                    let alpha = Int(straight[start + 3])
                    if pixels[start + 3] != (mode == .opaque ? 255 : straight[start + 3]) { wrong += 1 }
                    for channel in start..<start + 3 {
                        let want = mode == .opaque ? Int(straight[channel]) : (Int(straight[channel]) * alpha + 127) / 255
                        // 16-bit samples are multiplied before they are rounded.
                        if abs(Int(pixels[channel]) - want) > (sample.depth == 16 ? 1 : 0) { wrong += 1 }
                    }
                }
                #expect(wrong == 0, "\(sample.color) \(sample.depth)")
            }
        }

        // CX-12
        @Test("Shrunk row by row: near to the mean of what lies under each pixel")
        func shrinks() throws {  // CD-31
            let sample = PNGSample(width: 64, height: 48, color: .rgb, depth: 8)
            let decoder = try PNGDecoding.decoder(
                sample.file(),
                PNGDecoding.options {
                    $0.target = .size(.fit(8, 8))
                    $0.alpha = .premultiplied
                })
            #expect(decoder.outputLayout?.size == PixelSize(width: 8, height: 6))
            let small = try PNGDecoding.frame(decoder)
            let full = sample.expected
            func mean(_ bytes: [UInt8]) -> Double { bytes.reduce(0) { $0 + Double($1) } / Double(bytes.count) }
            #expect(abs(mean(small.packedBytes()) - mean(full)) < 3)
        }
    }
#endif
