#if JPEG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    @Suite("Decoding JPEG") struct JPEGDecoderTests {
        static let variants: [EncodeOptions] = [
            EncodeOptions(quality: 95), EncodeOptions(quality: 80), EncodeOptions(quality: 95, progressive: true),
            EncodeOptions(quality: 80, progressive: true),
        ]

        @Test("What was encoded comes back", arguments: variants)
        func roundTrip(options: EncodeOptions) throws {  // FM-02
            for (width, height) in [(1, 1), (7, 5), (16, 16), (61, 43)] {
                let decoded = try JPEGSamples.decode(JPEGSamples.file(width, height, options))
                #expect(decoded.size == PixelSize(width: width, height: height))
                #expect(decoded.layout.alpha == .opaque)
                #expect(JPEGSamples.psnr(decoded, try JPEGSamples.picture(width, height)) > 25, "\(width)×\(height)")
            }
        }

        /// The header is read in blocks; markers and lengths across the end of a block must be found too.
        @Test("Markers and lengths lie anywhere", arguments: [UInt8(0), 0xFF, 0xD0])
        func markersAnywhere(filling: UInt8) throws {
            let file = JPEGFlatFile(blocks: [[77]], across: 1).bytes
            for count in stride(from: 4066, through: 4100, by: filling == 0xD0 ? 2 : 1) {
                let filled = (0..<count).map { $0 % 2 == 0 && filling == 0xD0 ? 0xFF : filling }
                let bytes = Array(file[..<2]) + filled + Array(file[2...])
                #expect(try JPEGSamples.decoder(bytes).header?.size == PixelSize(width: 8, height: 8), "\(count)")
                let decoder = JPEGDecoder(options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment())
                for end in [count, count + 1, count + 3, count + 5, bytes.count] {
                    _ = try decoder.read(from: ByteRope(Array(bytes.prefix(end)), isComplete: end == bytes.count))
                }
                #expect(decoder.header?.size == PixelSize(width: 8, height: 8), "\(count)")
            }
        }

        @Test("However the bytes are cut, the picture is the same", arguments: variants)
        func pieces(options: EncodeOptions) throws {  // CD-02
            let file = try JPEGSamples.file(40, 30, options)
            let whole = try JPEGSamples.decode(file)
            for step in [1, 2, 7, 100, 1000] {
                let decoder = JPEGDecoder(options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
                var rope = ByteRope()
                for start in stride(from: 0, to: file.count, by: step) {
                    rope.append(Array(file[start..<min(start + step, file.count)]))
                    #expect(try decoder.read(from: rope) == .needsMoreData)
                }
                rope.isComplete = true
                #expect(try decoder.read(from: rope) == .finished)
                #expect(try JPEGSamples.decode(decoder).packedBytes() == whole.packedBytes(), "pieces of \(step)")
            }
        }

        @Test("Every truncation is an error, and a marked picture where that was asked for", arguments: variants)
        func truncations(options: EncodeOptions) throws {  // U-05
            let file = try JPEGSamples.file(24, 17, options)
            let scan = try #require(file.indices.first { file[$0] == 0xFF && file[$0 + 1] == 0xDA })
            // Without its end marker alone a picture is whole.
            for count in 0..<file.count - 2 {
                let cut = Array(file.prefix(count))
                let code = JPEGSamples.code { _ = try JPEGSamples.decode(cut) }
                #expect(code == .truncated, "\(count) of \(file.count) bytes")
                var partial = DecodeOptions()
                partial.allowsPartial = true
                let partialCode = JPEGSamples.code {
                    let decoder = try JPEGSamples.decoder(cut, partial)
                    _ = try JPEGSamples.decode(decoder)
                    #expect(decoder.isPartial, "\(count) bytes")
                }
                // Once a scan's data began there is something to show.
                #expect(partialCode == (count >= scan + 14 ? nil : .truncated), "\(count) of \(file.count) bytes")
            }
        }

        @Test func aMissingEndMarkerAloneIsNoDamage() throws {
            for options in Self.variants {
                let file = try JPEGSamples.file(24, 17, options)
                #expect(try JPEGSamples.decode(Array(file.dropLast(2))).packedBytes() == JPEGSamples.decode(file).packedBytes())
            }
        }

        // CD-42
        @Test func theHeaderIsReadWithoutPixels() throws {
            let file = try JPEGSamples.inserting(
                [JPEGSamples.segment(0xE1, EXIF.prefix + EXIF.block(orientation: .right))],
                into: JPEGSamples.file(61, 43, EncodeOptions(progressive: true)))
            let scan = try #require(file.indices.first { file[$0] == 0xFF && file[$0 + 1] == 0xDA })
            let decoder = JPEGDecoder(options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
            #expect(try decoder.read(from: ByteRope(Array(file.prefix(scan)), isComplete: false)) == .needsMoreData)
            #expect(decoder.header == nil)
            #expect(try decoder.read(from: ByteRope(Array(file.prefix(scan + 2)), isComplete: false)) == .needsMoreData)
            let header = try #require(decoder.header)
            #expect(header.size == PixelSize(width: 61, height: 43))
            #expect(header.displayedSize == PixelSize(width: 43, height: 61))
            #expect(header.orientation == .right)
            #expect(header.isProgressive && !header.hasAlpha && header.bitDepth == 8 && header.frameCount == 1)
            #expect(decoder.exif == EXIF.block(orientation: .right))
        }

        @Test func profilesComeInPiecesInAnyOrder() throws {  // CD-40
            let file = try JPEGSamples.file(8, 8)
            func piece(_ number: UInt8, _ count: UInt8, _ bytes: [UInt8]) -> [UInt8] {
                JPEGSamples.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + bytes)
            }
            func profile(_ pieces: [[UInt8]]) throws -> [UInt8]? {
                try JPEGSamples.decoder(JPEGSamples.inserting(pieces, into: file)).header?.colorSpace.iccProfile
            }
            #expect(try profile([piece(2, 3, [3, 4]), piece(3, 3, [5]), piece(1, 3, [1, 2])]) == [1, 2, 3, 4, 5])
            #expect(try profile([piece(1, 2, [1])]) == [])
            #expect(try profile([piece(1, 2, [1]), piece(1, 2, [2])]) == [])
            #expect(try profile([piece(0, 1, [1])]) == [])
            #expect(try profile([piece(2, 1, [1])]) == [])
            #expect(try profile([piece(1, 2, [1]), piece(2, 3, [2])]) == [])
        }

        @Test func strayBytesBetweenSegmentsAreSkipped() throws {
            let file = try JPEGSamples.file(20, 10)
            let stray = JPEGSamples.inserting([[1, 2, 3, 0xFF, 0, 9, 0xFF, 0xFF, 0xFF, 0xFE, 0, 3, 7]], into: file)
            #expect(try JPEGSamples.decode(stray).packedBytes() == JPEGSamples.decode(file).packedBytes())
        }

        @Test func errorsStay() throws {
            let file = try JPEGSamples.file(24, 17)
            let decoder = try JPEGSamples.decoder(Array(file.dropLast(12)))
            let layout = try #require(decoder.outputLayout)
            var buffer = try PixelBuffer(layout)
            for _ in 0..<2 {
                #expect(throws: ImageError.self) { try decoder.decodeFrame(at: 0, into: &buffer) }
                #expect(JPEGSamples.code { _ = try decoder.read(from: ByteRope(file)) } == .truncated)
            }
        }

        @Test func askingTwiceChangesNothing() throws {
            let decoder = try JPEGSamples.decoder(JPEGSamples.file(24, 17))
            let first = try JPEGSamples.decode(decoder)
            #expect(try decoder.read(from: decoder.rope) == .finished)
            #expect(try JPEGSamples.decode(decoder).packedBytes() == first.packedBytes())
        }

        @Test func whatTheLibraryCannotDoIsRefusedClearly() throws {
            var file = try JPEGSamples.file(8, 8)
            let frame = try #require(file.indices.first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
            file[frame + 4] = 12
            #expect(JPEGSamples.code { _ = try JPEGSamples.decoder(file) } == .unsupported)
            file[frame + 4] = 8
            file[frame + 1] = 0xC3
            #expect(JPEGSamples.code { _ = try JPEGSamples.decoder(file) } == .unsupported)
        }

        @Test func theCoderKnowsItsOwn() throws {
            let coder = JPEGCoder()
            #expect(coder.recognizes([0xFF, 0xD8, 0xFF, 0xE0].span) == .yes(.jpeg))
            #expect(coder.recognizes([0xFF, 0xD8].span) == .needsMoreBytes(3))
            #expect(coder.recognizes([UInt8]().span) == .needsMoreBytes(3))
            #expect(coder.recognizes([0x89, 0x50].span) == .no)
            #expect(
                JPEGSamples.code {
                    _ = try coder.makeDecoder(for: .png, options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
                } == .unsupported)
        }

        @Test func flippedBytesAreSurvived() throws {  // U-05
            let file = try JPEGSamples.file(24, 17, EncodeOptions(quality: 60, progressive: true))
            var state: UInt64 = 7
            for _ in 0..<400 {
                var damaged = file
                for _ in 0..<3 {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    damaged[Int(state >> 33) % damaged.count] = UInt8(truncatingIfNeeded: state >> 20)
                }
                var partial = DecodeOptions()
                partial.allowsPartial = true
                for options in [DecodeOptions(), partial] {
                    let code = JPEGSamples.code {
                        let decoder = try JPEGSamples.decoder(
                            damaged, options, limits: DecodeLimits(maximumPixels: 1_000_000))
                        let layout = try #require(decoder.outputLayout)
                        guard layout.size.area <= 1_000_000 else { return }
                        _ = try JPEGSamples.decode(decoder)
                    }
                    #expect([nil, .corrupt, .truncated, .unsupported, .limitExceeded].contains(code))
                }
            }
        }
    }
#endif
