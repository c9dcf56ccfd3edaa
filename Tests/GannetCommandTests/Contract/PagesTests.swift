#if CommandLine && PNG && GIF && TIFF && WebP && BMP
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetTesting
    import Testing

    /// Documents with several pages, and what `convert` says of what it leaves out.
    struct PagesTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        /// Grey pages without compression, one strip each, in little endian.
        private static func tiff(_ pages: [(width: Int, height: Int)]) -> [UInt8] {
            func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
            var file: [UInt8] = Array("II".utf8) + [42, 0] + number(8, 4)
            for (index, page) in pages.enumerated() {
                let entries = [
                    (256, page.width), (257, page.height), (258, 8), (259, 1), (262, 1),
                    (273, file.count + 2 + 9 * 12 + 4), (277, 1), (278, page.height), (279, page.width * page.height),
                ]
                file += number(entries.count, 2)
                for (tag, value) in entries { file += number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4) }
                let data = [UInt8](repeating: UInt8(40 * (index + 1)), count: page.width * page.height)
                file += number(index + 1 < pages.count ? file.count + 4 + data.count : 0, 4) + data
            }
            return file
        }

        private static let sizes = [(width: 30, height: 20), (width: 50, height: 10), (width: 7, height: 90)]

        @Test func infoCountsThem() async throws {
            let path = try tool.write(Self.tiff(Self.sizes), "a.tif")
            let single = try tool.write(try Samples.png(), "a.png")
            let outcome = try await tool.run("info", "--json", path, single)
            #expect(outcome.objects.map { $0["pages"] as? Int } == [3, 1])
            #expect(try await tool.run("info", path).text.contains("3 pages"))
        }

        // NW-19
        @Test func convertWritesOneAndSaysSo() async throws {
            let path = try tool.write(Self.tiff(Self.sizes), "a.tif")
            let first = try await tool.run("convert", "--json", path, tool.path("b.png"))
            #expect(first.status == 0 && first.objects.first?["width"] as? Int == 30)
            #expect(first.errors.contains("a.tif: 3 pages, only the first was written; --page 1 writes the second"))
            for (page, size) in Self.sizes.enumerated() {
                let outcome = try await tool.run("convert", "--json", path, tool.path("\(page).png"), "--page", "\(page)")
                #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
                #expect(outcome.objects.first?["width"] as? Int == size.width)
            }
            let missing = try await tool.run("convert", path, tool.path("c.png"), "--page", "3")
            #expect(missing.status == 1 && missing.errors.contains("There is no page 3: the file has 3, counted from 0."))
            #expect(try await tool.run("convert", path, tool.path("c.png"), "--page", "-1").status == 64)
        }

        /// The file as it is has all of them.
        @Test func fetchSaysSoToo() async throws {
            let path = try tool.write(Self.tiff(Self.sizes), "a.tif")
            let whole = try await tool.run("fetch", "--no-cache", path, "-o", tool.path("b.tif"))
            #expect(whole.status == 0 && whole.errors.isEmpty, "\(whole.errors)")
            #expect(try tool.read("b.tif") == Self.tiff(Self.sizes))
            let first = try await tool.run("fetch", "--no-cache", path, "-o", tool.path("b.png"))
            #expect(first.status == 0)
            let note = "a.tif: 3 pages, only the first was written; gannet convert --page 1 writes the second"
            #expect(first.errors.contains(note), "\(first.errors)")
            let other = try await tool.run("fetch", "--no-cache", path, "--thumbnail", "8x8", "-o", tool.path("c.tif"))
            #expect(other.status == 0 && other.errors.contains("3 pages, only the first was written"))
        }

        @Test func workHasAFieldForThem() async throws {
            let path = try tool.write(Self.tiff(Self.sizes), "a.tif")
            let pages = [#","page":1"#, #","page":"2""#, "", #","page":3"#, #","page":-1"#]
            let jobs = pages.enumerated().map { number, page in
                #"{"id":\#(number),"source":"\#(path)","output":"\#(tool.path("\(number).png"))"\#(page)}"# + "\n"
            }
            let outcome = try await tool.run("work", "--concurrency", "1", input: Array(jobs.joined().utf8))
            #expect(outcome.status == 1)
            #expect(outcome.objects.map { $0["width"] as? Int } == [50, 7, 30, nil, nil], "\(outcome.text)")
            #expect(
                outcome.errors.contains("a.tif: 3 pages, only the first was written; the field page 1 writes the second"),
                "\(outcome.errors)")
            #expect(outcome.errors.contains("There is no page 3") && outcome.errors.contains("Pages are counted from 0."))
        }

        @Test func oneFrameOfAnAnimation() async throws {
            let path = try tool.write(try Samples.gif(), "a.gif")
            let outcome = try await tool.run("convert", "--json", path, tool.path("b.png"), "--page", "2")
            #expect(outcome.status == 0 && outcome.objects.first?["frames"] as? Int == 1 && outcome.errors.isEmpty)
            let missing = try await tool.run("convert", path, tool.path("c.png"), "--page", "4")
            #expect(missing.status == 1 && missing.errors.contains("There is no frame 4: the file has 4"))
        }

        /// Cut behind the settings of the last frame in GIF, before them in PNG, which says how many frames there are.
        @Test func animationsThatEndBetweenTwoFramesAreCalledSo() async throws {
            let animation = DecodedImage.animated(try TestImages.animation(frames: 3))
            let files: [(format: ImageFormat, mark: [UInt8], kept: Int)] = [
                (.gif, [0x21, 0xF9, 4], 8), (.png, Array("fcTL".utf8), -4),
            ]
            for (format, mark, kept) in files {
                let whole: [UInt8] = try animation.blockingEncoded(EncodeOptions(format: format)).bytes.contiguous()
                let place = try #require(whole.indices.last { whole[$0...].starts(with: mark) })
                let path = try tool.write(Array(whole[..<(place + kept)]), "cut.\(format)")
                for command in ["info", "decode"] {
                    let outcome = try await tool.run(command, "--json", path)
                    let error = outcome.objects.first?["error"] as? [String: Any]
                    #expect(outcome.status == 1, "\(command) \(format)")
                    #expect(error?["code"] as? String == "truncated", "\(command) \(format): \(outcome.text)")
                }
            }
        }

        /// libwebp joins them, and keeps their time.
        @Test(arguments: [[0, 0, 1, 1], [0, 0, 0, 0]]) func equalFramesAreNotLost(shades: [Int]) async throws {
            let frames = try shades.map { shade in
                try TestImages.draw(width: 8, height: 8, alpha: .opaque) { _, _ in shade == 0 ? 0xFF00_00FF : 0xFFFF_0000 }
            }
            let animation = AnimatedImage(
                metadata: ImageMetadata(format: .gif, originalSize: frames[0].size), poster: frames[0], loopCount: 0,
                delays: frames.map { _ in .milliseconds(100) }, frames: frames)
            let path = try tool.write(
                try DecodedImage.animated(animation).blockingEncoded(EncodeOptions(format: .gif)).bytes.contiguous(), "a.gif")
            for name in ["b.webp", "b.png", "b.gif"] {
                let outcome = try await tool.run("convert", path, tool.path(name))
                #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
                #expect(try await tool.run("fetch", "--no-cache", path, "-o", tool.path("f" + name)).errors.isEmpty)
            }
            #expect(
                try await tool.run("convert", path, tool.path("b.bmp")).errors.contains("4 frames, only the first was written"))
        }
    }
#endif
