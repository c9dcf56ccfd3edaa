#if CommandLine
    import ArgumentParser
    import Gannet
    import GannetCommandSupport
    import GannetCore
    import GannetImages

    struct InfoCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "info",
            abstract: "Says what images are: format, size, frames, colours. Reads headers, decodes no pixel.",
            discussion: """
                Sizes are those of the stored pixels, before the turn that the orientation asks for.

                Examples:
                  gannet info photo.jpg moving.gif
                  gannet info https://example.org/a.jpg --json
                """)

        @Argument(help: ArgumentHelp("A URL, a path, or - for standard input.", valueName: "source"), completion: .file())
        var sources: [String]

        @OptionGroup(title: "Servers") var asking: AskingOptions
        @OptionGroup(title: "Cache") var cache: CacheUseOptions
        @OptionGroup(title: "Limits") var limits: LimitOptions
        @OptionGroup var output: OutputOptions

        func validate() throws { try SourceArgument.checkStandardInput(sources) }

        func run() async throws {
            let manager = SharedManager(blindlyTrusted: asking.blindlyTrustedHosts(sources))
            let reader = HeaderReader(asking: asking, limits: limits, cache: cache, manager: manager)
            var table = Table("SOURCE", "FORMAT", "SIZE", "FRAMES", "DEPTH", "COLOURS", "ALPHA", "TURN", "BYTES")
            let batch = Batch(
                sources: sources, concurrency: 4, output: output, keepsOrder: true, finish: { await manager.finish() })
            defer { if !output.json, !table.rows.isEmpty { table.lines.forEach(Console.print) } }
            try await batch.run { source, _ throws(ImageError) in
                try await reader.read(source)
            } succeed: { source, file in
                if output.json { Console.print(file.json(source: source)) } else { table.rows.append(file.row(source: source)) }
            }
        }
    }

    extension FileHeader {
        func row(source: String) -> [String] {
            let profile = header.colorSpace.iccProfile.isEmpty ? "" : "+icc"
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
