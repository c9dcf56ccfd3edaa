import Foundation
import GannetCache
import GannetCodecs
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform

// Whether the cost of one request grows with their number, and what a stored image costs. Only with `--all`.

func growthCases() -> [Case] {
    [10, 100, 1000, 10_000].flatMap { count in
        [
            coldInTurn("cold, \(count) in turn", count), coldAtOnce("cold, \(count) at once", count),
            joined("joined, \(count) waiters", count),
        ].map { repeated($0, max(1, 1000 / count)) }
    }
}

/// The same several times in a round, each with programs of their own: what a round costs beside its work is not seen in a few requests.
private func repeated(_ entry: Case, _ times: Int) -> Case {
    func repeated(_ round: @escaping Round) -> Round {
        { count in
            var works: [Work] = []
            for _ in 0..<times { works.append(try await round(count / times)) }
            return { [works] in for work in works { try await work() } }
        }
    }
    return Case(
        name: entry.name, count: entry.count * times, gannet: repeated(entry.gannet), baseline: entry.baseline.map(repeated))
}

/// Every load is started before the first one ends.
private func coldAtOnce(_ name: String, _ count: Int) -> Case {
    Case(
        name: name, count: count,
        gannet: { count in
            let (manager, requests) = (makeManager(FakeOrigin()), makeRequests(count))
            return {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for request in requests { group.addTask { _ = try await manager.image(for: request) } }
                    try await group.waitForAll()
                }
            }
        },
        baseline: { count in
            let (baseline, urls) = (makeBaseline(FakeOrigin()), makeURLs(count))
            return {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for url in urls { group.addTask { _ = try await baseline.image(for: url) } }
                    try await group.waitForAll()
                }
            }
        })
}

/// Images of 16 × 16 pixels as PNG, read from a disk cache in `folder`. The baseline has none.
func diskCase(in folder: String, count: Int = 500) async throws -> Case {
    let coders = CodersManager(BuiltInCoders.all)
    let png = try ImageEncoding(coders: coders, pool: .shared)
        .encode(try noise(side: 16), options: EncodeOptions(format: .png)).bytes
    let disk = DiskCache(DiskCacheConfiguration(directory: folder))
    for index in 0..<count {
        try await disk.store(
            CacheEntry(bytes: png, metadata: CacheEntryMetadata(format: "png", storedAt: SystemTimeSource().now)),
            for: CacheKey("memory:d\(index)"))
    }
    try await disk.flush()
    let manager = ImageManager(
        configuration: ManagerConfiguration(
            memoryCache: nil, diskCache: disk, loaders: LoadersManager([FakeOrigin()]), coders: coders))
    return Case(
        name: "disk hit, PNG of \(png.count) bytes", count: count,
        gannet: { count in
            let requests = (0..<count).map { index in
                var request = ImageRequest(source: .data(ByteRope([]), identifier: "d\(index)"))
                request.cache.lookup = .cacheOnly
                return request
            }
            return { for request in requests { _ = try await manager.image(for: request) } }
        })
}

private func noise(side: Int) throws -> DecodedImage {
    var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: side, side), alpha: .opaque), pool: .shared)
    for y in 0..<side {
        var row = buffer.mutableRow(y)
        for x in row.indices { row[x] = x % 4 == 3 ? 255 : UInt8.random(in: 0...255) }
    }
    return .still(buffer.freeze(), ImageMetadata(format: nil, originalSize: PixelSize(clamping: side, side)))
}
