#if PNG
    import GannetCore
    import GannetImages
    import Testing

    @testable import GannetCodecs

    @Suite("Damaged PNG") struct PNGDamageTests {
        let sample = PNGSample(width: 6, height: 5, color: .rgba, depth: 8)

        private func replacing(_ type: String, in file: [UInt8], _ change: (inout [UInt8], Int) -> Void) throws -> [UInt8] {
            var file = file
            let start = try #require(file.indices.first { Array(file[$0...].prefix(4)) == Array(type.utf8) })
            change(&file, start)
            return file
        }

        private func decode(_ file: [UInt8]) -> ImageError.Code? {
            PNGDecoding.code { _ = try PNGDecoding.pixels(file) }
        }

        @Test func checksumsOfCriticalChunksAreChecked() throws {
            for type in ["IHDR", "IDAT"] {
                let file = try replacing(type, in: sample.file()) { file, start in
                    let length = PNGParser.number(file, start - 4)
                    file[start + 4 + length] ^= 1
                }
                #expect(decode(file) == .corrupt, "\(type)")
            }
        }

        @Test func theChecksumOfTheStreamIsChecked() throws {
            var packed = PNGSample.zlib(sample.rows())
            packed[packed.count - 1] ^= 1
            #expect(decode(file(packed)) == .corrupt)
        }

        /// A fuzzer found a chunk with a declared length of 1.9 GB, for which memory was allocated at once.
        @Test func memoryIsAskedForBytesThatAreThere() {  // U-02
            let rope = ByteRope([UInt8](repeating: 0, count: 50))
            var data = PNGData()
            data.pieces = [.init(chunk: 0, start: 4, end: 24), .init(chunk: 32, start: 36, end: 1 << 31)]
            #expect(data.byteCount(in: rope) == 34)
            data.pieces.append(.init(chunk: 60, start: 64, end: 70))
            #expect(data.byteCount(in: rope) == 34)
        }

        @Test func damagedAncillaryChunksAreLeftOut() throws {
            let file = try replacing("cICP", in: sample.file(extra: [("cICP", [9, 16, 0, 1])])) { file, start in
                file[start + 4] ^= 1
            }
            let decoder = try PNGDecoding.decoder(file)
            #expect(decoder.header?.colorSpace.cicp == nil)
            #expect(try PNGDecoding.frame(decoder).packedBytes() == sample.expected)
        }

        private func file(_ packed: [UInt8], header: [UInt8]? = nil) -> [UInt8] {
            var writer = PNGWriter()
            writer.chunk("IHDR", header ?? sample.header)
            writer.chunk("IDAT", packed)
            writer.chunk("IEND", [])
            return writer.bytes
        }

        @Test func tooFewRowsAreCorruptAndTooManyAreLeftAlone() throws {
            let rows = sample.rows()
            #expect(decode(file(PNGSample.zlib(Array(rows.dropLast())))) == .corrupt)
            let more = file(PNGSample.zlib(rows + [UInt8](repeating: 9, count: 100_000)))
            #expect(try PNGDecoding.pixels(more) == sample.expected)
        }

        @Test("Behind the picture nothing counts, however the bytes are cut", arguments: [1, 10, 1000])
        func dataBeyondThePicture(step: Int) throws {
            // One byte more than the rows have, and a wrong checksum behind it.
            var packed = PNGSample.zlib(sample.rows() + [9])
            packed[packed.count - 1] ^= 1
            let file = file(packed)
            let decoder = PNGDecoder(options: PNGDecoding.options(), environment: DecodeEnvironment())
            var rope = ByteRope()
            for start in stride(from: 0, to: file.count, by: step) {
                rope.append(Array(file[start..<min(start + step, file.count)]))
                _ = try decoder.read(from: rope)
            }
            rope.isComplete = true
            _ = try decoder.read(from: rope)
            #expect(try PNGDecoding.frame(decoder).packedBytes() == sample.expected)
        }

        // NW-03
        @Test(arguments: [false, true]) func `A part that reaches the last row verifies the checksum`(_ hasIndex: Bool) throws {
            var packed = PNGSample.zlib(sample.rows())
            packed[packed.count - 1] ^= 1
            // The checksum is alone in a chunk that readers look at for nothing else.
            var writer = PNGWriter()
            writer.chunk("IHDR", sample.header)
            writer.chunk("IDAT", Array(packed.dropLast(4)))
            writer.chunk("IDAT", Array(packed.suffix(4)))
            writer.chunk("IEND", [])
            let file = writer.bytes
            var comparison = RegionComparison()
            if hasIndex { comparison.decoding.environment.memory = RegionMemory() }
            let row = PixelRect(x: 0, y: sample.height - 2, width: 2, height: 1)
            #expect(try comparison.region(row, of: file).size == row.size)
            let error = #expect(throws: ImageError.self) {
                _ = try comparison.region(PixelRect(x: 0, y: sample.height - 2, width: 2, height: 2), of: file)
            }
            #expect(error?.code == .corrupt)
        }

        @Test func unknownFiltersAreCorrupt() throws {
            var rows = sample.rows(filter: 0)
            rows[25] = 5
            #expect(decode(file(PNGSample.zlib(rows))) == .corrupt)
        }

        @Test func badHeadersAreRefused() throws {
            let headers: [([UInt8], ImageError.Code)] = [
                (PNGWriter.bytes(0) + PNGWriter.bytes(5) + [8, 6, 0, 0, 0], .corrupt),
                (PNGWriter.bytes(6) + PNGWriter.bytes(0x8000_0000) + [8, 6, 0, 0, 0], .corrupt),
                (PNGWriter.bytes(0x7FFF_FFFF) + PNGWriter.bytes(5) + [8, 6, 0, 0, 0], .limitExceeded),
                (PNGWriter.bytes(6) + PNGWriter.bytes(5) + [4, 6, 0, 0, 0], .corrupt),
                (PNGWriter.bytes(6) + PNGWriter.bytes(5) + [8, 5, 0, 0, 0], .corrupt),
                (PNGWriter.bytes(6) + PNGWriter.bytes(5) + [8, 6, 1, 0, 0], .corrupt),
                (PNGWriter.bytes(6) + PNGWriter.bytes(5) + [8, 6, 0, 1, 0], .corrupt),
                (PNGWriter.bytes(6) + PNGWriter.bytes(5) + [8, 6, 0, 0, 2], .corrupt),
                (PNGWriter.bytes(6) + PNGWriter.bytes(5) + [8, 3, 0, 0, 0], .corrupt),
            ]
            for (header, code) in headers {
                #expect(decode(file(PNGSample.zlib(sample.rows()), header: header)) == code, "\(header)")
            }
        }

        @Test func unknownCriticalChunksAreRefused() throws {
            #expect(decode(sample.file(extra: [("ABCD", [])])) == .unsupported)
            #expect(decode(sample.file(extra: [("aBCD", [])])) == nil)
        }

        @Test("Indices beyond the palette are opaque black, as in libpng")
        func palette() throws {
            var indexed = PNGSample(width: 4, height: 1, color: .palette, depth: 8, palette: PNGSample.palette16)
            indexed.palette = Array(PNGSample.palette16.prefix(3))
            var writer = PNGWriter()
            writer.chunk("IHDR", indexed.header)
            writer.chunk("PLTE", indexed.palette)
            writer.chunk("IDAT", PNGSample.zlib([0, 0, 1, 2, 255]))
            writer.chunk("IEND", [])
            #expect(try PNGDecoding.pixels(writer.bytes) == indexed.palette + [255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])
        }

        @Test("A profile may unpack to the limit and not to more")
        func profileLimit() throws {
            var profile = [UInt8](repeating: 0, count: 1000)
            profile.replaceSubrange(16..<20, with: Array("RGB ".utf8))
            let body = Array("name".utf8) + [0, 0] + PNGSample.zlib(profile)
            let file = sample.file(extra: [("iCCP", body)])
            var limits = DecodeLimits.standard
            limits.maximumMetadataBytes = body.count
            let decoder = try PNGDecoding.decoder(file, PNGDecoding.options(), DecodeEnvironment(limits: limits))
            #expect(decoder.header?.colorSpace.iccProfile == profile)
            limits.maximumMetadataBytes = 999
            #expect(
                PNGDecoding.code { _ = try PNGDecoding.decoder(file, PNGDecoding.options(), DecodeEnvironment(limits: limits)) }
                    == .limitExceeded)
        }

        @Test func errorsStick() throws {
            var rows = sample.rows(filter: 0)
            rows[0] = 7
            let decoder = try PNGDecoding.decoder(file(PNGSample.zlib(rows)))
            #expect(PNGDecoding.code { _ = try PNGDecoding.frame(decoder) } == .corrupt)
            #expect(PNGDecoding.code { _ = try PNGDecoding.frame(decoder) } == .corrupt)
            #expect(PNGDecoding.code { _ = try decoder.read(from: ByteRope(sample.file())) } == .corrupt)
        }

        @Test func timeIsUp() throws {
            var limits = DecodeLimits.standard
            limits.maximumDecodeTime = .zero
            let decoder = try PNGDecoding.decoder(sample.file(), PNGDecoding.options(), DecodeEnvironment(limits: limits))
            #expect(PNGDecoding.code { _ = try PNGDecoding.frame(decoder) } == .limitExceeded)
        }

        @Test func cancelledBetweenRows() async throws {
            let file = sample.file()
            let code = await Task { () -> ImageError.Code? in
                withUnsafeCurrentTask { $0?.cancel() }
                return PNGDecoding.code { _ = try PNGDecoding.pixels(file) }
            }.value
            #expect(code == .cancelled)
        }
    }
#endif
