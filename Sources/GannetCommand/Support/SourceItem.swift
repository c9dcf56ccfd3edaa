#if CommandLine
    import ArgumentParser
    import GannetCore

    /// A source of a command.
    struct SourceItem: Sendable {
        var text: String
        /// The folder it was found in, below the one that was named: `2024/may/`. Empty if it was named itself.
        var subfolder = ""
    }

    extension SourceArgument {
        /// The names of the command line, then those of the list. Blocks.
        static func all(_ names: [String], _ file: ListFile?) throws(ImageError) -> [String] {
            guard let file else { return names }
            return names + (try list(file))
        }

        /// The sources of the command line, then those of the list; with `recursive` the images in folders in their place. A list that
        /// cannot be read is reported, and ends the command with exit code 1. Blocks.
        ///
        /// `output`: a folder that is written to, whose images are no sources.
        static func all(
            _ names: [String], _ file: ListFile?, recursive: Bool = false, except output: String? = nil,
            json: Bool
        ) throws -> [SourceItem] {
            do throws(ImageError) {
                let all = try self.all(names, file)
                guard recursive else { return all.map { SourceItem(text: $0) } }
                return try ImageFolder.expanded(all, except: output)
            } catch {
                let source = file?.path ?? names.first ?? "-"
                if json { Console.print(error.json(source: source)) }
                Console.report(error, source: source)
                throw ExitCode(1)
            }
        }
    }
#endif
