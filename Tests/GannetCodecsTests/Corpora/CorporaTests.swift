import GannetCore
import GannetTesting
import Glibc
import Testing

/// The files of other people, against the answers of independent decoders. Run it in release: debug builds skip the large ones.
@Suite(.enabled(if: Corpora.isAvailable, "GANNET_CORPORA is not set"))
struct CorporaTests {
    /// Files whose difference is explained, with the reason.
    static let explained: [String: String] = CorporaExceptions.reasons

    @Test(arguments: ["gif", "webp", "png", "apng", "jpeg", "avif", "heic", "jxl", "tiff", "bmp", "ico", "svg"])
    func filesOfAFormatDecodeAsReferencesSay(format: String) throws {
        var counts = (files: 0, right: 0)
        var report: [String] = []
        for row in Corpora.rows() where row.format == format && row.mustDecode != .either {
            guard let bytes = Corpora.bytes(of: row.file) else { continue }
            guard let (coder, format) = AvailableCoders.recognizing(bytes) else {
                if row.mustDecode == .no { counts.right += 1 }
                counts.files += 1
                if row.mustDecode == .yes { report.append("\(row.file)\tno coder recognises it") }
                continue
            }
            #if DEBUG
                let pixels = (row.width ?? 0) * (row.height ?? 0) * (row.frames ?? 1)
                if pixels > 30_000 { continue }
            #endif
            counts.files += 1
            let judge = CorporaJudge(row: row, reference: ReferencePrograms.picture)
            switch judge.judge(bytes, with: coder, as: format) {
            case .right: counts.right += 1
            case .different(let why), .wrong(let why): report.append("\(row.file)\t\(why)")
            }
        }
        guard AvailableCoders.knows(format) else { return }
        ConformanceReport.write(format: format, files: counts.files, right: counts.right, lines: report)
        let unexplained = report.filter { line in !Self.explained.keys.contains { line.hasPrefix($0 + "\t") } }
        #expect(unexplained.isEmpty)
        #expect(counts.files > 0)
    }
}
