#if PNG && GIF
    import Gannet
    import GannetCodecs
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetTestSupport
    import GannetTesting
    import Testing

    /// Thumbnails that the programs of a desktop share. KF-05, NW-13
    @Suite struct DesktopThumbnailTests {
        private let folder = CacheFolder()
        private let manager = ImageManager(
            configuration: ManagerConfiguration(
                memoryCache: nil, diskCache: nil, loaders: LoadersManager(LoadersManager.local),
                coders: CodersManager(BuiltInCoders.all)))
        private var thumbnails: DesktopThumbnails { DesktopThumbnails(folder: folder.path + "/cache/thumbnails") }

        /// Writes an image of one colour; returns its path.
        private func file(_ name: String = "a.png", width: Int, height: Int, red: UInt8, modified: Int64 = 1_000) throws -> String
        {
            try write(png(red, width: width, height: height), name, modified)
        }

        private func png(_ red: UInt8, width: Int, height: Int) throws -> [UInt8] {
            let bitmap = try solid(red, width: width, height: height)
            return try still(bitmap).blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()
        }

        private func write(_ bytes: [UInt8], _ name: String, _ modified: Int64) throws -> String {
            let path = "\(folder.path)/\(name)"
            var parts = path.split(separator: "/").dropLast()[...]
            var above = ""
            while let part = parts.popFirst() {
                above += "/" + part
                try folder.files.makeDirectory(above)
            }
            try? folder.files.remove(path)
            try folder.files.write([bytes], toNew: path, modified: Timestamp(milliseconds: modified * 1000), sync: false)
            return path
        }

        private func thumbnail(_ path: String, _ pixels: Int) async throws -> Bitmap {
            try await manager.desktopThumbnail(of: path, pixels: pixels, in: thumbnails).bitmap
        }

        /// The stored thumbnail of a side.
        private func stored(_ path: String, _ side: String) throws -> String {
            let digest = MD5.hex(Array(DesktopThumbnails.uri(of: path).utf8))
            return "\(thumbnails.folder)/\(side)/\(digest).png"
        }

        @Test func namesAreThoseOfGLib() {
            #expect(DesktopThumbnails.uri(of: "/home/jens/photos/me.png") == "file:///home/jens/photos/me.png")
            #expect(DesktopThumbnails.uri(of: "/tmp/a b;c?#%[x]ä.png") == "file:///tmp/a%20b%3Bc%3F%23%25%5Bx%5D%C3%A4.png")
            let kept = "/t/-_.!~*'()/:@&=+$,"
            #expect(DesktopThumbnails.uri(of: kept + "\"<>^|`{}") == "file://\(kept)%22%3C%3E%5E%7C%60%7B%7D")
            #expect(MD5.hex(Array("file:///home/jens/photos/me.png".utf8)) == "c6ee772d9e49320e97ec29a7eb5b1697")
            #expect(DesktopThumbnails.canonical("//a/./b/../c//d/") == "/a/c/d" && DesktopThumbnails.canonical("/../a") == "/a")
        }

        // KF-05, NW-13
        @Test func aThumbnailIsMadeOnceAndSaysWhatItShows() async throws {
            let path = try file(width: 600, height: 300, red: 200)
            let made = try await thumbnail(path, 128)
            #expect(made.size == PixelSize(width: 128, height: 64))
            let bytes = try folder.files.read(stored(path, "normal"), maximumBytes: 1 << 20, nofollow: true)
            let texts = PNGTextChunks.texts(in: bytes)
            #expect(texts["Thumb::URI"] == "file://" + path && texts["Thumb::MTime"] == "1000")
            #expect(texts["Thumb::Image::Width"] == "600" && texts["Thumb::Image::Height"] == "300")
            #expect(texts["Thumb::Mimetype"] == "image/png" && texts["Software"] == "Gannet")
            // Shown by its own pixels: what another program stored is taken as it is.
            let other = try png(7, width: 128, height: 64)
            let marked = try #require(
                PNGTextChunks.adding([("Thumb::URI", "file://" + path), ("Thumb::MTime", "1000")], to: other))
            try folder.files.remove(stored(path, "normal"))
            try folder.files.write([marked], toNew: stored(path, "normal"), sync: false)
            #expect(red(try await thumbnail(path, 128)) == 7)
            #expect(try await thumbnail(path, 100).size == PixelSize(width: 100, height: 50))
            // A larger one is not there.
            #expect(red(try await thumbnail(path, 256)) == 200)
            #expect(folder.files.statusInMemory(try stored(path, "large")) != nil)
        }

        // KF-05
        @Test func aChangedFileIsLookedAtAgain() async throws {
            let path = try file(width: 300, height: 300, red: 200)
            _ = try await thumbnail(path, 128)
            _ = try file(width: 300, height: 300, red: 90, modified: 2_000)
            #expect(red(try await thumbnail(path, 128)) == 90)
            let bytes = try folder.files.read(stored(path, "normal"), maximumBytes: 1 << 20, nofollow: true)
            #expect(PNGTextChunks.texts(in: bytes)["Thumb::MTime"] == "2000")
        }

        @Test func aDamagedThumbnailIsMadeAnew() async throws {
            let path = try file(width: 300, height: 300, red: 200)
            _ = try await thumbnail(path, 256)
            let name = try stored(path, "large")
            let bytes = try folder.files.read(name, maximumBytes: 1 << 20, nofollow: true)
            try folder.files.remove(name)
            try folder.files.write([Array(bytes.dropLast(40))], toNew: name, sync: false)
            #expect(try await thumbnail(path, 256).size == PixelSize(width: 256, height: 256))
            #expect(try folder.files.read(name, maximumBytes: 1 << 20, nofollow: true) == bytes)
        }

        @Test func noThumbnailsAreMadeOfThumbnails() async throws {
            let path = try file(width: 300, height: 300, red: 200)
            _ = try await thumbnail(path, 256)
            let own = try stored(path, "large")
            #expect(try await thumbnail(own, 128).size == PixelSize(width: 128, height: 128))
            #expect(try folder.allFiles().filter { $0.contains("/thumbnails/") } == [own])
        }

        @Test func aSharedDiskBringsItsOwn() async throws {
            let path = try file("disk/a b.png", width: 300, height: 300, red: 200)
            let png = try png(3, width: 256, height: 256)
            let marked = try #require(
                PNGTextChunks.adding([("Thumb::URI", "./a%20b.png"), ("Thumb::MTime", "1000")], to: png))
            _ = try write(marked, "disk/.sh_thumbnails/large/\(MD5.hex(Array("a%20b.png".utf8))).png", 1_000)
            #expect(red(try await thumbnail(path, 128)) == 3)
        }

        @Test func smallFilesStaySmallAndAnimationsStandStill() async throws {
            let path = try file(width: 20, height: 10, red: 200)
            #expect(try await thumbnail(path, 256).size == PixelSize(width: 20, height: 10))
            let animation = DecodedImage.animated(try TestImages.animation(frames: 3, loopCount: 0))
            let gif = try write(try animation.blockingEncoded(EncodeOptions(format: .gif)).bytes.contiguous(), "a.gif", 1_000)
            #expect(try await manager.desktopThumbnail(of: gif, pixels: 128, in: thumbnails).frameCount == 1)
        }

        @Test(arguments: [0, -1, 1025])
        func otherSizesAreRefused(_ pixels: Int) async throws {
            let path = try file(width: 20, height: 10, red: 200)
            let error = await #expect(throws: ImageError.self) { try await thumbnail(path, pixels) }
            #expect(error?.code == .misuse)
        }

        @Test func aMissingFileIsNotFound() async {
            let error = await #expect(throws: ImageError.self) { try await thumbnail("/nowhere/a.png", 128) }
            #expect(error?.code == .notFound)
        }
    }
#endif
