#if CommandLine
    import ArgumentParser
    import GannetCore
    import GannetSupport

    /// Decodes one file in one way and prints the memory used and the memory reserved, for scripts/memory.py.
    struct MemoryCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "memory", abstract: "Decodes a file in one way and says what memory that takes, as JSON.")

        @Argument(help: "header, whole, frames, thumbnail or progressive.") var way: String
        @Argument var path: String

        func validate() throws {
            guard DecodeTrial.Way(rawValue: way) != nil else {
                throw ValidationError("There is no way of decoding called \(way).")
            }
        }

        func run() throws {
            let budget = ResourceBudget(capacity: .max)
            let trial = try DecodeTrial(path: path, budget: budget)
            let usage = ProcessUsage()
            let idle = ProcessUsage.peakBytes
            let result = DecodeTrial.Way(rawValue: way).map { trial.run($0) }
            let fields = [
                "\"error\": \"\(result?.error?.code.name ?? "")\"", "\"peak\": \(ProcessUsage.peakBytes - idle)",
                "\"reserved\": \(budget.peakBytes)", "\"encoded\": \(trial.bytes.count)",
                "\"cpu_ms\": \(Int((usage.cpuSeconds * 1000).rounded()))",
            ]
            Lines.print("{\(fields.joined(separator: ", "))}")
        }
    }
#endif
