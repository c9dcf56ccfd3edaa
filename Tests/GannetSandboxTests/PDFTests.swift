#if PDF
    import GannetCodecs
    import GannetCore
    import GannetImages
    import GannetTestSupport
    import GannetTesting
    import Glibc
    import Testing

    @testable import GannetSandbox

    /// Pages that poppler draws in the sandbox. // FM-13
    @Suite(
        .enabled(
            if: access("/usr/bin/pdftoppm", X_OK) == 0 && access("/usr/bin/pdfinfo", X_OK) == 0,
            "no page is drawn here: the package poppler-utils is not installed"))
    struct PDFTests {
        private static func decoding(_ places: DecodePlaces = DecodePlaces(sandbox: SandboxPool.shared)) -> ImageDecoding {
            var environment = DecodeEnvironment()
            environment.places = places
            return ImageDecoding(coders: CodersManager(BuiltInCoders.all), environment: environment)
        }

        private static func options(_ change: (inout ResolvedDecodeOptions) -> Void) -> ResolvedDecodeOptions {
            var options = ResolvedDecodeOptions()
            change(&options)
            return options
        }

        private static func error(
            _ file: [UInt8], _ change: (inout ResolvedDecodeOptions) -> Void = { _ in }
        ) -> ImageError? {
            do throws(ImageError) {
                _ = try decoding().decode(ByteRope(file), options: options(change))
                return nil
            } catch { return error }
        }

        /// What a command writes, run by a shell without any confinement.
        private static func output(_ command: String) -> [UInt8]? {
            guard let pipe = popen(command, "r") else { return nil }
            defer { pclose(pipe) }
            var (all, piece): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 4096))
            while case let count = fread(&piece, 1, piece.count, pipe), count > 0 { all += piece[..<count] }
            return all
        }

        private static func pixel(_ image: DecodedImage, _ x: Int, _ y: Int) -> [UInt8] {
            let start = 4 * (y * image.bitmap.width + x)
            return Array(image.bitmap.packedBytes()[start..<start + 4])
        }

        private static let (red, white): ([UInt8], [UInt8]) = ([255, 0, 0, 255], [255, 255, 255, 255])

        // FM-13
        @Test("A page is drawn on white, one pixel a point, and nowhere but in the sandbox")
        func page() throws {
            let file = ByteRope(PDFWriter().file)
            let header = try Self.decoding().header(of: file)
            #expect(header.format == .pdf && header.pageCount == 1 && header.isVector && !header.hasAlpha)
            #expect(header.size == PixelSize(width: 100, height: 60))
            let image = try Self.decoding().decode(file)
            #expect(Self.pixel(image, 12, 48) == Self.red && Self.pixel(image, 12, 52) == Self.white)
            #expect(Self.pixel(image, 48, 12) == Self.red && Self.pixel(image, 52, 12) == Self.white)
            for isolation in DecodeIsolation.allCases {
                let error = #expect(throws: ImageError.self) {
                    try Self.decoding(DecodePlaces(isolation: isolation)).decode(file)
                }
                #expect(error?.code == .sandboxUnavailable)
            }
        }

        // FM-13
        @Test("A target is drawn at its size, with sharp edges", arguments: [(400, 240), (50, 30), (1000, 600)])
        func sizes(_ width: Int, _ height: Int) throws {
            let options = Self.options { $0.target = .size(TargetSize(.fill, width: width, height: height)) }
            let image = try Self.decoding().decode(ByteRope(PDFWriter().file), options: options)
            #expect(image.size == PixelSize(width: width, height: height))
            let scale = width / 100
            // Of a side that lies between two pixels.
            guard scale > 0 else { return }
            let y = height - 30 * scale
            #expect(Self.pixel(image, 10 * scale - 1, y) == Self.white && Self.pixel(image, 10 * scale, y) == Self.red)
            #expect(Self.pixel(image, 50 * scale - 1, y) == Self.red && Self.pixel(image, 50 * scale, y) == Self.white)
        }

        // FM-13
        @Test(
            "Sides that are stretched, and those of a page that is turned, are what was asked for", arguments: [0, 90, 180, 270])
        func turned(_ angle: Int) throws {
            let file = ByteRope(PDFWriter([.init("100", "60.5", more: "/Rotate \(angle)")]).file)
            let upright = angle % 180 == 0
            let size = upright ? PixelSize(width: 100, height: 61) : PixelSize(width: 61, height: 100)
            #expect(try Self.decoding().header(of: file).size == size)
            let whole = try Self.decoding().decode(file)
            // The corner that is at the lower left of the page.
            let corner = [0: (12, 48), 90: (12, 12), 180: (88, 12), 270: (48, 88)][angle] ?? (0, 0)
            #expect(whole.size == size && Self.pixel(whole, corner.0, corner.1) == Self.red)
            let options = Self.options { $0.target = .size(TargetSize(.stretch, width: 90, height: 210)) }
            #expect(try Self.decoding().decode(file, options: options).size == PixelSize(width: 90, height: 210))
        }

        // FM-13
        @Test("Each page can be asked for, and has its own size")
        func pages() throws {
            let pages = (1...12).map { PDFWriter.Page("\(100 + $0)", "60", "0 0 1 rg 0 0 \($0) 60 re f") }
            let file = ByteRope(PDFWriter(pages).file)
            for index in [0, 4, 11] {
                let image = try Self.decoding().decode(file, options: Self.options { $0.frames = .index(index) })
                #expect(image.size == PixelSize(width: 101 + index, height: 60) && image.metadata.pageCount == 12)
                #expect(Self.pixel(image, index, 30) == [0, 0, 255, 255] && Self.pixel(image, index + 1, 30) == Self.white)
            }
            for index in [12, 9999, Int.max] {
                let error = Self.error(file.contiguous()) { $0.frames = .index(index) }
                #expect(
                    error?.code == .misuse && error?.message.contains("page \(index)") == true, "\(String(describing: error))")
            }
        }

        @Test("The crop box is what is shown")
        func cropBox() throws {
            let file = PDFWriter([.init("100", "60", more: "/CropBox[10 10 50 50]")]).file
            let image = try Self.decoding().decode(ByteRope(file))
            #expect(image.size == PixelSize(width: 40, height: 40))
            #expect(Self.pixel(image, 0, 0) == Self.red && Self.pixel(image, 39, 39) == Self.red)
        }

        @Test("Fonts that a document does not bring are the system's, as when poppler runs alone")
        func fonts() throws {
            let page = PDFWriter.Page("200", "60", "BT /F 40 Tf 10 15 Td (Gannet) Tj ET")
            let file = PDFWriter([page]).file
            let image = try Self.decoding().decode(ByteRope(file))
            var dark = 0
            for y in 0..<60 { for x in 0..<200 where Self.pixel(image, x, y)[0] < 64 { dark += 1 } }
            #expect(dark > 500)
            var path = Array("/tmp/gannet-pdf-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
            let stored = mkstemp(&path)
            defer { unlink(path) }
            #expect(write(stored, file, file.count) == file.count)
            close(stored)
            let alone = try #require(
                Self.output(
                    "pdftoppm -r 72 -cropbox \(String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))"))
            let pixels = image.bitmap.packedBytes()
            let ours = Array("P6\n200 60\n255\n".utf8) + pixels.indices.filter { $0 % 4 != 3 }.map { pixels[$0] }
            #expect(alone == ours)
        }

        @Test("What a document wants to be done is not done")
        func actions() throws {
            let plain = try Self.decoding().decode(ByteRope(PDFWriter().file)).bitmap.packedBytes()
            for action in [
                "/S/JavaScript/JS(app.alert\\(1\\);)", "/S/Launch/F(/bin/sh)", "/S/URI/URI(http://127.0.0.1:9/)",
                "/S/GoToR/F(/etc/passwd)/D[0/Fit]", "/S/SubmitForm/F(http://127.0.0.1:9/)",
            ] {
                var writer = PDFWriter()
                writer.catalog = "/OpenAction<<\(action)>>/AA<</WC<<\(action)>>>>"
                #expect(try Self.decoding().decode(ByteRope(writer.file)).bitmap.packedBytes() == plain)
            }
        }

        // FM-13
        @Test("Bytes before the mark, as mail programs write them, are passed over")
        func lead() throws {
            var writer = PDFWriter()
            writer.lead = "HTTP/1.1 200 OK\r\n\r\n"
            #expect(try Self.decoding().decode(ByteRope(writer.file)).size == PixelSize(width: 100, height: 60))
        }

        // FM-13
        @Test("A document that needs a password is refused with these words")
        func encrypted() {
            let secret = String(repeating: "00", count: 32)
            for handler in ["Standard", "Nobody.Knows"] {
                var writer = PDFWriter()
                writer.trailer =
                    "/ID[<00><00>]/Encrypt<</Filter/\(handler)/V 1/R 2/Length 40/P -4/O<\(secret)>/U<\(secret)>>>"
                let error = Self.error(writer.file)
                #expect(
                    error?.code == .unsupported && error?.message.contains("encrypted") == true, "\(String(describing: error))")
            }
        }

        // FM-13
        @Test("Pixels, pages, bytes and time are limited")
        func limits() {
            let large = PDFWriter([.init("14400", "14400")]).file
            #expect(Self.error(large)?.code == .limitExceeded)
            #expect(Self.error(large) { $0.target = .size(TargetSize(.fit, width: 64, height: 64)) } == nil)
            let pages = PDFWriter(Array(repeating: .init(), count: 5)).file
            #expect(Self.error(pages) { $0.limits.maximumFrames = 5 } == nil)
            let many = Self.error(pages) { $0.limits.maximumFrames = 4 }
            #expect(many?.code == .limitExceeded && many?.message.contains("5 pages") == true)
            #expect(Self.error(pages) { $0.limits.maximumEncodedBytes = pages.count - 1 }?.code == .limitExceeded)
            let drawing = String(
                repeating: "q 1 0 0 1 0.1 0 cm 0 0 100 60 re W n 0 0 90 50 re 5 5 99 44 re B Q\n", count: 200_000)
            let slow = Self.error(PDFWriter([.init("100", "60", drawing)]).file) {
                $0.limits.maximumDecodeTime = .milliseconds(100)
                $0.target = .size(TargetSize(.fit, width: 4000, height: 2400))
            }
            #expect(
                slow?.code == .limitExceeded && slow?.message.contains("maximumDecodeTime") == true, "\(String(describing: slow))"
            )
        }

        // FM-13
        @Test("A file that is cut off, or is no document behind its mark, says so")
        func damaged() {
            let file = PDFWriter().file
            #expect(Self.error(Array(file[..<200]))?.code == .truncated)
            #expect(Self.error(Array("%PDF-1.4\nnothing that is known\n%%EOF\n".utf8))?.code == .corrupt)
            #expect(Self.error(PDFWriter([]).file)?.code == .corrupt)
        }

        // FM-13
        @Test("Whatever damage does to poppler, it is one image's typed error")
        func hundredsOfDamages() throws {
            let file = PDFWriter([
                .init("100", "60", "\(PDFWriter.square) BT /F 20 Tf 40 20 Td (Gannet) Tj ET"),
                .init("40", "40", "q 40 0 0 40 0 0 cm BI /W 2 /H 2 /CS /RGB /BPC 8 /F /AHx ID ff0000 00ff00 0000ff ffffff> EI Q"),
            ]).file
            let letters = Array("0123456789/<>[]()-. RSfn".utf8)
            var random = SeededGenerator(seed: 13)
            var (drawn, refused) = (0, 0)
            for round in 0..<300 {
                var bytes = file
                for _ in 0...Int.random(in: 0..<6, using: &random) {
                    let place = Int.random(in: 9..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                    case 1: bytes.removeSubrange(place..<min(place + Int.random(in: 1...40, using: &random), bytes.count))
                    default: bytes[place] = letters.randomElement(using: &random) ?? 0
                    }
                }
                if round % 8 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count - 9, using: &random)) }
                let error = Self.error(bytes) {
                    $0.frames = .index(round % 2)
                    $0.limits.maximumPixels = 1_000_000
                    $0.limits.maximumDecodeTime = .seconds(2)
                }
                guard let error else {
                    drawn += 1
                    continue
                }
                refused += 1
                let codes: [ImageError.Code] = [
                    .corrupt, .truncated, .unsupported, .limitExceeded, .decoderCrashed, .misuse, .notAnImage,
                ]
                #expect(codes.contains(error.code), "\(round): \(error)")
            }
            #expect(drawn > 75 && refused > 25, "\(drawn), \(refused)")
            // Nothing of it is left behind.
            #expect(try Self.decoding().decode(ByteRope(file)).size == PixelSize(width: 100, height: 60))
        }
    }
#endif
