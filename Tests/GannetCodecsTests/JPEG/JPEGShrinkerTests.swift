#if JPEG
    import GannetCore
    import Glibc
    import Testing

    @testable import GannetCodecs

    @Suite("Small pictures of JPEG") struct JPEGShrinkerTests {  // CD-31, U-02
        struct Kind: CustomTestStringConvertible {
            var factors: [(Int, Int)]
            var restartInterval = 0
            var codeLength = 16
            var testDescription: String { "\(factors), a restart each \(restartInterval), codes of \(codeLength) bits" }

            static let all = [
                Kind(factors: [(1, 1)]), Kind(factors: [(1, 1)], restartInterval: 3),
                Kind(factors: [(1, 1), (1, 1), (1, 1)], codeLength: 11),
                Kind(factors: [(2, 1), (1, 1), (1, 1)], restartInterval: 1),
                Kind(factors: [(1, 2), (1, 1), (1, 1)]),
                Kind(factors: [(2, 2), (1, 1), (1, 1)], restartInterval: 7, codeLength: 12),
                Kind(factors: [(2, 2), (2, 1), (1, 2)]),
            ]
        }

        /// Sparse coefficients that stay in range, other ones at every place.
        static func file(_ kind: Kind, _ width: Int = 67, _ height: Int = 45) -> JPEGCoefficientFile {
            var file = JPEGCoefficientFile(
                width: width, height: height,
                components: kind.factors.map { JPEGCoefficientFile.Component(horizontal: $0.0, vertical: $0.1) },
                restartInterval: kind.restartInterval, codeLength: kind.codeLength)
            file.fill { component, block, place in
                let mixed = (component &* 7919 &+ block &* 104_729 &+ place &* 1_299_709) % 1009
                if place == 0 { return mixed % 120 - 60 }
                return mixed % 7 == 0 && block % 4 != 0 ? (mixed / 7) % 21 - 10 : mixed == 1 ? 60 : 0
            }
            return file
        }

        /// One weight of a transform with `count` samples; a sample is the sum over both directions, divided by 8.
        private static func weight(_ index: Int, _ at: Int, _ count: Int) -> Double {
            index == 0 ? 1 : 2.0.squareRoot() * cos(Double(2 * at + 1) * Double(index) * .pi / Double(2 * count))
        }

        private static func sample(_ file: JPEGCoefficientFile, _ component: Int, _ x: Int, _ y: Int, _ eighths: Int) -> Double {
            let plane = file.components[component]
            let across = eighths * file.mostAcross / plane.horizontal
            let down = eighths * file.mostDown / plane.vertical
            let block = plane.blocks[y / down * file.mcusAcross * plane.horizontal + x / across]
            var sum = 0.0
            for v in 0..<down {
                for u in 0..<across where block[8 * v + u] != 0 {
                    let coefficient = Double(block[8 * v + u] * file.steps[8 * v + u])
                    sum += coefficient * weight(u, x % across, across) * weight(v, y % down, down)
                }
            }
            return min(max(sum / 8 + 128, 0), 255)
        }

        /// The kernel's output for a file, at its own size. Nil if the kernel refuses the file or gives up.
        static func shrunk(_ bytes: [UInt8], eighths: Int) throws -> Bitmap? { try shrunk(bytes, eighths, threads: 1).bitmap }

        /// The same with several threads: how many decoded, and whether the others had read the last row.
        static func shrunk(_ bytes: [UInt8], _ eighths: Int, threads: Int, rows: Int? = nil) throws -> (
            bitmap: Bitmap?, threads: Int, follows: Bool
        ) {
            let header = try #require(try JPEGSamples.decoder(bytes).header)
            var scaling = JPEGScaling(for: header, options: ResolvedDecodeOptions())
            scaling.eighths = eighths
            scaling.decoded = PixelSize(
                clamping: (header.size.width * eighths + 7) / 8, (header.size.height * eighths + 7) / 8)
            let handle = try JPEGHandle(.standard, isStrict: true)
            var input = JPEGInput(whole: ByteRope(bytes))
            var buffer = try PixelBuffer(PixelLayout(size: scaling.decoded, alpha: .opaque))
            var (started, follows) = (1, false)
            let isWhole = try handle.reading(&input) { () throws(ImageError) in
                guard try handle.readHeader(), let shrinker = try JPEGShrinker(handle, [scaling], DecodeWatch(.standard)) else {
                    return false
                }
                let division = shrinker.divide(among: threads, of: .standard, .unlimited)
                defer { withExtendedLifetime(division?.room) {} }
                started = division?.threads ?? 1
                var done = 0
                let isWhole = try shrinker.readRows(into: &buffer, at: 0, count: rows ?? scaling.decoded.height, done: &done)
                follows = shrinker.follows
                return isWhole
            }
            return (isWhole ? buffer.freeze() : nil, started, follows)
        }

        @Test func `Columns beyond the row are refused`() throws {
            let bytes = Self.file(Kind.all[0]).bytes()
            let header = try #require(try JPEGSamples.decoder(bytes).header)
            var scaling = JPEGScaling(for: header, options: ResolvedDecodeOptions())
            (scaling.eighths, scaling.decoded) = (4, PixelSize(clamping: 4, 4))
            let handle = try JPEGHandle(.standard, isStrict: true)
            var input = JPEGInput(whole: ByteRope(bytes))
            let last = (header.size.width * 4 + 7) / 8
            let outcomes = try handle.reading(&input) { () throws(ImageError) in
                guard try handle.readHeader(), let shrinker = try JPEGShrinker(handle, [scaling], DecodeWatch(.standard)) else {
                    return [Bool]()
                }
                return [last - 4, last - 3, 100_000].map { (try? shrinker.keep($0..<$0 + 4, after: 0)) == true }
            }
            #expect(outcomes == [true, false, false])
        }

        /// Decodes with the library alone, one scan after the other, and throws its errors.
        static func byLibrary(_ bytes: [UInt8], _ options: DecodeOptions) throws -> Bitmap {
            let header = try #require(try JPEGSamples.decoder(bytes, options).header)
            let scaling = JPEGScaling(for: header, options: ResolvedDecodeOptions(options))
            let handle = try JPEGHandle(.standard, isStrict: true)
            var input = JPEGInput(whole: ByteRope(bytes))
            var sink = try JPEGRowSink(header, scaling, colors: nil, pool: .shared)
            var buffer = try PixelBuffer(PixelLayout(size: scaling.output, alpha: .opaque))
            try handle.reading(&input) { () throws(ImageError) in
                _ = try handle.readHeader()
                _ = try handle.start(eighths: scaling.eighths, byScan: false)
                _ = try sink.drain(handle, into: &buffer)
                if handle.endedEarly, handle.isIncomplete { throw JPEGHandle.truncated }
            }
            return buffer.freeze()
        }

        @Test("Samples are made of the lowest coefficients", arguments: Kind.all, [1, 2, 4])
        func samples(kind: Kind, eighths: Int) throws {
            let file = Self.file(kind)
            let picture = try #require(try Self.shrunk(file.bytes(), eighths: eighths))
            #expect(picture.size.width == (file.width * eighths + 7) / 8)
            var worst = 0.0
            for y in 0..<picture.size.height {
                let row = picture.row(y)
                for x in 0..<picture.size.width {
                    for channel in 0..<3 {
                        let expected = Self.sample(file, file.components.count == 3 ? channel : 0, x, y, eighths)
                        worst = max(worst, abs(expected - Double(row[4 * x + channel])))
                    }
                }
            }
            // Half for rounding, the rest for factors of 13 bits.
            #expect(worst < 0.7)
        }

        @Test("An eighth is what the library makes of it, where nothing is mixed", arguments: [Kind.all[0], Kind.all[2]])
        func eighth(kind: Kind) throws {
            let bytes = Self.file(kind).bytes()
            let picture = try #require(try Self.shrunk(bytes, eighths: 1))
            let handle = try JPEGHandle(.standard, isStrict: true)
            var input = JPEGInput(whole: ByteRope(bytes))
            var buffer = try PixelBuffer(picture.layout)
            try handle.reading(&input) { () throws(ImageError) in
                _ = try handle.readHeader()
                _ = try handle.start(eighths: 1, byScan: false)
                var done = 0
                while done < buffer.size.height {
                    _ = try handle.readRows(into: &buffer, at: done, count: buffer.size.height - done, done: &done)
                }
            }
            #expect(buffer.freeze().packedBytes() == picture.packedBytes())
        }

        @Test("Colours and a photograph's content are the library's, as near as two filters are")
        func colours() throws {
            for quality in [75, 95] {
                let file = try JPEGSamples.file(256, 192, EncodeOptions(quality: quality))
                var options = DecodeOptions()
                options.target = .size(.fit(60, 60))
                let own = try JPEGSamples.decode(file, options)
                #expect(try Self.shrunk(file, eighths: 4) != nil)
                #expect(JPEGSamples.psnr(own, try Self.byLibrary(file, options)) > 40)
            }
        }

        @Test("Damage is the library's to judge", arguments: [Kind.all[1], Kind.all[5]])
        func damage(kind: Kind) throws {
            let file = Self.file(kind, 33, 20).bytes()
            var options = DecodeOptions()
            options.target = .size(.fit(8, 8))
            let scan =
                try #require(file.indices.dropLast().last { file[$0] == 0xFF && file[$0 + 1] == 0xDA }) + 8 + 2
                * kind.factors.count
            var given = 0
            for index in scan..<file.count {
                for value in [UInt8(0), 0xFF, 0xD9, file[index] ^ 0x10] {
                    var changed = file
                    changed[index] = value
                    let own = JPEGSamples.code { _ = try JPEGSamples.decode(changed, options) }
                    #expect(own == JPEGSamples.code { _ = try Self.byLibrary(changed, options) }, "byte \(index) is \(value)")
                    if try Self.shrunk(changed, eighths: 2) == nil { given += 1 }
                }
            }
            // Some changes are pictures too, most are not.
            #expect(given > 100)
            for count in scan..<file.count - 2 {
                let code = JPEGSamples.code { _ = try JPEGSamples.decode(Array(file.prefix(count)), options) }
                #expect(code == JPEGSamples.code { _ = try Self.byLibrary(Array(file.prefix(count)), options) }, "\(count) bytes")
            }
        }

        @Test("Previews before it do not change the picture")
        func previews() throws {
            let file = try JPEGSamples.file(320, 240)
            var options = DecodeOptions()
            options.target = .size(.fit(40, 40))
            let straight = try JPEGSamples.decode(file, options)
            for allowsPartial in [false, true] {
                options.allowsPartial = allowsPartial
                let decoder = JPEGDecoder(options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
                var rope = ByteRope(Array(file.prefix(file.count / 2)), isComplete: false)
                _ = try decoder.read(from: rope)
                var buffer = try PixelBuffer(try #require(decoder.outputLayout))
                #expect(try decoder.decodePreview(into: &buffer))
                rope.append(Array(file.dropFirst(file.count / 2)))
                rope.isComplete = true
                _ = try decoder.read(from: rope)
                #expect(try JPEGSamples.decode(decoder).packedBytes() == straight.packedBytes())
            }
        }

        @Test("Other kinds are left to the library, whole pictures too")
        func otherKinds() throws {
            let wide = JPEGCoefficientFile.Component(horizontal: 4, vertical: 1)
            var rare = JPEGCoefficientFile(width: 70, height: 40, components: [wide, .init(), .init()], codeLength: 12)
            rare.fill { $0 + $1 % 5 + ($2 == 0 ? 9 : 0) }
            #expect(try Self.shrunk(rare.bytes(), eighths: 2) == nil)
            #expect(try Self.shrunk(try JPEGSamples.file(64, 48), eighths: 8) == nil)
            var options = DecodeOptions()
            options.target = .size(.fit(8, 8))
            #expect(try JPEGSamples.decode(rare.bytes(), options).size == PixelSize(clamping: 8, 5))
        }

        @Test func timeIsLookedAt() throws {
            var options = DecodeOptions()
            options.target = .size(.fit(8, 8))
            var limits = DecodeLimits.standard
            limits.maximumDecodeTime = .zero
            let decoder = try JPEGSamples.decoder(try JPEGSamples.file(64, 48), options, limits: limits)
            #expect(JPEGSamples.code { _ = try JPEGSamples.decode(decoder) } == .limitExceeded)
        }
    }
#endif
