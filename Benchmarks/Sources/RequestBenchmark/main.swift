// The cost of the pipeline for each request, with as little as possible behind it: a loader that answers from memory, an image of
// 16 × 16 pixels, a PNG file of about 1 KB. Times are those of one request, in milliseconds.

import BenchmarkSupport
import Foundation
import GannetCodecs
import GannetCore
import GannetPipeline
import Synchronization

/// Answers every source with the same decoded picture.
final class PictureLoader: ImageLoader {
    let identifier = "benchmark"
    let image: DecodedImage
    private let gate = Mutex<[CheckedContinuation<Void, Never>]?>(nil)

    init(_ image: DecodedImage) { self.image = image }

    func canLoad(_ source: ImageSource) -> Bool { true }

    func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
        await withCheckedContinuation { continuation in
            let waits = gate.withLock { list in
                guard list != nil else { return false }
                list?.append(continuation)
                return true
            }
            if !waits { continuation.resume() }
        }
        return LoadResponse(body: .image(image), origin: .network)
    }

    func close() { gate.withLock { $0 = [] } }

    func open() {
        let waiting = gate.withLock { list in
            defer { list = nil }
            return list ?? []
        }
        for continuation in waiting { continuation.resume() }
    }
}

func picture(side: Int) throws -> DecodedImage {
    var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: side, side), alpha: .opaque), pool: .shared)
    var random = SystemRandomNumberGenerator()
    for y in 0..<side {
        var row = buffer.mutableRow(y)
        for x in row.indices { row[x] = x % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &random) }
    }
    return .still(buffer.freeze(), ImageMetadata(format: nil, originalSize: PixelSize(clamping: side, side)))
}

let group = "requests"
/// Only cases whose name contains this; all by default.
let filter = CommandLine.arguments.dropFirst().first ?? ""

func run(_ name: String, runs: Int = 7, divisor: Int, _ work: () async throws -> Void) async rethrows {
    guard filter.isEmpty || name.contains(filter) else { return }
    try await measure(group: group, name, runs: runs, divisor: divisor, work)
}

let image = try picture(side: 16)
let loader = PictureLoader(image)

func manager(memory: Bool, disk: (any ImageCaching)? = nil) -> ImageManager {
    ImageManager(
        configuration: ManagerConfiguration(
            memoryCache: memory ? MemoryCache() : nil, diskCache: disk, loaders: LoadersManager([loader]),
            coders: CodersManager(BuiltInCoders.all)))
}

let warm = manager(memory: true)
let one = ImageRequest("https://example.org/pictures/one.png", .fit(400, 300))
_ = try await warm.image(for: one)
await run("memory hit, synchronous", divisor: 10_000) {
    for _ in 0..<10_000 { _ = warm.cachedImage(for: one) }
}
try await run("memory hit, await", divisor: 10_000) {
    for _ in 0..<10_000 { _ = try await warm.image(for: one) }
}

let number = Atomic<Int>(0)
for count in [10, 100, 1000, 10_000] {
    try await run("load through a loader, \(count) in turn", runs: 5, divisor: count) {
        let fresh = manager(memory: true)
        for _ in 0..<count {
            let next = number.add(1, ordering: .relaxed).newValue
            _ = try await fresh.image(for: ImageRequest(source: .data(ByteRope([]), identifier: "n\(next)")))
        }
    }
}

for count in [10, 100, 1000, 10_000] {
    try await run("load through a loader, \(count) at once", runs: 5, divisor: count) {
        let fresh = manager(memory: true)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<count {
                let next = number.add(1, ordering: .relaxed).newValue
                tasks.addTask {
                    _ = try await fresh.image(for: ImageRequest(source: .data(ByteRope([]), identifier: "n\(next)")))
                }
            }
            try await tasks.waitForAll()
        }
    }
}

for count in [10, 100, 1000, 10_000] {
    try await run("joined request, \(count) waiters", runs: 5, divisor: count) {
        let fresh = manager(memory: true)
        let request = ImageRequest(source: .data(ByteRope([]), identifier: "same"))
        loader.close()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<count { tasks.addTask { _ = try await fresh.image(for: request) } }
            while fresh.waiterCount < count { await Task.yield() }
            loader.open()
            try await tasks.waitForAll()
        }
    }
}

let folder = NSTemporaryDirectory() + "gannet-request-benchmark-\(getpid())"
defer { try? FileManager.default.removeItem(atPath: folder) }
let png = try ImageEncoding(coders: CodersManager(BuiltInCoders.all), pool: .shared)
    .encode(image, options: EncodeOptions(format: .png)).bytes
let disk = DiskCache(DiskCacheConfiguration(directory: folder))
for index in 0..<500 {
    try await disk.store(
        CacheEntry(bytes: png, metadata: CacheEntryMetadata(format: "png", storedAt: SystemTimeSource().now)),
        for: CacheKey("memory:d\(index)"))
}
try await disk.flush()
let cold = manager(memory: false, disk: disk)
try await run("disk hit, PNG of \(png.count) bytes", divisor: 500) {
    for index in 0..<500 {
        var request = ImageRequest(source: .data(ByteRope([]), identifier: "d\(index)"))
        request.cache.lookup = .cacheOnly
        _ = try await cold.image(for: request)
    }
}
