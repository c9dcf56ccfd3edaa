#if Lottie
    import GannetCore
    import GannetImages
    import GannetTestSupport
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Files that want too much, and files that are not whole. // FM-14
    @Suite struct LottieLimitsTests {
        /// The error of reading the header; nil: there is none.
        private static func error(_ bytes: [UInt8], limits: DecodeLimits = .standard) -> ImageError? {
            do throws(ImageError) {
                let decoder = try LottieCoder().makeDecoder(
                    for: .lottie, options: ResolvedDecodeOptions(), environment: DecodeEnvironment(limits: limits))
                var rope = ByteRope(bytes)
                rope.isComplete = true
                _ = try decoder.read(from: rope)
                return nil
            } catch { return error }
        }

        // FM-14
        @Test func anEndFarAwayIsNoDamage() {
            func code(_ first: String, _ end: String) -> ImageError.Code? {
                Self.error(
                    Array(
                        "{\"v\":\"5.5\",\"fr\":30,\"ip\":\(first),\"op\":\(end),\"w\":8,\"h\":8,\"layers\":[{\"ty\":4}]}".utf8)
                )?.code
            }
            #expect(code("0", "1e9") == .limitExceeded && code("-1e9", "0") == .limitExceeded)
            #expect(code("5", "4") == .corrupt && code("0", "30") == nil)
        }

        @Test func `What a packed file unpacks to has a limit`() throws {
            // 40 MiB of white space in 265 KB.
            let bomb = LottieWriter.gzip(LottieWriter().file, thenSpaces: 40 << 20)
            #expect(bomb.count < 300_000)
            #expect(Self.error(bomb) == nil)
            var limits = DecodeLimits.standard
            limits.maximumEncodedBytes = 8 << 20
            #expect(Self.error(bomb, limits: limits)?.code == .limitExceeded)
            // All files of an archive together.
            let file = LottieWriter().file
            let archive = LottieWriter.dotLottie(file, isPacked: true)
            limits.maximumEncodedBytes = file.count + 100
            #expect(Self.error(archive, limits: limits) == nil)
            limits.maximumEncodedBytes = file.count + 10
            #expect(Self.error(archive, limits: limits)?.code == .limitExceeded)
        }

        // FM-14
        @Test func `Depth has a limit`() {
            for (open, close) in [("[", "]"), ("{\"it\":", "}")] {
                for (depth, code) in [(200, nil), (300, ImageError.Code.limitExceeded), (200_000, .limitExceeded)] {
                    let nested = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
                    let layer = LottieWriter.square(x: 0, y: 0, side: 8, color: (1, 0, 0), more: ",\"xx\":\(nested)")
                    #expect(Self.error(LottieWriter([layer]).file)?.code == code, "\(open) \(depth)")
                }
            }
        }

        // FM-14
        @Test func `Layers are counted where they are shown`() {
            // Each composition shows the next one ten times.
            func tower(_ levels: Int) -> LottieWriter {
                var writer = LottieWriter([LottieWriter.reference("0")])
                writer.assets = (0..<levels).map { level in
                    let layers = (0..<10).map { _ in LottieWriter.reference("\(level + 1)") }
                    return "{\"id\":\"\(level)\",\"layers\":[\(layers.joined(separator: ","))]}"
                }
                return writer
            }
            #expect(Self.error(tower(3).file) == nil)
            let error = Self.error(tower(9).file)
            #expect(error?.code == .limitExceeded && error?.message.contains("layers") == true)
            var writer = LottieWriter((0..<10_000).map { _ in LottieWriter.reference("none") })
            #expect(Self.error(writer.file) == nil)
            writer.layers.append(LottieWriter.reference("none"))
            #expect(Self.error(writer.file)?.code == .limitExceeded)
        }

        @Test func `Compositions within each other have a limit, and none shows itself`() {
            func chain(_ count: Int, last: String) -> [UInt8] {
                var writer = LottieWriter([LottieWriter.reference("0")])
                writer.assets = (0..<count).map { level in
                    let next = level == count - 1 ? last : "\(level + 1)"
                    return "{\"id\":\(level),\"layers\":[\(LottieWriter.reference(next))]}"
                }
                return writer.file
            }
            #expect(Self.error(chain(60, last: "none")) == nil)
            #expect(Self.error(chain(1000, last: "none"))?.code == .limitExceeded)
            for last in ["0", "1", "29"] { #expect(Self.error(chain(30, last: last))?.code == .corrupt, "\(last)") }
            // A name with a zero is, in C, the name before it.
            #expect(Self.error(chain(30, last: "0\\u0000x"))?.code == .corrupt)
        }

        @Test func `Layers that cut out others need images of their own`() throws {
            let layers = (0..<200).map {
                LottieWriter.square(x: $0 % 60, y: 0, side: 8, color: (1, 0, 0), more: ",\"tt\":\($0 % 2)")
            }
            let decoding = { (target: TargetSize) throws(ImageError) -> any ImageDecoder in
                var options = DecodeOptions()
                options.target = .size(target)
                let decoder = try LottieCoder().makeDecoder(
                    for: .lottie, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
                _ = try decoder.read(from: ByteRope(LottieWriter(layers).file))
                guard let layout = decoder.outputLayout else { throw ImageError(.misuse, "no layout") }
                var buffer = try PixelBuffer(layout)
                try decoder.decodeFrame(at: 0, into: &buffer)
                return decoder
            }
            _ = try decoding(.fit(64, 64))
            let error = #expect(throws: ImageError.self) { try decoding(.fit(4096, 4096)) }
            #expect(error?.code == .limitExceeded && error?.message.contains("smaller target") == true)
        }

        @Test func `A frame is drawn within the longest side`() {
            var options = DecodeOptions()
            options.target = .size(.stretch(40_000, 10))
            let error = #expect(throws: ImageError.self) {
                try LottieCoder().makeDecoder(
                    for: .lottie, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment()
                )
                .read(from: ByteRope(LottieWriter().file))
            }
            #expect(error?.code == .limitExceeded)
        }

        // FM-14
        @Test func `Frames have a limit`() {
            var writer = LottieWriter()
            writer.end = "100000000"
            #expect(Self.error(writer.file)?.code == .limitExceeded)
        }

        @Test(arguments: [
            ("w", "0"), ("h", "-3"), ("w", "\"64\""), ("fr", "0"), ("fr", "-25"), ("fr", "1e300"), ("op", "-1"), ("ip", "20"),
            ("op", "1e300"), ("w", "1e-300"), ("layers", "{}"), ("layers", "null"),
        ]) func `Nonsense is damage`(_ name: String, _ value: String) {
            // The last member of a name counts.
            let text = LottieWriter().text.dropLast() + ",\"\(name)\":\(value)}"
            let error = Self.error(Array(text.utf8))
            let expected: ImageError.Code? = name == "layers" ? nil : (name, value) == ("op", "1e300") ? .limitExceeded : .corrupt
            #expect(error?.code == expected, "\(String(describing: error))")
        }

        // FM-14
        @Test func `Sides that are too long are a limit`() {
            var writer = LottieWriter()
            writer.width = "1e8"
            #expect(Self.error(writer.file)?.code == .limitExceeded)
        }

        // FM-14
        @Test func `Text that ends early is truncated wherever it ends`() {
            let file = LottieWriter().file
            for count in 1..<file.count { #expect(Self.error(Array(file[..<count]))?.code == .truncated, "\(count)") }
            let packed = LottieWriter.gzip(file)
            for count in 4..<packed.count - 8 { #expect(Self.error(Array(packed[..<count]))?.code == .truncated, "\(count)") }
            let archive = LottieWriter.dotLottie(file)
            for count in 4..<archive.count { #expect(Self.error(Array(archive[..<count]))?.code == .truncated, "\(count)") }
        }

        @Test func `Damage of what is packed is seen by its checksum`() {
            let file = LottieWriter().file
            for packed in [LottieWriter.gzip(file), LottieWriter.dotLottie(file), LottieWriter.dotLottie(file, isPacked: true)] {
                // In the name of the animation, which could be any other letter.
                let place = packed.firstRange(of: Array("drawn\",\"ddd".utf8))?.lowerBound ?? 0
                var damaged = packed
                damaged[place] = UInt8(ascii: "e")
                #expect(place > 0 && Self.error(packed) == nil && Self.error(damaged)?.code == .corrupt)
            }
        }

        @Test func `Archives that lack something say so`() {
            let file = LottieWriter().file
            let manifest = Array("{\"animations\":[{\"id\":\"other\"}]}".utf8)
            let cases: [[(name: String, bytes: [UInt8])]] = [
                [("animations/drawn.json", file)], [("manifest.json", manifest), ("animations/drawn.json", file)],
                [("manifest.json", Array("{\"animations\":[]}".utf8)), ("animations/drawn.json", file)],
            ]
            for files in cases { #expect(Self.error(LottieWriter.archive(files))?.code == .corrupt) }
            // Another way to pack, and a password.
            for (place, value, header) in [(8, 12, 0), (6, 1, 0)] as [(Int, UInt8, Int)] {
                var archive = LottieWriter.dotLottie(file)
                archive[header + place] = value
                #expect(Self.error(archive)?.code == .unsupported, "\(place)")
            }
        }

        @Test func `What rlottie does not read is said to be so`() throws {
            let decoder = try LottieCoder().makeDecoder(
                for: .lottie, options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(LottieWriter(["{\"ty\":\"shape\",\"ip\":0,\"ks\":{}}"]).file))
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            let error = #expect(throws: ImageError.self) { try decoder.decodeFrame(at: 0, into: &buffer) }
            #expect(error?.code == .corrupt && error?.message.contains("rlottie") == true)
        }
    }
#endif
