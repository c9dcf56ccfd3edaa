import Glibc

/// Appends what a run found to the file that `GANNET_CONFORMANCE_REPORT` names; `scripts/conformance.sh` makes the table of it.
enum ConformanceReport {
    static func write(format: String, files: Int, right: Int, lines: [String]) {
        guard let path = getenv("GANNET_CONFORMANCE_REPORT"), let file = fopen(path, "a") else { return }
        defer { fclose(file) }
        var text = "\(format)\t\(files)\t\(right)\n"
        for line in lines {
            let name = line.prefix { $0 != "\t" }
            text += "-\t\(line)\t\(CorporaExceptions.reasons[String(name)] ?? "")\n"
        }
        fputs(text, file)
    }
}
