#if HTTP
    import BenchmarkSupport
    import Foundation
    import GannetCodecs
    import GannetCore
    import GannetImages
    import GannetPlatform

    /// The scaled decodes and nothing else, on all processors, with the bytes in memory: what any pipeline is bounded by.
    func decodeAlone(folder: String, count: Int) async throws {
        let files = try (0..<count).map { ByteRope([UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\($0).jpg")))) }
        let decoding = ImageDecoding(
            coders: CodersManager(BuiltInCoders.all), environment: DecodeEnvironment(colorManager: BuiltInCoders.colorManager))
        var small = DecodeOptions()
        small.target = .size(.fit(256, 256))
        let options = ResolvedDecodeOptions(small)
        let (cpu, wall) = (processorTime(), wallTime())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, bytes) in files.enumerated() {
                if index >= BlockingExecutor.processorCount { try await group.next() }
                group.addTask {
                    try await BlockingExecutor.decoding.run { () throws(ImageError) in
                        _ = try decoding.decode(bytes, options: options)
                    }
                }
            }
            try await group.waitForAll()
        }
        report(
            "scaled decodes alone, \(count) pictures", pictures: count, cpu: processorTime() - cpu, wall: wallTime() - wall)
    }
#endif
