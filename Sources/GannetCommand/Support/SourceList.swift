#if CommandLine
    import ArgumentParser
    import GannetCore

    extension SourceArgument {
        /// The sources of the command line, then those of the list. A list that cannot be read is reported, and ends the command
        /// with exit code 1. Blocks.
        static func all(_ sources: [String], list path: String?, output: OutputOptions) throws -> [String] {
            guard let path else { return sources }
            do throws(ImageError) { return sources + (try list(path)) } catch {
                if output.json { Console.print(error.json(source: path)) }
                Console.report(error, source: path)
                throw ExitCode(1)
            }
        }
    }
#endif
