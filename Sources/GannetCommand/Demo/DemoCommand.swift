#if CommandLine && HTTP
    import ArgumentParser
    import Gannet
    import GannetCore
    import GannetPlatform
    import GannetSupport

    struct DemoCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "demo", abstract: "The main job on real photographs, end to end, on this machine alone.",
            discussion: """
                Serves the images over HTTP from inside this process and loads thumbnails of all of them three times: cold, from disk \
                in a fresh manager, and from memory. Prints what each pass cost and draws a contact sheet. Fails if an image fails, if \
                the server is asked in the second pass, or if the disk is read in the third. Its cache is a folder of its own under \
                $TMPDIR, which goes with it.
                """)

        @Option(
            help: ArgumentHelp("A folder with images. (default: where Debian's wallpaper packages put them)", valueName: "dir"),
            completion: .directory)
        var pictures: String?

        @Option(help: ArgumentHelp("Images by path, one a line, instead of a folder.", valueName: "file"), completion: .file())
        var list: String?

        @Option(help: ArgumentHelp("Where the contact sheet goes.", valueName: "dir"), completion: .directory)
        var out = "demo-out"

        @OptionGroup(title: "Limits") var limits: LimitOptions
        @OptionGroup(visibility: .hidden) var unused: UnusedCacheOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if pictures != nil, list != nil { throw ValidationError("--pictures and --list exclude each other.") }
            if out.isEmpty { throw ValidationError("--out wants a folder; this one is empty.") }
        }

        func run() async throws {
            let failed: Bool = await Interrupt.cancelling {
                do throws(ImageError) {
                    try await demonstrate()
                    return false
                } catch {
                    if output.json { Console.print(error.json(source: "demo")) }
                    Console.report(error, source: "demo")
                    return true
                }
            } whileRunning: {
            }
            if failed { throw ExitCode(1) }
        }

        private func demonstrate() async throws(ImageError) {
            let files = try await findImages()
            let bytes = files.reduce(0) { $0 + $1.bytes }
            say("\(files.count) different images, \(Readable.bytes(bytes)).")
            if files.count < 30 { say("(Fewer than 30: figures say little. scripts/demo.sh installs some.)") }

            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let server = try LoopbackServer(files: files)
            let sheet = try await threePasses(files, server, cache: folder.path + "/cache")

            let path = WorkingFolder.absolute(out) + "/contact-sheet.png"
            let sheetBytes = try await BlockingExecutor.decoding.run { () throws(ImageError) in
                let image = DecodedImage.still(sheet, ImageMetadata(format: nil, originalSize: sheet.size))
                return try image.blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()
            }
            try OutputFile.makeFolder(WorkingFolder.absolute(out))
            try OutputFile.write([sheetBytes], to: path)
            if output.json { Console.print(.object([("contactSheet", .string(path))])) }
            say("Contact sheet: \(path)")
        }

        private func findImages() async throws(ImageError) -> [ServedFile] {
            let (pictures, list, limits) = (pictures, list, limits)
            return try await BlockingExecutor.files.run { () throws(ImageError) in
                let search = DemoImages(coders: Assembly.coders, maximumBytes: limits.decodeLimits.maximumEncodedBytes)
                let files: [ServedFile]
                if let list {
                    files = try search.read(list: list)
                } else if let pictures {
                    files = try search.find(in: [WorkingFolder.absolute(pictures)])
                } else {
                    files = try search.findUsual()
                }
                guard !files.isEmpty else {
                    throw ImageError(
                        .notFound, stage: .load,
                        "There are no images to show. Name a folder with --pictures, or install some: apt install mate-backgrounds lomiri-wallpapers-16.04"
                    )
                }
                return files
            }
        }

        private func threePasses(
            _ files: [ServedFile], _ server: LoopbackServer, cache: String
        ) async throws(ImageError) -> Bitmap {
            let runner = DemoRunner(
                urls: files.indices.map(server.url), cacheFolder: cache, limits: limits, progress: output.progress)
            let first = try runner.manager()
            let cold = try await runner.pass("cold", first, server)
            do throws(ImageError) { try await first.manager.waitForStores() } catch {
                throw error.with(stage: .store)
            }

            let second = try runner.manager()
            let warm = try await runner.pass("disk", second, server)
            let memory = try await runner.pass("memory", second, server)
            for pass in [cold, warm, memory] where output.json { Console.print(pass.json) }
            if !output.json { DemoPass.table([cold, warm, memory]).forEach(Console.print) }

            try check(cold, "cold", requests: files.count, origin: .network)
            try check(warm, "disk", requests: 0, origin: .disk)
            try check(memory, "memory", requests: 0, origin: .memory)
            guard memory.diskReads == 0 else {
                throw ImageError(
                    .io, stage: .cache, "The disk was read \(memory.diskReads) times in the memory pass; it must not be touched.")
            }
            let tiles = cold.tiles
            return try await BlockingExecutor.decoding.run { () throws(ImageError) in
                try ContactSheet(cell: DemoRunner.tile, columns: 6).draw(tiles)
            }
        }

        private func check(
            _ pass: DemoPass, _ name: String, requests: Int, origin: LoadedImage.Origin
        ) throws(ImageError) {
            guard pass.requests == requests else {
                throw ImageError(
                    .protocolViolation, stage: .load,
                    "The server saw \(pass.requests) requests in the \(name) pass instead of \(requests).")
            }
            guard pass.origins[origin, default: 0] == pass.count else {
                throw ImageError(
                    .cacheMiss, stage: .cache,
                    "Only \(pass.origins[origin, default: 0]) of \(pass.count) images came from \(origin.rawValue) in the \(name) pass."
                )
            }
        }

        private func say(_ text: String) { if !output.json { Console.print(text) } }
    }
#endif
