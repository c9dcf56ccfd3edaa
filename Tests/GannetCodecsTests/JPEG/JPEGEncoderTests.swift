#if JPEG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    @Suite("Encoding JPEG") struct JPEGEncoderTests {  // CD-06
        private func encode(_ bitmap: Bitmap, _ options: EncodeOptions) throws -> [UInt8] {
            try #require(try JPEGCoder().makeEncoder(for: .jpeg, options: options)).encode(JPEGSamples.still(bitmap))
        }

        @Test func qualityDecidesSizeAndLoss() throws {
            let picture = try JPEGSamples.picture(64, 64)
            let files = try [10, 50, 85, 100].map { try encode(picture, EncodeOptions(quality: $0)) }
            #expect(zip(files, files.dropFirst()).allSatisfy { $0.count < $1.count })
            let losses = try files.map { JPEGSamples.psnr(try JPEGSamples.decode($0), picture) }
            #expect(zip(losses, losses.dropFirst()).allSatisfy { $0 < $1 })
            #expect(try encode(picture, EncodeOptions()) == files[2])
        }

        /// The components of the frame header: SOF0 to SOF2.
        private func components(_ file: [UInt8]) -> UInt8? {
            file.indices.dropLast(9).first { file[$0] == 0xFF && (0xC0...0xC2).contains(file[$0 + 1]) }.map { file[$0 + 9] }
        }

        @Test func greyImagesHaveOneChannel() throws {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 40, 30), alpha: .opaque))
            for y in 0..<30 {
                var row = buffer.mutableRow(y)
                for index in row.indices { row[index] = index % 4 == 3 ? 255 : UInt8(index / 4 * 5 + y) }
            }
            let grey = buffer.freeze()
            let file = try encode(grey, EncodeOptions(quality: 90))
            #expect(components(file) == 1)
            #expect(JPEGSamples.psnr(try JPEGSamples.decode(file), grey) > 35)
            var tinted = try grey.mutableCopy()
            var row = tinted.mutableRow(29)
            row[39 * 4 + 2] ^= 1
            // One pixel of another colour, the last, is enough.
            #expect(components(try encode(tinted.freeze(), EncodeOptions(quality: 90))) == 3)
        }

        @Test func transparentPartsLieOnTheBackground() throws {
            let clear = try JPEGSamples.picture(16, 16, alpha: 0)
            let file = try encode(clear, EncodeOptions(quality: 100, background: 0xFF8000))
            let pixel = try JPEGSamples.decode(file).packedBytes().prefix(4)
            for (got, wanted) in zip(pixel, [255, 128, 0, 255] as [UInt8]) { #expect(abs(Int(got) - Int(wanted)) <= 2) }
        }

        @Test func halfTransparentPartsMix() throws {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 8, 8), alpha: .straight))
            for y in 0..<8 {
                var row = buffer.mutableRow(y)
                for index in row.indices { row[index] = index % 4 == 3 ? 128 : 200 }
            }
            let flat = try EncodePreparation.flattened(buffer.freeze(), on: 0x000064)
            #expect(Array(flat.packedBytes().prefix(4)) == [100, 100, 150, 255])
            #expect(flat.layout.alpha == .opaque)
        }

        @Test func largePicturesAreShrunkFirst() throws {
            let file = try encode(try JPEGSamples.picture(80, 40), EncodeOptions(maximumPixelSize: PixelSize(clamping: 20, 20)))
            #expect(try JPEGSamples.decoder(file).header?.size == PixelSize(width: 20, height: 10))
        }

        // CD-06
        @Test func filesAreMadeSmallEnough() throws {
            let picture = try JPEGSamples.picture(64, 64)
            let best = try encode(picture, EncodeOptions(quality: 95)).count
            for limit in [best, best - 1, best * 2 / 3, 700, 500] {
                let file = try encode(picture, EncodeOptions(quality: 95, maximumFileSize: limit))
                #expect(file.count <= limit)
                #expect(try JPEGSamples.decode(file).width >= 1)
            }
            // Quality is given up before size.
            let file = try encode(picture, EncodeOptions(quality: 95, maximumFileSize: best * 2 / 3))
            #expect(try JPEGSamples.decoder(file).header?.size == picture.size)
            #expect(JPEGSamples.code { _ = try encode(picture, EncodeOptions(maximumFileSize: 100)) } == .encodeFailed)
        }

        @Test func progressiveFilesSaySo() throws {
            let file = try encode(try JPEGSamples.picture(16, 16), EncodeOptions(progressive: true))
            #expect(try JPEGSamples.decoder(file).header?.isProgressive == true)
        }

        // CD-06
        @Test func aThumbnailIsEmbedded() throws {
            let file = try encode(try JPEGSamples.picture(320, 200), EncodeOptions(embedsThumbnail: true))
            let exif = try #require(try JPEGSamples.decoder(file).exif)
            let thumbnail = try JPEGSamples.decoder(Array(exif.dropFirst(56)))
            #expect(thumbnail.header?.size == PixelSize(width: 160, height: 100))
            #expect(EXIF.orientation(in: exif) == nil)
        }

        @Test func aThumbnailTakesNoRoomFromASmallFile() throws {
            let picture = try JPEGSamples.picture(320, 200)
            let limit = try encode(picture, EncodeOptions(quality: 20)).count
            let options = EncodeOptions(maximumFileSize: limit, embedsThumbnail: true)
            let file = try encode(picture, options)
            #expect(file == (try encode(picture, EncodeOptions(maximumFileSize: limit))))
            let large = try encode(picture, EncodeOptions(maximumFileSize: 1 << 20, embedsThumbnail: true))
            #expect(try JPEGSamples.decoder(large).exif != nil)
        }

        @Test func sidesThatJPEGCannotHaveAreRefused() throws {
            let picture = try JPEGSamples.picture(70_000, 1)
            #expect(JPEGSamples.code { _ = try encode(picture, EncodeOptions()) } == .encodeFailed)
        }

        /// Optimised Huffman tables: by effort, and without one for what is small.
        @Test(arguments: [(1000, 5), (1100, 4)]) func smallImagesHaveOptimisedTables(width: Int, like: Int) throws {
            let picture = try JPEGSamples.picture(width, 1000)
            func count(_ effort: Int?) throws -> Int { try encode(picture, EncodeOptions(effort: effort)).count }
            #expect(try count(nil) == count(like))
            #expect(try count(5) < count(4) && count(0) == count(4) && count(9) == count(5))
        }
    }
#endif
