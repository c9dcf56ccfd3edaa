#if CommandLine
    import Gannet
    import GannetCore
    import GannetSupport

    /// Does the jobs of `gannet work`, each as `gannet convert` would.
    struct Worker: Sendable {
        var manager: ImageManager
        var asking: AskingOptions
        var limits: LimitOptions
        var skipsExisting: Bool
        var replacing: OutputNames.Replacing

        /// Never throws: whatever a line contains, it gets one answer.
        func answer(_ line: JobLine) async -> WorkAnswer {
            var answer = WorkAnswer(line: line.number)
            do throws(ImageError) {
                try ImageError.checkCancellation()
                guard let bytes = line.bytes else {
                    throw WorkFields.wrong("The line has more than \(JobLine.maximumBytes) bytes.")
                }
                let fields = try WorkFields(line: bytes)
                (answer.id, answer.source) = (fields.id, fields.source)
                let job = try WorkJob(fields)
                let converting = job.converting(self)
                if job.output == nil {
                    let loaded = try await converting.load(job.source)
                    answer.outcome = .done(FetchReport(loaded, nil).json(source: job.source))
                } else {
                    switch try await converting.run(job.source) {
                    case .skipped(let path): answer.outcome = .skipped(ConvertReport.skipped(source: job.source, path))
                    case .written(var report):
                        report.choosingSecond = "the field page 1"
                        answer.outcome = .done(report.json(source: job.source))
                        answer.note = report.notes.isEmpty ? nil : report.notes.joined(separator: "; ")
                    }
                }
            } catch { answer.outcome = .failed(error) }
            return answer
        }
    }

    /// The output of `gannet work` for one line.
    struct WorkAnswer: Sendable {
        enum Outcome: Sendable {
            case done(JSON)
            /// The output was there.
            case skipped(JSON)
            case failed(ImageError)
        }

        /// Counted from 1.
        var line: Int
        var id: JSON?
        var source: String?
        var outcome = Outcome.failed(.cancelled())
        /// For people; nil: nothing was left out.
        var note: String?

        /// The job's id first, or the number of its line. The id is repeated exactly, so passwords are removed from the rest only.
        var json: JSON {
            let name = id.map { ("id", $0) } ?? ("line", .integer(line))
            let rest: JSON
            switch outcome {
            case .done(let json), .skipped(let json): rest = json
            case .failed(let error):
                rest =
                    source.map { error.json(source: $0) }
                    ?? .object([("ok", .bool(false)), ("error", error.details(on: "-"))])
            }
            guard case .object(let fields) = rest.redacted else { return rest }
            return .object([name] + fields)
        }

        /// For standard error.
        var shownSource: String { source ?? "line \(line)" }
    }
#endif
