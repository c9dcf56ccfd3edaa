#if TIFF
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Of TIFF the strips and tiles of the region are read.
    @Suite("Regions of TIFF files") struct TIFFRegionTests {
        /// Chunks of samples of 8 bits, which are random.
        private static func page(
            _ width: Int, _ height: Int, samples: Int = 1, bits: Int = 8, tile: (width: Int, height: Int)? = nil, rows: Int = 7
        ) -> TIFFSample.Page {
            var random = SeededGenerator(seed: UInt64(width * height + bits))
            let (across, down) = tile.map { ($0.width, $0.height) } ?? (width, rows)
            let count = (tile == nil ? 1 : (width + across - 1) / across) * ((height + down - 1) / down)
            var page = TIFFSample.Page(
                width: width, height: height, bits: [Int](repeating: bits, count: samples), photometric: samples == 1 ? 1 : 2)
            page.chunks = (0..<count).map { index in
                let high = tile == nil ? min(down, height - index * down) : down
                return (0..<(across * samples * bits + 7) / 8 * high).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            }
            (page.tile, page.rowsPerStrip) = (tile, tile == nil ? rows : nil)
            return page
        }

        @Test func stripsAndTiles() throws {
            for (width, height) in [(67, 41), (16, 16), (130, 9)] {
                for page in [
                    Self.page(width, height), Self.page(width, height, samples: 3), Self.page(width, height, bits: 1),
                    Self.page(width, height, bits: 4, rows: 1), Self.page(width, height, samples: 3, bits: 16, rows: 100),
                    Self.page(width, height, tile: (16, 16)), Self.page(width, height, samples: 3, tile: (32, 16)),
                    Self.page(width, height, bits: 1, tile: (16, 32)),
                ] {
                    let file = TIFFSample([page]).bytes
                    for isDeep in [false, true] {
                        var comparison = RegionComparison()
                        comparison.options.keeps16Bit = isDeep
                        let parts = RegionComparison.parts(of: PixelSize(clamping: width, height))
                        #expect(try comparison.differences(file, parts) == [], "\(page.bits) \(page.tile == nil)")
                    }
                }
            }
        }

        @Test func separatePlanesAndTurnedPages() throws {
            var page = Self.page(40, 30, rows: 30)
            (page.bits, page.photometric) = ([8, 8, 8], 2)
            page.chunks = [page.chunks[0], page.chunks[0].reversed(), page.chunks[0]]
            page.extra = [(284, 3, [2])]
            #expect(
                try RegionComparison().differences(
                    TIFFSample([page]).bytes, RegionComparison.parts(of: PixelSize(clamping: 40, 30))) == [])
            for orientation in Orientation.allCases {
                var page = Self.page(40, 30, tile: (16, 16))
                page.extra = [(274, 3, [orientation.rawValue])]
                let size = orientation.displayed(PixelSize(clamping: 40, 30))
                #expect(try RegionComparison().differences(TIFFSample([page]).bytes, RegionComparison.parts(of: size)) == [])
            }
        }

        @Test func whatIsOutsideIsNotRead() throws {
            var page = Self.page(64, 64, tile: (16, 16))
            // PackBits: sixteen bytes as they are, for each row of a tile.
            page.extra = [(259, 3, [32773])]
            page.chunks = page.chunks.map { tile in
                stride(from: 0, to: 256, by: 16).flatMap { [15] + Array(tile[$0..<$0 + 16]) }
            }
            let file = TIFFSample([page]).bytes
            page.chunks[5] = [1, 2, 3]
            let damaged = TIFFSample([page]).bytes
            var options = ResolvedDecodeOptions()
            options.region = PixelRect(x: 32, y: 20, width: 32, height: 31)
            options.limits = DecodeLimits(maximumPixels: 1000, maximumDecodedBytes: 8000)
            let decoding = ImageDecoding(coders: CodersManager([TIFFCoder()]))
            #expect(try decoding.open(ByteRope(damaged), options).neededBytes == 31 * 128)
            let own = try decoding.decode(ByteRope(damaged), options: options).bitmap
            let whole = try RegionComparison().whole(file).bitmap
            #expect(own.packedBytes() == (try whole.cropped(to: PixelRect(x: 32, y: 20, width: 32, height: 31))).packedBytes())
            options.region = PixelRect(x: 31, y: 20, width: 32, height: 31)
            let error = #expect(throws: ImageError.self) { _ = try decoding.decode(ByteRope(damaged), options: options) }
            #expect(error?.code == .corrupt)
        }
    }
#endif
