#if JP2
    import GannetCore
    import GannetImages
    import GannetKernels
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    extension JP2RegionTests {
        /// Boxes that describe the samples, and the file with them.
        private static func colored() throws -> [(name: String, file: [UInt8])] {
            func placed(_ components: [JP2Sample.Component]) -> JP2Sample {
                var sample = JP2Sample(components: components)
                (sample.width, sample.height, sample.tile, sample.levels) = (131, 85, (40, 24), 2)
                return sample
            }
            let rgb = JP2Sample.rgb.components
            let four = placed(rgb + [JP2Sample.Component { x, y in (x * 5 + y * 3) & 127 }])
            let indices = placed([JP2Sample.Component { x, y in (x + y) % 3 }])
            let colors: [UInt8] = [255, 0, 0, 0, 128, 0, 1, 2, 3]
            let palette =
                JP2Sample.colors(16) + JP2Sample.box("pclr", [0, 3, 3, 7, 7, 7] + colors)
                + JP2Sample.box("cmap", [0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2])
            var files: [(String, [UInt8])] = []
            for type in [1, 2] {
                let boxes = JP2Sample.colors(16) + JP2Sample.definitions([(0, 1), (0, 2), (0, 3), (type, 0)])
                files.append(("alpha \(type)", try four.file(boxes)))
            }
            files.append(("palette", try indices.file(palette)))
            files.append(("inks", try four.file(JP2Sample.colors(12))))
            files.append(("Lab", try placed(rgb).file(JP2Sample.colors(14))))
            return files
        }

        // S3-17
        @Test func `Parts of other kinds of colours are those of the whole`() throws {
            for (name, file) in try Self.colored() {
                let parts = RegionComparison.parts(of: PixelSize(clamping: 131, 85), random: 6)
                #expect(try Self.comparison().differences(file, parts) == [], "\(name)")
            }
        }

        /// No place of the grid that all components share is near.
        @Test func `Components that seldom meet are decoded as a whole`() throws {
            var bytes = try JP2Sample.rgb.codestream()
            #expect(try JP2Codestream(bytes, at: 0)?.hasAreas == true)
            // Before the components are two markers, two lengths, nine fields of sizes and the number of components.
            for (index, step) in [251, 253, 255].enumerated() { bytes[42 + 3 * index + 1] = UInt8(step) }
            #expect(try JP2Codestream(bytes, at: 0)?.hasAreas == false)
        }

        /// OpenJPEG decodes parts of them to other samples; bit 14 of the capabilities says what they are (ISO/IEC 15444-15, 8.1).
        @Test func `Of blocks of high throughput all are decoded`() throws {
            func area(_ bytes: [UInt8]) throws -> JP2Codestream.Area? {
                let codestream = try #require(try JP2Codestream(bytes, at: 0))
                let size = try #require(PixelSize(codestream.size(halved: 0)))
                let region = PixelRect(x: 8, y: 8, width: 16, height: 16)
                return JP2Scaling(of: codestream, size: size, region: region, wanted: region.size, hasAlpha: false).area
            }
            var bytes = try JP2Sample.rgb.codestream()
            #expect(try area(bytes) != nil)
            bytes[6] |= 0x40
            #expect(try area(bytes) == nil)
        }

        /// The main header promises three halvings; the only tile has one.
        private static func unevenFile(_ sample: JP2Sample) throws -> [UInt8] {
            var sample = sample
            sample.levels = 1
            var bytes = try sample.codestream()
            func place(_ marker: UInt8) throws -> Int {
                try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == marker })
            }
            let style = try place(0x52)
            let styleEnd = style + 2 + Int(bytes[style + 3])
            let segment = Array(bytes[style..<styleEnd])
            // The tile's own style follows its twelve bytes of marker, length and numbers; the first four bands are as before.
            let tile = try place(0x90)
            let length = bytes[(tile + 6)..<(tile + 10)].reduce(0) { $0 << 8 | Int($1) }
            bytes.replaceSubrange((tile + 6)..<(tile + 10), with: JP2Sample.long(length + segment.count))
            bytes.insert(contentsOf: segment, at: tile + 12)
            let steps = try place(0x5C)
            let bands = Array(bytes[(steps + 6)..<(steps + 9)])
            bytes.insert(contentsOf: bands + bands, at: steps + 9)
            bytes[steps + 3] += 6
            bytes[style + 9] = 3
            return bytes
        }

        @Test func `A tile with fewer resolutions in an image that does not begin at zero`() throws {
            var sample = JP2Sample.gray { x, y in (x * 37 + y * 91) & 255 }
            (sample.width, sample.height, sample.origin) = (131, 85, (21, 13))
            let file = try Self.unevenFile(sample)
            var comparison = Self.comparison()
            comparison.options.target = .size(.stretch(32, 21))
            let whole = try comparison.whole(file).bitmap
            for place in [(x: 0, y: 0), (x: 2, y: 1), (x: 5, y: 3), (x: 20, y: 15)] {
                // Multiples of four on the grid.
                let part = PixelRect(x: 4 * place.x + 3, y: 4 * place.y + 3, width: 28, height: 20)
                let own = try Self.comparison().region(part, of: file, at: .size(.stretch(7, 5))).bitmap
                let wanted = try cropped(whole, to: PixelRect(x: place.x, y: place.y, width: 7, height: 5))
                #expect(own.packedBytes() == wanted.packedBytes(), "\(place)")
            }
        }
    }
#endif
