#if JPEG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    /// Several sizes of one decode are what decodes of each size alone are, to the last bit.
    @Suite("Sizes of one JPEG") struct JPEGSizesTests {  // DC-25
        /// The shares of an image's size for which it is decoded at 1, 2, 4 and 8 eighths, some of them twice.
        private static let shares = [17, 16, 8, 7, 4, 3, 1]

        private static func options(_ header: ImageHeader, _ shares: [Int]) -> ResolvedDecodeOptions {
            let targets = shares.map { share in
                DecodeTarget.size(.fit(max(1, header.size.width / share), max(1, header.size.height / share)))
            }
            var options = ResolvedDecodeOptions()
            options.target = targets[0]
            options.otherTargets = Array(targets.dropFirst())
            return options
        }

        private static func decoder(_ file: [UInt8], _ options: ResolvedDecodeOptions, threads: Int) throws -> JPEGDecoder {
            let decoder = JPEGDecoder(options: options, environment: DecodeEnvironment(threads: threads))
            _ = try decoder.read(from: ByteRope(file))
            return decoder
        }

        /// Throws as the decoder does.
        private static func together(_ file: [UInt8], _ shares: [Int], threads: Int = 1) throws -> [[UInt8]] {
            let header = try #require(try JPEGSamples.decoder(file).header)
            let decoder = try decoder(file, options(header, shares), threads: threads)
            let layouts = try [#require(decoder.outputLayout)] + decoder.otherLayouts
            var buffers: [SizeBuffer] = []
            for layout in layouts { buffers.append(SizeBuffer(try PixelBuffer(layout))) }
            try decoder.decodeSizes(into: buffers)
            return buffers.map { $0.take().freeze().packedBytes() }
        }

        private static func alone(_ file: [UInt8], _ share: Int) throws -> [UInt8] {
            let header = try #require(try JPEGSamples.decoder(file).header)
            return try JPEGSamples.decode(try decoder(file, options(header, [share]), threads: 1)).packedBytes()
        }

        /// Whether all shares give at once what each gives alone; nil: at once they are refused.
        private static func isSame(_ file: [UInt8], _ shares: [Int] = shares, threads: Int = 1) throws -> Bool? {
            var pixels: [[UInt8]] = []
            let code = JPEGSamples.code { pixels = try together(file, shares, threads: threads) }
            if code != nil { return nil }
            return try pixels == shares.map { try alone(file, $0) }
        }

        /// Every set of the eighths that the kernel makes, with and without whole rows.
        private static let sets: [[Int]] = (1..<16).map { bits in
            [16, 7, 4, 1].enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
        }

        private static func photographs() throws -> [[UInt8]] {
            var files: [[UInt8]] = []
            for progressive in [false, true] {
                for (quality, isGray) in [(80, false), (95, false), (90, true)] {
                    for size in [(419, 303), (64, 96), (33, 17), (9, 250)] {
                        let options = EncodeOptions(quality: quality, progressive: progressive)
                        files.append(try JPEGPartsTests.photograph(size.0, size.1, options, isGray: isGray))
                    }
                }
            }
            return files
        }

        @Test func `Files of encoders`() throws {
            for file in try Self.photographs() {
                #expect(try Self.isSame(file) == true)
                #expect(try Self.isSame(file, Self.shares.reversed()) == true)
            }
            let file = try JPEGPartsTests.photograph(419, 303, EncodeOptions(quality: 80, progressive: true))
            for set in Self.sets { #expect(try Self.isSame(file, set) == true, "\(set)") }
        }

        @Test(arguments: JPEGShrinkerTests.Kind.all) func `Every sampling, with restart markers and without`(
            kind: JPEGShrinkerTests.Kind
        ) throws {
            for (width, height) in [(67, 45), (200, 131)] {
                let file = JPEGShrinkerTests.file(kind, width, height).bytes()
                for set in Self.sets { #expect(try Self.isSame(file, set) == true, "\(set)") }
            }
        }

        @Test func `What only the library reads`() throws {
            let wide = JPEGCoefficientFile.Component(horizontal: 4, vertical: 1)
            var rare = JPEGCoefficientFile(width: 270, height: 140, components: [wide, .init(), .init()], codeLength: 12)
            rare.fill { $0 + $1 % 5 + ($2 == 0 ? 9 : 0) }
            #expect(try Self.isSame(rare.bytes()) == true)
        }

        /// Some blocks have no detail that the size shows, but one that a larger size does, and a mean beyond what 16 bits hold. A row of
        /// sixteen zeros would be a detail to the kernel, so the places 4, 5 and 12, after fewer, matter most: for chroma of half the width.
        @Test(arguments: [1, 2]) func `Details behind the last one of a size`(vertical: Int) throws {
            for place in [2, 16, 9, 3, 24, 4, 5, 12, 27, 36, 63] {
                for most in [120, 2047] {
                    var file = JPEGCoefficientFile(
                        width: 150, height: 90,
                        components: [.init(horizontal: 2, vertical: vertical), .init(), .init()], codeLength: 12)
                    file.steps = file.steps.map { _ in most > 1000 ? 250 : 9 }
                    file.fill { component, block, at in
                        if at == 0 { return (component * 7919 + block * 104_729) % most - most / 2 }
                        return at == place && block % 3 != 0 ? 5 : 0
                    }
                    #expect(try Self.isSame(file.bytes()) == true, "\(place)")
                }
            }
        }

        @Test func `Several threads`() throws {
            for progressive in [false, true] {
                let file = try JPEGPartsTests.photograph(1043, 1029, EncodeOptions(quality: 85, progressive: progressive))
                for threads in [2, 3] { #expect(try Self.isSame(file, threads: threads) == true) }
            }
        }

        @Test func `Damaged files give each what it gives alone, or are refused`() throws {
            let kind = JPEGShrinkerTests.Kind.all[5]
            let files = try [
                JPEGShrinkerTests.file(kind, 67, 45).bytes(),
                JPEGPartsTests.photograph(130, 70, EncodeOptions(quality: 70, progressive: true)),
            ]
            for file in files {
                var (same, refused) = (0, 0)
                for step in stride(from: 20, to: 200, by: 5) {
                    var changed = file
                    let place = file.count * step / 200
                    changed[place] = step % 3 == 0 ? 0xFF : changed[place] ^ UInt8(1 << step % 8)
                    guard (try? JPEGSamples.decoder(changed).header) != nil else { continue }
                    let outcome = try Self.isSame(changed, [17, 8, 4, 1])
                    #expect(outcome != false, "byte \(place)")
                    if outcome == nil { refused += 1 } else { same += 1 }
                }
                #expect(same > 0 && refused > 0, "\(same) \(refused)")
            }
        }

        /// The small sizes need no scan of the details that are damaged: they come, though all of them together do not.
        @Test func `Damage that only the larger size sees`() throws {
            let file = try JPEGPartsTests.photograph(419, 303, EncodeOptions(quality: 85, progressive: true))
            let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
            var found = 0
            for scan in scans {
                let length = Int(file[scan + 2]) << 8 | Int(file[scan + 3])
                var changed = file
                // No code has so many ones.
                for place in scan + 2 + length + 40..<scan + 2 + length + 60 { changed[place] = place % 2 == 0 ? 0xFF : 0 }
                let small = try JPEGShrinkerTests.shrunk(changed, eighths: 1)
                let large = try JPEGShrinkerTests.shrunk(changed, eighths: 4)
                guard small != nil, large == nil else { continue }
                found += 1
                #expect(try Self.isSame(changed, [16, 17, 18]) == true)
                #expect(try Self.isSame(changed, [16, 4]) == nil)
            }
            #expect(found > 0)
        }

        @Test func `A progressive file's codes are read once for the whole image and small ones`() throws {
            let file = try JPEGPartsTests.photograph(419, 303, EncodeOptions(quality: 85, progressive: true))
            let header = try #require(try JPEGSamples.decoder(file).header)
            let scalings = [4, 16].map { JPEGScaling(for: header, options: Self.options(header, [$0])) }
            let handle = try JPEGHandle(.standard, isStrict: true)
            var input = JPEGInput(whole: ByteRope(file))
            var whole = try PixelBuffer(PixelLayout(size: header.size, alpha: .opaque))
            let waiting = try handle.reading(&input) { () throws(ImageError) in
                guard try handle.readHeader(), try handle.joinScans(eighths: 8, byKernel: true),
                    let shrinker = JPEGShrinker(beside: handle, scalings, DecodeWatch(.standard)), handle.blockRows == 16
                else { return [Int]() }
                _ = try handle.start(eighths: 8, byScan: false)
                var waiting = [shrinker.waitingBands]
                var done = 0
                _ = try handle.readRows(into: &whole, at: 0, count: 16, done: &done)
                waiting.append(shrinker.waitingBands)
                return waiting
            }
            // The library looks one row of MCUs ahead.
            #expect(waiting == [0, 2])
        }

        @Test func `One pass of the kernel has the rows of all scales`() throws {
            let file = try JPEGPartsTests.photograph(419, 303, EncodeOptions(quality: 85, progressive: true))
            let header = try #require(try JPEGSamples.decoder(file).header)
            let scalings = [4, 7, 16].map { JPEGScaling(for: header, options: Self.options(header, [$0])) }
            #expect(scalings.map(\.eighths) == [4, 2, 1])
            let handle = try JPEGHandle(.standard, isStrict: true)
            var input = JPEGInput(whole: ByteRope(file))
            var row = try PixelBuffer(PixelLayout(size: PixelSize(clamping: scalings[0].decoded.width, 40), alpha: .opaque))
            let (bands, isAhead) = try handle.reading(&input) { () throws(ImageError) in
                guard try handle.readHeader(), let shrinker = try JPEGShrinker(handle, scalings, DecodeWatch(.standard)) else {
                    return ([Int](), true)
                }
                let bands = (0..<4).map { shrinker.bandRows(of: $0) }
                var done = 0
                // The rows after the band come only once the others were taken.
                let isAhead = try shrinker.readRows(into: &row, at: 0, count: bands[0] + 1, done: &done)
                return (bands, isAhead || done != bands[0])
            }
            #expect(bands == [8, 4, 2, 0] && !isAhead)
        }
    }
#endif
