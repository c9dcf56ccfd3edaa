#if CommandLine
    import ArgumentParser
    import Gannet
    import GannetCore
    import GannetImages
    import GannetSupport

    struct InfoCommand: AsyncParsableCommand, TakesNames {
        static let configuration = CommandConfiguration(
            commandName: "info",
            abstract: "Says what images are: format, size, frames, colours. Reads headers, decodes no pixel.",
            discussion: """
                Sizes are those of the stored pixels, before the turn that the orientation asks for. Of photographs it says what EXIF \
                tells: the camera, the lens, exposure, date, and whether there is a place; of gain maps their size and headroom; and whether there are Content Credentials (C2PA), which are not checked.

                Examples:
                  gannet info photo.jpg moving.gif
                  gannet info https://example.org/a.jpg --json
                """)

        @Argument(
            help: ArgumentHelp("A URL, a path, or - for standard input.", valueName: "source"), completion: .file(),
            transform: NameRun.init)
        var runs: [NameRun] = []

        @OptionGroup var output: OutputOptions
        @OptionGroup var folders: FolderOptions
        @OptionGroup var listing: ListOptions
        @OptionGroup(title: "Servers") var asking: AskingOptions
        @OptionGroup(title: "Cache") var cache: CacheUseOptions
        @OptionGroup(title: "Limits") var limits: LimitOptions

        func validate() throws {
            let names = runs.names
            if names.isEmpty, listing.list == nil { throw ValidationError("Name at least one source, or a --list.") }
            try SourceArgument.checkStandardInput(names, list: listing.list)
        }

        func run() async throws {
            let sources = try SourceArgument.all(runs.names, listing.file, recursive: folders.recursive, json: output.json).map(
                \.text)
            let manager = SharedManager(blindlyTrusted: asking.blindlyTrustedHosts(sources))
            let reader = HeaderReader(asking: asking, limits: limits, cache: cache, manager: manager)
            var remarks: [String] = []
            var table = Table("SOURCE", "FORMAT", "SIZE", "FRAMES", "DEPTH", "COLOURS", "ALPHA", "TURN", "BYTES")
            let batch = Batch(
                sources: sources, concurrency: 4, output: output, keepsOrder: true, finish: { await manager.finish() })
            defer { if !output.json, !table.rows.isEmpty { (table.lines + remarks).forEach(Console.print) } }
            try await batch.run { source, _ throws(ImageError) in
                try await reader.read(source)
            } succeed: { source, file in
                if cache.logLevel >= .warning, let note = FileHeader.omissionNote(file.omissions) {
                    Console.warn("\(source): \(note)")
                }
                if output.json { return Console.print(file.json(source: source)) }
                table.rows.append(file.row(source: source))
                for line in [file.photo?.line, file.gainMap?.line, file.credentialsLine].compactMap({ $0 }) {
                    remarks.append("\(Console.clean(source)): \(Console.clean(line))")
                }
            }
        }
    }

    extension FileHeader {
        func row(source: String) -> [String] {
            let profile = header.colorSpace.iccProfile.isEmpty ? header.colorSpace.highRangeName.map { "+" + $0 } ?? "" : "+icc"
            return [
                Console.clean(source), header.format.identifier + (header.isProgressive ? ", progressive" : ""),
                "\(header.size.width)×\(header.size.height)",
                header.pageCount > 1 ? "\(header.pageCount) pages" : header.frameCount.map(String.init) ?? "?",
                String(header.bitDepth),
                header.colorSpace.model.rawValue + profile, header.hasAlpha ? "yes" : "no", String(header.orientation.rawValue),
                bytes.map(Readable.bytes) ?? "?",
            ]
        }
    }
#endif
