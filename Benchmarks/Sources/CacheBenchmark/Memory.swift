import BenchmarkSupport
import Foundation
import GannetCache
import GannetCore

/// A benchmark whose answers are wrong measures nothing.
func demand(_ isRight: Bool) { precondition(isRight, "a wrong answer") }

/// Runs `work` on `count` threads at once and returns when all are done.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
        group.enter()
        Thread.detachNewThread {
            work(number)
            group.leave()
        }
    }
    group.wait()
}

private final class Box: Sendable {
    let picture: CachedImage
    init(_ picture: CachedImage) { self.picture = picture }
}

/// One look-up that hits, of 1,000 pictures, in each of several threads. The times are those of one look-up.
func measureMemory() throws {
    let cache = MemoryCache(limits: MemoryCacheLimits(bytes: 1 << 30))
    let foundation = NSCache<NSString, AnyObject>()
    var keys: [CacheKey] = []
    for number in 0..<1000 {
        let key = CacheKey("https://example.org/pictures/\(number).jpg\u{1}fit 400x300")
        let buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 4, 4)))
        let picture = CachedImage(
            image: .still(buffer.freeze(), ImageMetadata(format: .png, originalSize: PixelSize(clamping: 4, 4))))
        cache.store(picture, for: key)
        foundation.setObject(Box(picture), forKey: key.text as NSString, cost: 64)
        keys.append(key)
    }
    let all = keys
    nonisolated(unsafe) let texts = all.map { $0.text as NSString }
    nonisolated(unsafe) let other = foundation
    let rounds = 200
    for threads in [1, 2, 4, 8] {
        let name = "memory get, \(threads) threads"
        let divisor = rounds * all.count * threads
        report(name, "gannet", divisor) {
            onThreads(threads) { _ in
                for _ in 0..<rounds { for key in all { demand(cache.image(for: key) != nil) } }
            }
        }
        report(name, "NSCache", divisor) {
            onThreads(threads) { _ in
                for _ in 0..<rounds { for text in texts { demand(other.object(forKey: text) != nil) } }
            }
        }
    }
}

/// Medians of 5 runs after one to warm up, for one of `divisor` operations.
func report(_ name: String, _ program: String, _ divisor: Int, _ work: () throws -> Void) rethrows {
    try work()
    var processor: [Double] = []
    var wall: [Double] = []
    for _ in 0..<5 {
        let (start, wallStart) = (processorTime(), wallTime())
        try work()
        processor.append((processorTime() - start) / Double(divisor))
        wall.append((wallTime() - wallStart) / Double(divisor))
    }
    show(name, program, &processor, &wall)
}

func show(_ name: String, _ program: String, _ processor: inout [Double], _ wall: inout [Double]) {
    processor.sort()
    wall.sort()
    var result = Measurement(
        group: "caches", name: name, median: processor[processor.count / 2], best: processor[0], wall: wall[wall.count / 2])
    result.program = program
    print(result.json)
    fflush(nil)
}
