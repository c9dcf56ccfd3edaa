import GannetCore
import GannetTesting
import Glibc

/// The results for the files of one format: a line of the table in Documentation/Conformance.md.
struct CorporaTally {
    var format: String
    /// Files that must be decoded, those that were right, and those whose difference is explained in ``CorporaExceptions``.
    var valid = (files: 0, right: 0, explained: 0)
    /// Files that must be refused.
    var invalid = (files: 0, refused: 0)
    /// Files that may be either.
    var open = (files: 0, decoded: 0)
    var slowest: Duration = .zero
    var peakBytes = 0
    /// File, tab, difference.
    var lines: [String] = []
    /// File, tab, whether it was decoded: of those that may be either.
    var openLines: [String] = []

    init(format: String) { self.format = format }

    mutating func add(_ verdict: CorporaJudge.Verdict, of row: CorporaRow) {
        if case .wrong(let why) = verdict { lines.append("\(row.file)\t\(why)") }
        switch row.mustDecode {
        case .yes:
            valid.files += 1
            switch verdict {
            case .right: valid.right += 1
            case .different(let why): lines.append("\(row.file)\t\(why)")
            case .wrong, .refused: break
            }
            if verdict != .right, CorporaExceptions.reasons[row.file] != nil { valid.explained += 1 }
        case .no:
            invalid.files += 1
            if verdict == .refused { invalid.refused += 1 }
        case .either:
            open.files += 1
            if verdict != .refused { open.decoded += 1 }
            openLines.append("\(row.file)\t\(verdict == .refused ? "refused" : "decoded")")
        }
    }

    /// Over ten seconds or two gigabytes is a failure, whatever the file is.
    mutating func add(_ meter: ProcessMeter, of row: CorporaRow) {
        let elapsed = meter.elapsed
        let peak = meter.peakBytes
        slowest = max(slowest, elapsed)
        peakBytes = max(peakBytes, peak)
        #if !DEBUG
            if elapsed > .seconds(10) { lines.append("\(row.file)\ttook \(elapsed)") }
            if peak > 2 << 30 { lines.append("\(row.file)\ttook \(peak >> 20) MiB") }
        #endif
    }

    var unexplained: [String] {
        lines.filter { CorporaExceptions.reasons[String($0.prefix { $0 != "\t" })] == nil }
    }

    /// Appends it to the file that `GANNET_CONFORMANCE_REPORT` names; `scripts/conformance.sh` makes the document of it.
    func write() {
        guard let path = getenv("GANNET_CONFORMANCE_REPORT"), let file = fopen(path, "a") else { return }
        defer { fclose(file) }
        let percent = valid.files == 0 ? 100 : Double(valid.right * 1000 / valid.files) / 10
        let milliseconds = slowest.wholeMilliseconds
        var text =
            "row\t\(format)\t\(valid.files)\t\(valid.right)\t\(percent)\t\(invalid.files)\t\(invalid.refused)\t\(open.files)"
            + "\t\(open.decoded)\t\(milliseconds)\t\(peakBytes >> 20)\n"
        for line in lines {
            let name = line.prefix { $0 != "\t" }
            text += "left\t\(format)\t\(line)\t\(CorporaExceptions.reasons[String(name)] ?? "")\n"
        }
        for line in openLines {
            let name = line.prefix { $0 != "\t" }
            text += "open\t\(format)\t\(line)\t\(CorporaExceptions.reasons[String(name)] ?? "")\n"
        }
        fputs(text, file)
    }
}
