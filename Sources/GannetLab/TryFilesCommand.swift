#if CommandLine
    import ArgumentParser
    import GannetCore
    import GannetImages
    import GannetSandbox

    /// Decodes many files in every way, for scripts/mutants.sh: damaged ones may be refused or decoded, but nothing else may
    /// happen.
    struct TryFilesCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "try-files",
            abstract: "Decodes files in every way and says how many were refused and what took longest.",
            discussion: """
                Standard input lists the files, one a line. Each is named on standard error before it is touched, so that the last \
                one is known after a crash.
                """)

        @Option(help: ArgumentHelp("A way that takes longer fails.", valueName: "seconds"))
        var slow = 10.0

        @Flag(help: "Decodes in the sandbox; a decoder that crashes there is a fault.")
        var sandbox = false

        func run() throws {
            let places = sandbox ? DecodePlaces(sandbox: SandboxPool.shared, isolation: .sandboxed) : DecodePlaces()
            var tally = DecodeTrial.Way.allCases.map { _ in Tally() }
            var files = 0
            var faults = 0
            while let path = readLine() {
                Lines.warn("TRY \(path)")
                files += 1
                do throws(ImageError) {
                    let trial = try DecodeTrial(path: path, places: places)
                    for (index, way) in DecodeTrial.Way.allCases.enumerated() {
                        let result = trial.run(way)
                        tally[index].add(result, path)
                        if Self.faults.contains(where: { $0 == result.error?.code }) || result.seconds > slow {
                            faults += 1
                            Lines.print("FAULT \(way) of \(path): \(result.milliseconds) ms \(result.error?.message ?? "")")
                        }
                    }
                } catch { Lines.report(error, source: path) }
            }
            for (way, tally) in zip(DecodeTrial.Way.allCases, tally) { Lines.print(tally.line(way, files)) }
            if faults > 0 { throw ExitCode(1) }
        }

        private static let faults: [ImageError.Code] = [.misuse, .decoderCrashed, .sandboxUnavailable]

        private struct Tally {
            var refused = 0
            var slowest = 0
            var slowestPath = ""

            mutating func add(_ result: DecodeTrial.Result, _ path: String) {
                if result.error != nil { refused += 1 }
                guard result.milliseconds > slowest else { return }
                slowest = result.milliseconds
                slowestPath = path
            }

            func line(_ way: DecodeTrial.Way, _ files: Int) -> String {
                let name = slowestPath.split(separator: "/").last ?? ""
                return "  \(way): \(files - refused) decoded, \(refused) refused, slowest \(slowest) ms (\(name))"
            }
        }
    }
#endif
