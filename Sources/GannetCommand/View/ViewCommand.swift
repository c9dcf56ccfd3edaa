#if CommandLine && GTK
    import ArgumentParser
    import Gannet
    import GannetCore
    import GannetGTK
    import GannetImages

    struct ViewCommand: AsyncParsableCommand, TakesNames {
        static let configuration = CommandConfiguration(
            commandName: "view", abstract: "Shows images in a window; several, a folder or a list make a wall that scrolls.",
            discussion: """
                On the wall: arrows and Enter, or a click, open an image. On an image: Left and Right, +, - and the wheel with Ctrl, \
                0 (all of it), 1 (its own pixels), drag to pan, space (stops and goes on playing), i (file, image, camera and load), \
                Escape (the wall). Everywhere: F11 (full screen), Ctrl+W and Ctrl+Q (close).

                Of a file that ends early the part that is there is shown. An image that cannot be shown has its name and the reason \
                in its place.

                Examples:
                  gannet view photo.jpg
                  gannet view ~/Pictures
                """)

        @Argument(
            help: ArgumentHelp("URLs, paths or folders.", valueName: "source"), completion: .file(), transform: NameRun.init)
        var runs: [NameRun] = []

        @OptionGroup var listing: ListOptions

        @Option(
            help: ArgumentHelp("Side of a cell of the wall, in points. (default: 160)", valueName: "n"),
            transform: NumberArgument.whole)
        var cell = 160

        @Option(help: ArgumentHelp("Size of the window, in points.", valueName: "WxH"))
        var size = "900x640"

        @Option(
            help: ArgumentHelp("Opens the image of this number, from 1.", valueName: "n"), transform: NumberArgument.whole)
        var open: Int?

        @Flag(help: "Shows the panel about file, image, camera and load.")
        var info = false

        @Option(
            help: ArgumentHelp("Writes a screenshot when everything in the window is loaded, and ends.", valueName: "out.png"),
            completion: .file())
        var screenshot: String?

        @OptionGroup var output: OutputOptions
        @OptionGroup(title: "Cache") var cache: CacheUseOptions
        @OptionGroup(title: "Limits") var limits: LimitOptions

        func validate() throws {
            let (sources, list) = (runs.names, listing.list)
            try SourceArgument.checkStandardInput(sources, list: list)
            guard !sources.isEmpty || list != nil else { throw ValidationError("Name a source, a folder or --list.") }
            guard (16...1024).contains(cell) else { throw ValidationError("--cell must be 16 to 1024.") }
            guard window != nil else { throw ValidationError("--size must be WxH, each 100 to 8192.") }
            if let open, open < 1 { throw ValidationError("--open counts from 1.") }
        }

        private var window: (width: Int, height: Int)? {
            let parts = size.split(separator: "x").compactMap { Int($0) }
            guard parts.count == 2, parts.allSatisfy({ (100...8192).contains($0) }) else { return nil }
            return (parts[0], parts[1])
        }

        func run() async throws {
            // Tiles of huge images come and go, and are of the size that the allocator keeps.
            FreedMemory.returnLargePieces()
            let items: [ViewSources.Item]
            let manager: ImageManager
            do throws(ImageError) {
                items = try ViewSources.items(
                    runs.names, listing.file, limits: limits.decodeLimits, deadlines: limits.deadlines)
                manager = try Assembly.manager(cache: cache, limits: limits)
            } catch {
                throw failed(error)
            }
            guard !items.isEmpty, let window else {
                throw failed(ImageError(.notFound, stage: .resolve, "There is no image in what was named."))
            }
            if let open, open > items.count {
                throw ValidationError(
                    "--open \(open) is not there: \(items.count == 1 ? "one image was" : "\(items.count) images were") named."
                )
            }
            var options = GalleryWindow.Options()
            options.cell = cell
            (options.width, options.height) = window
            let job = ViewJob(
                items: items, manager: manager, options: options, open: open, showsInfo: info, screenshot: screenshot,
                json: output.json)
            guard await GTKLoop.runOnOwnThread({ job.start() }) else {
                let advice = "There is no display to show it on. Set DISPLAY or WAYLAND_DISPLAY."
                throw failed(ImageError(.unsupported, stage: .resolve, advice))
            }
            job.end()
            if job.hasFailed { throw ExitCode.failure }
        }

        /// Prints the error and returns the exit code.
        private func failed(_ error: ImageError) -> ExitCode {
            let source = listing.list ?? runs.names.first ?? "-"
            if output.json { Console.print(error.json(source: source)) }
            Console.report(error, source: source)
            return .failure
        }
    }
#endif
