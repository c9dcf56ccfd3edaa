#if Video
    import GannetCodecs
    import GannetCore
    import GannetImages
    import GannetTestSupport
    import GannetTesting
    import Testing

    /// Limits on videos. FM-16
    @Suite struct VideoLimitsTests {
        private func film() throws -> [UInt8] {
            try #require(FilmWriter(container: "mp4", colors: (0..<12).map { UInt32($0 * 20) * 0x010101 }).file())
        }

        private func code(_ bytes: [UInt8], _ limits: DecodeLimits = .standard) -> ImageError.Code? {
            do throws(ImageError) {
                var options = ResolvedDecodeOptions()
                options.limits = limits
                _ = try ImageDecoding(
                    coders: CodersManager([VideoCoder()]), environment: DecodeEnvironment(limits: limits)
                ).decode(ByteRope(bytes), options: options)
                return nil
            } catch { return error.code }
        }

        @Test func `Pictures, time and bytes are bounded`() throws {
            let film = try film()
            #expect(code(film) == nil)
            // If the container does not state the size, the stream is refused because it cannot be examined.
            let refusals: [ImageError.Code?] = [.limitExceeded, .corrupt]
            #expect(refusals.contains(code(film, DecodeLimits(maximumPixels: 32 * 16 - 1))))
            #expect(code(film, DecodeLimits(maximumDecodeTime: .zero)) == .limitExceeded)
        }

        /// A header that says another size than the stream, and the largest one.
        @Test func `A size that a film only claims takes no memory`() throws {
            var film = try film()
            // Width and height of the sample description, behind the name of the codec.
            let name = Array("mp4v".utf8)
            let place = try #require((0..<film.count - 40).first { Array(film[$0..<$0 + 4]) == name && film[$0 - 4] == 0 })
            for offset in 28..<32 { film[place + offset] = 0xFF }
            let budget = ResourceBudget(capacity: 64 << 20)
            let decoding = ImageDecoding(coders: CodersManager([VideoCoder()]), environment: DecodeEnvironment(budget: budget))
            // Refused, or decoded at the size that the stream states; nothing close to the size that the container claims.
            let picture = try? decoding.decode(ByteRope(film), options: ResolvedDecodeOptions())
            #expect((picture?.size.area ?? 0) < 1 << 16)
            #expect(budget.usedBytes == 0 && budget.peakBytes < 1 << 20)
        }

        @Test func `Films that end anywhere or are damaged are refused or drawn, never more`() throws {
            for container in ["mp4", "matroska", "avi"] {
                var writer = FilmWriter(container: container, codec: "mpeg4", colors: [0x102030, 0x405060, 0x708090])
                writer.keyInterval = 2
                let whole = try #require(writer.file())
                for count in stride(from: 0, to: whole.count, by: max(1, whole.count / 150)) { _ = code(Array(whole[..<count])) }
                var random = SeededGenerator(seed: 7)
                for _ in 0..<150 {
                    var bytes = whole
                    for _ in 0..<4 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next()) }
                    _ = code(bytes)
                }
                #expect(code(whole) == nil)
            }
        }

        /// A QuickTime reference movie refers to other files; none of them is opened.
        // FM-16
        @Test func `Nothing that a film names is opened`() {
            func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
                let count = content.count + 8
                return [UInt8(count >> 24 & 255), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
                    + Array(name.utf8) + content
            }
            let url = Array("file:///etc/passwd\0".utf8)
            let reference = box(
                "rdrf", [0, 0, 0, 0] + Array("url ".utf8) + [0, 0, 0, UInt8(url.count)] + url)
            let film = box("ftyp", Array("qt  ".utf8) + [0, 0, 0, 0]) + box("moov", box("rmra", box("rmda", reference)))
            #expect(VideoCoder().recognizes(film.span) == .yes(.mov))
            #expect(code(film) == .corrupt || code(film) == .unsupported)
            // Playlists of other files, which ffmpeg would follow if it were allowed to detect the format.
            for text in ["#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", "ffconcat version 1.0\nfile /etc/passwd\n"] {
                #expect(VideoCoder().recognizes(Array(text.utf8).span) == .no)
            }
        }

        @Test func `Pictures of the same family are left to their coders`() {
            func recognition(_ brands: String) -> Recognition {
                let names = Array(brands.utf8)
                var bytes: [UInt8] = [0, 0, 0, UInt8(12 + names.count)] + Array("ftyp".utf8)
                bytes += names[..<4] + [0, 0, 0, 0] + names[4...]
                return VideoCoder().recognizes(bytes.span)
            }
            for brands in ["avifmif1miaf", "avisavifmsf1iso8", "heicmif1heic", "hevchevcmsf1iso8", "mif1heicisom", "crx isom"] {
                #expect(recognition(brands) == .no, "\(brands)")
            }
            for brands in ["isomiso2avc1mp41", "mp42isom", "M4V M4V mp42", "dashiso6", "3gp4isom"] {
                #expect(recognition(brands) == .yes(.mp4), "\(brands)")
            }
            #expect(recognition("qt  qt  ") == .yes(.mov))
            let webp = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8 ".utf8)
            #expect(VideoCoder().recognizes(webp.span) == .no)
            #expect(VideoCoder().recognizes(Array("GIF89a".utf8).span) == .no)
        }

        @Test func `No server is asked for films`() {
            #expect(!CodersManager([VideoCoder()]).acceptHeader.contains("video"))
        }

        @Test func `Cancelling ends a search for a late picture`() async throws {
            let film = try film()
            var context = LoadContext()
            context.videoTime = .seconds(1)
            let environment = DecodeEnvironment(load: context)
            let looks = CountedLooks(cancelsAt: 6)
            let error = looks.failure { () throws(ImageError) in
                _ = try ImageDecoding(coders: CodersManager([VideoCoder()]), environment: environment)
                    .decode(ByteRope(film), options: ResolvedDecodeOptions())
            }
            #expect(error?.code == .cancelled)
        }
    }
#endif
