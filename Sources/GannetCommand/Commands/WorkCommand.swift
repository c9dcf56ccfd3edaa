#if CommandLine
    import ArgumentParser
    import Gannet
    import GannetCore
    import GannetPlatform
    import GannetSupport

    struct WorkCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "work", abstract: "Converts images for other programs: jobs as JSON lines in, results out.",
            discussion: """
                A job has a source, mostly an output, and an id, a string or a whole number that its result repeats. Further fields \
                are named like the options of `gannet convert`: format, quality, max-file-size, keep-metadata, no-gain-map, thumbnail, mode, \
                transform (one or a list), page, allow-partial. Without an output the image is loaded and nothing is written. The \
                output's folder is made.

                Results come in the order in which jobs end: with "ok":true, and "skipped":true if the output was there; or with \
                "ok":false and an error. A job without an id is named by the number of its line. A line that is no job gets a \
                result too. Outputs are written completely or not at all.

                A job is read only when a result was written, so a producer waits for the worker, and the worker for the reader of \
                its results. At the end of the input it finishes its jobs. SIGTERM cancels them; each still gets its result.

                Examples:
                  echo '{"id":1,"source":"a.jpg","output":"out/a.webp","thumbnail":"300x300"}' | gannet work
                  gannet work --skip-existing --concurrency 4 < jobs.jsonl > results.jsonl
                """)

        @Option(
            help: ArgumentHelp("Jobs at once. (default: the number of processors)", valueName: "n"),
            transform: NumberArgument.whole)
        var concurrency: Int?

        @Flag(help: "Leaves outputs alone that are there already, and decodes nothing for them.")
        var skipExisting = false

        @Flag(help: "Replaces the source itself, for jobs whose output it is.")
        var force = false

        @OptionGroup(title: "Servers") var asking: AskingOptions
        @OptionGroup(title: "Cache") var cache: CacheUseOptions
        @OptionGroup(title: "Limits") var limits: LimitOptions
        /// Accepted so that scripts can always pass it: results are always JSON, and the number of jobs is unknown.
        @OptionGroup(visibility: .hidden) var output: OutputOptions

        func validate() throws {
            if let concurrency, !(1...1000).contains(concurrency) { throw ValidationError("--concurrency is 1 to 1000.") }
            if asking.insecure {
                throw ValidationError("--insecure is for hosts that are named as sources when a command starts; jobs come later.")
            }
        }

        func run() async throws {
            let width = concurrency ?? BlockingExecutor.processorCount
            let manager = try Assembly.ready(cache, limits, concurrency: width)
            let worker = Worker(
                manager: manager, asking: asking, limits: limits, skipsExisting: skipExisting,
                replacing: force ? .everything : .others)
            let notes = cache.logLevel >= .warning
            var tally = WorkTally()
            let end = await WorkLoop(concurrency: width).run(JobLines(descriptor: 0)) { line in
                await worker.answer(line)
            } show: { answer in
                if notes, let note = answer.note { Console.warn("\(answer.shownSource): \(note)") }
                if case .failed(let error) = answer.outcome { Console.report(error, source: answer.shownSource) }
                tally.count(answer.outcome)
                Console.printAsIs(answer.json.text)
            }
            await Assembly.finish(manager)
            try tally.end(end)
        }
    }
#endif
