#if CommandLine && HTTP && Server && PNG && JPEG && GIF && WebP
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Effects of options on pixels and on the file, beside its size.
    struct ServeEffectTests {
        // MARK: trim

        /// 30 × 20: six columns, four rows, ten columns and eight rows of the edge around something red.
        private static func framed(_ edge: UInt32, alpha: AlphaMode = .opaque) throws -> [UInt8] {
            try DrawnService.png(width: 30, height: 20, alpha: alpha) { x, y in
                (6..<20).contains(x) && (4..<12).contains(y) ? 0xFF00_00FF : edge
            }
        }

        @Test(arguments: [
            ("t:10", 14, 8), ("trim:0", 14, 8), ("t:10:ffffff", 14, 8), ("t:10:fff", 14, 8), ("t:10:ff0000", 30, 20),
            ("t:10::1", 18, 8), ("t:10::0:1", 14, 12), ("t:10:fff:1:1", 18, 12), ("t:255", 30, 20),
            // Before everything else: the box is filled by what is left.
            ("w:7/t:10", 7, 4), ("c:7:0:we/t:10", 7, 8), ("rot:90/t:10", 8, 14), ("z:0.5/t:10", 7, 4), ("rot:90/t:10::1", 8, 18),
        ])
        func edgesAreCutOff(options: String, width: Int, height: Int) async throws {
            let size = try await DrawnService(try Self.framed(0xFFFF_FFFF)).bitmap(options).size
            #expect(size.width == width && size.height == height, "\(options): \(size)")
        }

        @Test(arguments: [("t:10", 14, 8), ("t:10:ff00ff", 14, 8), ("t:10:000000", 30, 20)])
        func clearEdgesAreMagenta(options: String, width: Int, height: Int) async throws {
            let bitmap = try await DrawnService(try Self.framed(0, alpha: .premultiplied)).bitmap(options)
            #expect(bitmap.width == width && bitmap.height == height, "\(options): \(bitmap.size)")
        }

        @Test func animationsAreNotTrimmed() async throws {
            let frames = try [6, 9].map { left in
                try TestImages.draw(width: 30, height: 20, alpha: .opaque) { x, y in
                    (left..<20).contains(x) && (4..<12).contains(y) ? 0xFF00_00FF : 0xFFFF_FFFF
                }
            }
            let animation = AnimatedImage(
                metadata: ImageMetadata(format: nil, originalSize: frames[0].size), poster: frames[0], loopCount: 0,
                delays: [.milliseconds(50), .milliseconds(50)], frames: frames)
            let gif = try DecodedImage.animated(animation).blockingEncoded(EncodeOptions(format: .gif)).bytes.contiguous()
            let service = try DrawnService(gif, name: "a.gif")
            let moving = try await service.image("da:0/t:10/f:gif")
            #expect(moving.frameCount == 2 && moving.bitmap.size == PixelSize(clamping: 30, 20))
            #expect(try await service.bitmap("t:10").size == PixelSize(clamping: 14, 8))
            #expect(try await service.bitmap("t:10/pg:1").size == PixelSize(clamping: 11, 8))
        }

        // MARK: Changes

        @Test func squaresHaveTheirMean() async throws {
            let bitmap = try await DrawnService(try DrawnService.map()).bitmap("pix:4")
            #expect(bitmap.size == PixelSize(clamping: 40, 20))
            for (x, y) in [(0, 0), (3, 3)] { #expect(bitmap.text(x, y) == "#060c00") }
            // Columns 4 to 7, rows 16 to 19.
            #expect(bitmap.text(4, 19) == PixelColor(red: 22, green: 140, blue: 0).hex.dropLast(2))
            let cut = try await DrawnService(try DrawnService.map()).bitmap("pixelate:30")
            // Columns 30 to 39 of all rows.
            #expect(cut.text(39, 19) == PixelColor(red: 138, green: 76, blue: 0).hex.dropLast(2))
        }

        // MARK: The watermark

        @Test(arguments: [
            ("wm:1:nowe:3:2", 3, 2), ("wm:1:soea:3:2", 33, 14), ("wm:1:ce:5:-3", 23, 5), ("wm:1:nowe:0.5:0.25", 20, 5),
            ("wm:1:ea", 36, 8), ("w:20/dpr:2/wm:1:nowe:3:2", 6, 4), ("w:40/dpr:2/wm:1:nowe:3:2", 3, 2),
        ])
        func theWatermarkHasAPlace(options: String, x: Int, y: Int) async throws {
            let bitmap = try await marked(options)
            #expect(bitmap.text(x, y) == "#0000ff" && bitmap.text(x + 3, y + 3) == "#0000ff", "\(options)")
            for (x, y) in [(x - 1, y), (x, y - 1), (x + 4, y), (x, y + 4)] {
                #expect(bitmap.text(x, y) != "#0000ff", "\(options)")
            }
        }

        private func marked(_ options: String) async throws -> Bitmap {
            let mark = try TestImages.draw(width: 4, height: 4, alpha: .opaque) { _, _ in 0xFFFF_0000 }
            return try await DrawnService(try DrawnService.map()) { $0.watermark = mark }.bitmap(options)
        }

        @Test func theWatermarkMayBeCutOff() async throws {
            let bitmap = try await marked("wm:1:nowe:-2:-3")
            #expect(bitmap.text(1, 0) == "#0000ff" && bitmap.text(2, 0) != "#0000ff" && bitmap.text(1, 1) != "#0000ff")
            #expect(try await marked("wm:1:nowe:-99:0").text(0, 0) == "#0000ff")
        }

        @Test func theWatermarkIsRepeated() async throws {
            let close = try await marked("wm:1:re")
            for (x, y) in [(0, 0), (39, 19), (17, 9)] { #expect(close.text(x, y) == "#0000ff") }
            // One in the middle, at 18, 8, and the next ones 4 pixels further.
            let wide = try await marked("wm:1:re:4:4")
            for (x, y) in [(18, 8), (2, 0), (26, 16), (37, 19)] { #expect(wide.text(x, y) == "#0000ff", "\(x), \(y)") }
            for (x, y) in [(17, 8), (22, 8), (6, 0), (2, 4), (18, 7), (38, 19)] {
                #expect(wide.text(x, y) != "#0000ff", "\(x), \(y)")
            }
            #expect(try await marked("w:20/dpr:2/wm:1:re:2:2").text(17, 8) != "#0000ff")
        }

        // MARK: The file

        #if HEIC
            /// 320 pixels is the longer side of the thumbnails that our encoder makes.
            @Test func theThumbnailInsideIsUsed() async throws {
                let image = TestImages.still(try TestImages.gradient(width: 400, height: 200))
                func service(thumbnail: Bool) throws -> DrawnService {
                    let options = EncodeOptions(format: .heic, embedsThumbnail: thumbnail, effort: 0)
                    return try DrawnService(try image.blockingEncoded(options).bytes.contiguous(), name: "a.heic")
                }
                let (with, without) = (try service(thumbnail: true), try service(thumbnail: false))
                for (options, has, hasNot) in [("eth:1", 320, 400), ("eth:0", 400, 400), ("eth:1/rs:fill:500:100", 320, 400)] {
                    #expect(try await with.bitmap(options).width == has, "\(options)")
                    #expect(try await without.bitmap(options).width == hasNot, "\(options)")
                }
            }
        #endif

        @Test func sixteenBitsStay() async throws {
            var buffer = try PixelBuffer(
                PixelLayout(size: PixelSize(clamping: 8, 8), format: .rgba16, alpha: .opaque))
            for y in 0..<8 {
                var row = buffer.mutableRow(y)
                // 0x1234 in each channel, opaque.
                for index in 0..<64 { row[index] = index % 8 > 5 ? 255 : index % 2 == 0 ? 0x34 : 0x12 }
            }
            let deep = try TestImages.still(buffer.freeze()).blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()
            let service = try DrawnService(deep)
            func depth(_ options: String) async throws -> PixelFormat { try await service.bitmap(options).layout.format }
            #expect(try await depth("ph:1") == .rgba16)
            #expect(try await depth("ph:0") == .rgba8)
            #expect(try await depth("w:4") == .rgba8)
            #expect(try await depth("ph:1/rs:fill:4:2/z:1/g:no:1:1") == .rgba16)
            #expect(try await depth("ph:1/c:4:4/rot:90") == .rgba16)
            let small = try await service.bitmap("ph:1/w:4")
            let (low, high) = (small.row(0)[0], small.row(0)[1])
            #expect(abs(Int(low) - 0x34) <= 1 && high == 0x12)
            // Painting makes 8 bits of them, and so do formats without more.
            #expect(try await depth("ph:1/pd:1") == .rgba8)
            #expect(try await service.image("ph:1/f:webp").bitmap.layout.format == .rgba8)
        }

        @Test func formatsAreLeftAlone() async throws {
            let source = try DrawnService.map()
            let service = try DrawnService(source)
            for same in ["skp:png/w:10", "skp:jpg:png/w:10/f:png", "skip_processing:webp:png/rot:90"] {
                let answer = await service.answer(same)
                #expect(answer.body == source && answer.headers.contains { $0 == ("Content-Type", "image/png") }, "\(same)")
                #expect(answer.headers.contains { $0.0 == "Content-Security-Policy" })
            }
            for made in ["skp:png/w:10/f:webp", "skp:jpg/w:10", "skp:/w:10", "w:10"] {
                #expect(try await service.image(made).bitmap.width == 10, "\(made)")
            }
            // The pixels that the address allows.
            #expect(await service.answer("skp:png/msr:0.0001").status == 413)
        }

        @Test func onlyTheRightsAreKept() async throws {
            func entry(_ tag: [UInt8], _ count: UInt8, _ value: [UInt8]) -> [UInt8] { tag + [0, 2, 0, 0, 0, count] + value }
            // Software, artist, copyright; the directory ends at 50.
            let entries =
                entry([0x01, 0x31], 9, [0, 0, 0, 50]) + entry([0x01, 0x3B], 4, Array("me!\0".utf8))
                + entry([0x82, 0x98], 8, [0, 0, 0, 59])
            let exif =
                Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 3] + entries + [0, 0, 0, 0] + Array("software\0rights!\0".utf8)
            let photo = [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + (try Samples.photo()).dropFirst(2)
            let service = try DrawnService(photo, name: "a.jpg")
            for format in ["jpg", "png", "webp"] {
                for (option, rights, rest) in [
                    ("kcr:1", true, false), ("sm:1/kcr:1", true, false), ("kcr:0", false, false), ("sm:0", true, true),
                    ("sm:0/kcr:1", true, true),
                ] {
                    let text = String(decoding: await service.answer("\(option)/w:16/f:\(format)").body, as: Unicode.ASCII.self)
                    #expect(text.contains("me!") == rights && text.contains("rights!") == rights, "\(option), \(format)")
                    #expect(text.contains("software") == rest, "\(option), \(format)")
                }
            }
            #expect(await service.answer("kcr:1/f:gif").status == 400)
        }

        // MARK: Limits

        @Test func anAddressLowersLimits() async throws {
            let source = try DrawnService.map()
            let service = try DrawnService(source)
            // 800 pixels.
            #expect(await service.answer("msr:0.0007").status == 413)
            #expect(await service.answer("msr:0.0008").status == 200)
            #expect(await service.answer("msfs:\(source.count - 1)").status == 413)
            #expect(await service.answer("msfs:\(source.count)/msr:0").status == 200)
            // No address raises one.
            let small = try DrawnService(source) { $0.limits.maximumPixels = 700 }
            #expect(await small.answer("msr:100").status == 413)
        }

        @Test func animationsAreCutOff() async throws {
            let service = try DrawnService(try Samples.gif(), name: "a.gif")
            for (options, frames) in [
                ("maf:2", 2), ("da:0/maf:3", 3), ("maf:99", 4), ("maf:1/da:0", 1), ("maf:9/da:1", 1), ("w:9", 1),
            ] {
                #expect(try await service.image("\(options)/f:gif").frameCount == frames, "\(options)")
            }
            let size = try await service.image("f:gif").bitmap.size
            let pixels = Double(size.area) / 1_000_000
            #expect(await service.answer("maf:9/mafr:\(pixels)/f:gif").status == 200)
            #expect(await service.answer("maf:9/mafr:\(pixels / 2)/f:gif").status == 413)
            // Of animations alone.
            #expect(await service.answer("mafr:\(pixels / 2)/f:gif").status == 200)
        }
    }
#endif
