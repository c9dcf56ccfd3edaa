// Six widths of every photograph of a folder, as a page asks for them: at once, and one after the other, when each is decoded alone.
//
//     SizesBenchmark FOLDER COUNT

import BenchmarkSupport
import Foundation
import GannetCodecs
import GannetCore
import GannetFetch
import GannetImages

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]) else { fatalError("usage: SizesBenchmark FOLDER COUNT") }
let files = try FileManager.default.contentsOfDirectory(atPath: arguments[1]).sorted().prefix(count).map {
    "\(arguments[1])/\($0)"
}
let widths = [320, 640, 960, 1280, 1600, 1920]

func manager() -> ImageManager {
    var configuration = ManagerConfiguration(
        memoryCache: nil, diskCache: nil, loaders: LoadersManager([LoadersManager.fileLoader()]),
        coders: CodersManager(BuiltInCoders.all))
    configuration.colorManager = BuiltInCoders.colorManager
    return ImageManager(configuration: configuration)
}

func request(_ file: String, _ width: Int, isAlone: Bool = false) -> ImageRequest {
    var request = ImageRequest(.file(file), .fit(width, 10_000))
    // Decodes with values of their own share nothing.
    if isAlone { request.context[Alone.self] = true }
    return request
}

enum Alone: ContextKey {
    static let defaultValue = false
    static func cacheInfluence(of value: Bool) -> CacheInfluence { .none }
}

let encode = EncodeOptions(format: .jpeg, quality: 80)

func measured(_ name: String, _ images: Int, _ body: () async throws -> Void) async throws {
    let (cpu, wall) = (processorTime(), wallTime())
    try await body()
    let (used, passed) = (processorTime() - cpu, wallTime() - wall)
    print("\(name): \(images) images, \(Int(used)) ms of processor time, \(Int(passed)) ms by the clock")
}

for round in 0..<3 {
    let alone = manager()
    try await measured("largest alone, round \(round)", files.count) {
        for file in files { _ = try await alone.encoded(for: request(file, 1920), as: encode) }
    }
    try await measured("one after the other, round \(round)", files.count * widths.count) {
        for file in files { for width in widths { _ = try await alone.encoded(for: request(file, width), as: encode) } }
    }
    for isAlone in [true, false] {
        let busy = manager()
        try await measured("at once, \(isAlone ? "each alone" : "in batches"), round \(round)", files.count * widths.count) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for file in files {
                    for width in widths {
                        group.addTask { _ = try await busy.encoded(for: request(file, width, isAlone: isAlone), as: encode) }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
