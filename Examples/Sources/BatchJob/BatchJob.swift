import Foundation
import Gannet

// Makes thumbnails of a list of sources, one a line. Run it again to make those that are missing.
//
//     swift run --package-path Examples BatchJob LIST FOLDER

@main enum BatchJob {
    static func main() async throws {
        guard CommandLine.arguments.count == 3 else { return print("usage: BatchJob LIST FOLDER") }
        let folder = CommandLine.arguments[2]
        let list = try String(contentsOf: URL(filePath: CommandLine.arguments[1]), encoding: .utf8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let items = list.split(separator: "\n").map { line in
            // Named by a hash of the source (FNV-1a), so that the list may change between two runs.
            let hash = line.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            let name = String(hash, radix: 16)
            return ThumbnailJob.Item(source: ImageSource(String(line)), output: "\(folder)/\(name).jpg")
        }
        var (made, skipped) = (0, 0)
        var failures = ""
        await ThumbnailJob().run(items) { report in
            switch report.outcome {
            case .made: made += 1
            case .skipped: skipped += 1
            case .failed(let error): failures += "\(error.code)\t\(report.item.source)\t\(error.message)\n"
            }
        }
        try Data(failures.utf8).write(to: URL(filePath: folder + "/failures.tsv"))
        print("\(made) made, \(skipped) skipped, \(items.count - made - skipped) failed; see \(folder)/failures.tsv")
    }
}
