#if Lottie
    import FoundationEssentials
    import GannetCore
    import GannetImages
    import GannetTestSupport
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// FM-14
    @Suite struct LottieDecoderTests {
        private static func decoder(
            _ bytes: [UInt8], limits: DecodeLimits = .standard, _ change: (inout DecodeOptions) -> Void = { _ in }
        ) throws(ImageError) -> any ImageDecoder {
            var options = DecodeOptions()
            options.limits = limits
            change(&options)
            let decoder = try LottieCoder().makeDecoder(
                for: .lottie, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment(limits: limits))
            var rope = ByteRope(bytes)
            rope.isComplete = true
            _ = try decoder.read(from: rope)
            return decoder
        }

        private static func draw(
            _ bytes: [UInt8], frame: Int = 0, _ change: (inout DecodeOptions) -> Void = { _ in }
        ) throws -> Bitmap {
            let decoder = try decoder(bytes, change)
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            try decoder.decodeFrame(at: frame, into: &buffer)
            return buffer.freeze()
        }

        private static func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [UInt8] {
            let row = bitmap.row(y)
            return [row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]]
        }

        private static func header(_ bytes: [UInt8]) throws -> ImageHeader { try #require(try decoder(bytes).header) }

        /// In this process, which only tests may.
        private static var decoding: ImageDecoding { ImageDecoding(coders: CodersManager([InProcess()])) }

        private struct InProcess: ImageCoder {
            private let base = LottieCoder()
            var identifier: String { "Lottie in process" }
            var formats: [ImageFormat] { base.formats }
            func recognizes(_ head: Span<UInt8>) -> Recognition { base.recognizes(head) }
            func makeDecoder(
                for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
            ) throws(ImageError) -> any ImageDecoder {
                try base.makeDecoder(for: format, options: options, environment: environment)
            }
            func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
        }

        private static let red: [UInt8] = [255, 0, 0, 255]
        private static let clear: [UInt8] = [0, 0, 0, 0]

        /// rlottie animates the rotation of layers that say so alone; `ddd` is optional in the format, and 0.
        @Test(arguments: ["", "\"ddd\":0,", "behind"], [false, true])
        func layersTurnWhateverTheySayOfDimensions(said: String, isNested: Bool) throws {
            let (before, behind) = said == "behind" ? ("", ",\"ddd\":0") : (said, "")
            let rectangle = """
                [{\(before) "ty":4,"ip":0,"op":30,"st":0,"ks":{"o":{"k":100},"p":{"k":[50,40]},"r":{"a":1,"k":[{"t":0,"s":[0],"e":[90],
                "i":{"x":[0.8],"y":[0.8]},"o":{"x":[0.2],"y":[0.2]}},{"t":30}]}},"shapes":[{"ty":"gr","it":[
                {"ty":"rc","p":{"k":[0,0]},"s":{"k":[80,10]},"r":{"k":0}},{"ty":"fl","c":{"k":[1,0,0,1]},"o":{"k":100}},
                {"ty":"tr","p":{"k":[0,0]},"a":{"k":[0,0]},"s":{"k":[100,100]},"r":{"k":0},"o":{"k":100}}]}]\(behind)}]
                """
            let layers =
                isNested
                ? "[{ \(before)\"ty\":0,\"refId\":\"c\",\"ip\":0,\"op\":30,\"st\":0,\"ks\":{},\"w\":100,\"h\":80\(behind)},{}]"
                : rectangle
            let file = Array(
                """
                {"v":"5.5","fr":30,"ip":0,"op":30,"w":100,"h":80,"assets":[{"id":"c","layers":\(rectangle)}],"layers":\(layers)}
                """.utf8)
            let first = try Self.draw(file)
            let last = try Self.draw(file, frame: 29)
            #expect(Self.pixel(first, 20, 40) == Self.red && Self.pixel(first, 50, 10) == Self.clear)
            #expect(Self.pixel(last, 20, 40) == Self.clear && Self.pixel(last, 50, 10) == Self.red)
        }

        /// Plain, as a sticker, and as both kinds of archives.
        private static func packings(_ writer: LottieWriter) -> [(name: String, file: [UInt8])] {
            let file = writer.file
            let second =
                "{\"version\":\"2\",\"animations\":[{\"id\":\"other\"},{\"id\":\"drawn\"}],\"initial\":{\"animation\":\"drawn\"}}"
            return [
                ("JSON", file), ("tgs", LottieWriter.gzip(file)), ("dotLottie", LottieWriter.dotLottie(file)),
                ("packed dotLottie", LottieWriter.dotLottie(file, isPacked: true)),
                (
                    "dotLottie 2",
                    LottieWriter.archive([
                        ("a/other.json", LottieWriter([]).file), ("a/drawn.json", file), ("manifest.json", Array(second.utf8)),
                    ])
                ),
            ]
        }

        // MARK: Promises

        // FM-14
        @Test func `A file keeps every promise of a coder`() async {
            var writer = LottieWriter([
                LottieWriter.square(x: 4, y: 8, side: 16, color: (1, 0, 0), moves: 3),
                LottieWriter.square(x: 0, y: 0, side: 64, color: (0, 0.5, 1), opacity: 50, times: (2, 4)),
            ])
            writer.end = "5"
            for (name, file) in Self.packings(writer) {
                let check = CoderConformance(LottieCoder(), format: .lottie, sample: file, name: name)
                #expect(check.failures() == [])
                #expect(await check.cancellation() == [])
            }
        }

        // MARK: Header

        // FM-14
        @Test func `The header says size, frames and delays`() throws {
            var writer = LottieWriter()
            writer.putsLayersFirst = true
            for (name, file) in Self.packings(writer) {
                let header = try Self.header(file)
                #expect(header.format == .lottie && header.size == PixelSize(width: 64, height: 48), "\(name)")
                #expect(header.frameCount == 10 && header.isVector && header.hasAlpha && header.pageCount == 1)
                #expect(header.animation == AnimationInfo(loopCount: 0, delays: Array(repeating: .milliseconds(40), count: 10)))
            }
        }

        @Test(arguments: [
            ("25", "0", "10", 10, 40_000_000), ("29.97", "0", "60.9", 60, 33_366_700), ("60", "-5", "5", 10, 16_666_667),
            // Delays up to 10 ms are shown as 100: every second frame is left out, or more.
            ("100", "0", "100", 50, 20_000_000), ("240", "0", "10", 4, 12_500_000),
        ]) func `Frames and delays follow from rate, beginning and end`(
            _ rate: String, _ first: String, _ end: String, _ frames: Int, _ nanoseconds: Int
        ) throws {
            var writer = LottieWriter()
            (writer.frameRate, writer.first, writer.end) = (rate, first, end)
            let header = try Self.header(writer.file)
            #expect(header.frameCount == frames)
            #expect(header.animation?.delays == Array(repeating: .nanoseconds(nanoseconds), count: frames))
        }

        @Test func `One frame is a still image`() throws {
            for end in ["0", "0.5", "1"] {
                var writer = LottieWriter()
                writer.end = end
                let header = try Self.header(writer.file)
                #expect(header.frameCount == 1 && header.animation == nil, "\(end)")
                #expect(Self.pixel(try Self.draw(writer.file), 10, 10) == Self.red)
            }
        }

        @Test func `A manifest may say that an animation is shown once`() throws {
            for (loop, count) in [("false", 1), ("true", 0), ("3", 0)] {
                let manifest = "{\"animations\":[{\"loop\":\(loop),\"id\":\"drawn\"}]}"
                let header = try Self.header(LottieWriter.dotLottie(LottieWriter().file, manifest: manifest))
                #expect(header.animation?.loopCount == count, "\(loop)")
            }
        }

        @Test func `Sides that are no whole numbers are rounded up`() throws {
            var writer = LottieWriter()
            (writer.width, writer.height) = ("63.5", "48.0")
            #expect(try Self.header(writer.file).size == PixelSize(width: 64, height: 48))
            #expect(Self.pixel(try Self.draw(writer.file), 12, 12) == Self.red)
        }

        // MARK: Pixels

        // FM-14
        @Test func `A square is drawn at any size`() throws {
            for (name, file) in Self.packings(LottieWriter()) {
                for scale in [1, 4] {
                    let image = try Self.draw(file) { $0.target = .size(.fit(64 * scale, 48 * scale)) }
                    #expect(image.size == PixelSize(width: 64 * scale, height: 48 * scale), "\(name)")
                    #expect(image.layout.alpha == .premultiplied)
                    for y in stride(from: 0, to: 48 * scale, by: 3) {
                        for x in 0..<64 * scale {
                            let isInside = (8 * scale..<24 * scale).contains(x) && (8 * scale..<24 * scale).contains(y)
                            let seen = Self.pixel(image, x, y)
                            if seen != (isInside ? Self.red : Self.clear) {
                                Issue.record("\(name) at \(scale): \(x), \(y): \(seen)")
                            }
                        }
                    }
                }
            }
        }

        // FM-14
        @Test func `A size of other proportions is filled to its edges`() throws {
            let file = LottieWriter([LottieWriter.square(x: 0, y: 0, side: 64, color: (0, 1, 0))]).file
            for target in [TargetSize.fit(33, 33), .stretch(20, 47), .fit(7, 100)] {
                let image = try Self.draw(file) { $0.target = .size(target) }
                let (right, bottom) = (image.width - 1, image.height - 1)
                for (x, y) in [(0, 0), (right, 0), (0, bottom), (right, bottom)] {
                    #expect(Self.pixel(image, x, y) == [0, 255, 0, 255], "\(image.size): \(x), \(y)")
                }
            }
        }

        // FM-14
        @Test func `Frames differ as they should`() throws {
            let moving = LottieWriter.square(x: 4, y: 8, side: 8, color: (1, 0, 0), moves: 4)
            let late = LottieWriter.square(x: 40, y: 32, side: 8, color: (0, 0, 1), times: (5, 8))
            for first in ["0", "-3"] {
                var writer = LottieWriter([moving, late])
                (writer.first, writer.end) = (first, "10")
                let start = first == "0" ? 0 : 3
                for frame in [9, 0, 5, 3, 7] {
                    let image = try Self.draw(writer.file, frame: frame + start)
                    #expect(Self.pixel(image, 8 + 4 * frame, 12) == Self.red, "\(frame)")
                    #expect(Self.pixel(image, 8 + 4 * ((frame + 5) % 10), 12) == Self.clear, "\(frame)")
                    #expect(Self.pixel(image, 44, 36) == ((5..<8).contains(frame) ? [0, 0, 255, 255] : Self.clear), "\(frame)")
                }
            }
        }

        @Test func `With a high rate the frames that are left show what they should`() throws {
            var writer = LottieWriter([LottieWriter.square(x: 4, y: 8, side: 8, color: (1, 0, 0), moves: 4)])
            (writer.frameRate, writer.end) = ("100", "10")
            let image = try Self.draw(writer.file, frame: 3)
            #expect(Self.pixel(image, 8 + 4 * 6, 12) == Self.red)
        }

        // FM-14
        @Test func `Half of a colour is half of its alpha`() throws {
            let file = LottieWriter([LottieWriter.square(x: 8, y: 8, side: 16, color: (1, 0.5, 0), opacity: 50)]).file
            let premultiplied = Self.pixel(try Self.draw(file), 12, 12)
            #expect(abs(Int(premultiplied[3]) - 128) <= 1 && premultiplied[0] == premultiplied[3] && premultiplied[2] == 0)
            #expect(abs(Int(premultiplied[1]) - 64) <= 1)
            let straight = Self.pixel(try Self.draw(file) { $0.alpha = .straight }, 12, 12)
            #expect(straight[0] >= 253 && abs(Int(straight[1]) - 128) <= 2 && straight[3] == premultiplied[3])
        }

        @Test func `Compositions are shown, also within each other`() throws {
            var writer = LottieWriter([LottieWriter.reference("outer")])
            let square = LottieWriter.square(x: 8, y: 8, side: 16, color: (1, 0, 0))
            writer.assets = [
                "{\"id\":\"outer\",\"layers\":[\(LottieWriter.reference("all"))]}", "{\"id\":\"all\",\"layers\":[\(square)]}",
            ]
            #expect(Self.pixel(try Self.draw(writer.file), 12, 12) == Self.red)
        }

        // MARK: Images

        #if PNG
            private static func png(_ color: UInt32) throws -> [UInt8] {
                let bitmap = try TestImages.draw(width: 8, height: 8, alpha: .opaque) { _, _ in color }
                let image = DecodedImage.still(bitmap, ImageMetadata(format: .png, originalSize: bitmap.size))
                return try #require(try PNGCoder().makeEncoder(for: .png, options: EncodeOptions())).encode(image)
            }

            // FM-14
            @Test func `Images in the text and in the archive are drawn, those of other files are not`() throws {
                let file = try Self.png(0xFF00_00FF)
                let url = "data:image\\/png;base64," + Data(file).base64EncodedString()
                var writer = LottieWriter([LottieWriter.reference("image", isImage: true)])
                writer.assets = ["{\"id\":\"image\",\"w\":8,\"h\":8,\"u\":\"\",\"p\":\"\(url)\",\"e\":1}"]
                // rlottie rounds where it scales images.
                func isRed(_ file: [UInt8]) throws -> Bool {
                    let seen = Self.pixel(try Self.draw(file), 4, 4)
                    return seen[0] > 250 && seen[1] == 0 && seen[2] == 0 && seen[3] > 250
                }
                #expect(try isRed(writer.file))
                #expect(Self.pixel(try Self.draw(writer.file), 12, 4) == Self.clear)

                writer.assets = ["{\"id\":\"image\",\"w\":8,\"h\":8,\"u\":\"/images/\",\"p\":\"one.png\",\"e\":0}"]
                let manifest = Array("{\"animations\":[{\"id\":\"a\"}]}".utf8)
                var files = [("manifest.json", manifest), ("animations/a.json", writer.file), ("images/one.png", file)]
                #expect(try isRed(LottieWriter.archive(files)))
                files.removeLast()
                #expect(Self.pixel(try Self.draw(LottieWriter.archive(files)), 4, 4) == Self.clear)

                // A file that there is on this machine.
                let path = "/tmp/gannet-test-\(UUID()).png"
                try Data(file).write(to: URL(filePath: path))
                defer { try? FileManager.default.removeItem(atPath: path) }
                writer.assets = ["{\"id\":\"image\",\"w\":8,\"h\":8,\"u\":\"\",\"p\":\"\(path)\",\"e\":0}"]
                #expect(Self.pixel(try Self.draw(writer.file), 4, 4) == Self.clear)
                writer.assets = ["{\"id\":\"image\",\"w\":8,\"h\":8,\"u\":\"file://\",\"p\":\"\(path)\",\"e\":1}"]
                #expect(Self.pixel(try Self.draw(writer.file), 4, 4) == Self.clear)
            }

            @Test func `Images inside have at most the pixels of one image`() throws {
                var file = try Self.png(0xFF00_00FF)
                // Says that it is 20,000 pixels wide and high.
                for place in [16, 20] { file.replaceSubrange(place..<place + 4, with: [0, 0, 0x4E, 0x20]) }
                var writer = LottieWriter([LottieWriter.reference("image", isImage: true)])
                writer.assets = [
                    "{\"id\":\"image\",\"w\":8,\"h\":8,\"p\":\"data:image/png;base64,\(Data(file).base64EncodedString())\",\"e\":1}"
                ]
                let error = #expect(throws: ImageError.self) { try Self.decoder(writer.file) }
                #expect(error?.code == .limitExceeded && error?.message.contains("maximumPixels") == true)
            }
        #endif

        // MARK: Through the whole of a decode

        // FM-14, PL-06
        @Test func `An animation plays, and one frame of it can be had`() throws {
            var writer = LottieWriter([LottieWriter.square(x: 4, y: 8, side: 8, color: (1, 0, 0), moves: 4)])
            writer.end = "6"
            var options = DecodeOptions()
            options.target = .size(.fit(128, 128))
            let image = try Self.decoding.decode(ByteRope(writer.file), options: ResolvedDecodeOptions(options))
            #expect(image.size == PixelSize(width: 128, height: 96) && image.metadata.isVector)
            guard case .animated(let clip) = image else {
                Issue.record("one frame of six")
                return
            }
            #expect(clip.frameCount == 6 && clip.loopCount == 0)
            #expect(Self.pixel(try clip.blockingFrame(at: 5), 2 * (8 + 20), 24) == Self.red)
            options.frames = .index(3)
            let still = try Self.decoding.decode(ByteRope(writer.file), options: ResolvedDecodeOptions(options))
            #expect(still.frameCount == 1 && Self.pixel(still.bitmap, 2 * (8 + 12), 24) == Self.red)
            options.frames = .index(6)
            let error = #expect(throws: ImageError.self) {
                try Self.decoding.decode(ByteRope(writer.file), options: ResolvedDecodeOptions(options))
            }
            #expect(error?.code == .misuse)
        }

        /// What is drawn counts, and not the size that a document says it has.
        @Test func `Frames of a large drawing are little work when they are drawn small`() throws {
            var writer = LottieWriter()
            (writer.width, writer.height, writer.end) = ("8000", "8000", "60")
            var options = DecodeOptions()
            options.target = .size(.fit(40, 40))
            let small = try Self.decoding.decode(ByteRope(writer.file), options: ResolvedDecodeOptions(options))
            #expect(small.frameCount == 60)
            options.target = .original
            let error = #expect(throws: ImageError.self) {
                try Self.decoding.decode(ByteRope(writer.file), options: ResolvedDecodeOptions(options))
            }
            #expect(error?.code == .limitExceeded && error?.message.contains("maximumAnimationPixels") == true)
        }
    }
#endif
