import GannetCore
import GannetPlatform
import Testing

@testable import GannetCache
@testable import GannetFetch

@Suite struct GenerationsTests {
    private let generations = Generations()
    private let key = CacheKey("a\u{1}decode=t")
    private let other = CacheKey("b")

    private func happened(_ kinds: Generations.Kinds, _ key: CacheKey, _ moment: Generations.Moment) -> Bool {
        generations.happened(kinds, to: key, since: moment)
    }

    @Test func `A change of a source voids all that was made of it, whenever the load began`() {
        let before = generations.now
        let change = generations.begin(.changed, of: .keys([CacheKey("a")]))
        let during = generations.now
        for moment in [before, during] {
            for kinds in [Generations.Kinds.ofMemory, .ofDisk(isOwn: false), .ofDisk(isOwn: true)] {
                #expect(happened(kinds, key, moment) && !happened(kinds, other, moment))
            }
        }
        generations.end(change)
        #expect(happened(.changed, key, before) && happened(.changed, key, during) && !happened(.changed, key, generations.now))
    }

    @Test func `A removal by hand is one of its tier, and not of caches that requests bring along`() {
        let start = generations.now
        let removal = generations.begin(.init(removedFrom: .disk), of: .keys([key]))
        let middle = generations.now
        #expect(happened(.ofDisk(isOwn: false), key, middle))
        #expect(!happened(.ofMemory, key, middle) && !happened(.ofDisk(isOwn: true), key, start))
        generations.end(removal)
        #expect(happened(.ofDisk(isOwn: false), key, middle) && !happened(.ofDisk(isOwn: false), key, generations.now))
        let clearing = generations.begin(.init(removedFrom: .memory), of: .everything)
        #expect(happened(.ofMemory, other, generations.now) && !happened(.ofDisk(isOwn: false), other, generations.now))
        generations.end(clearing)
        #expect(!happened(.ofMemory, other, generations.now))
    }

    @Test func `Cancelling a source leaves others, however many were cancelled`() {
        let (one, two) = (ImageSource("https://example.org/1"), ImageSource("https://example.org/2"))
        let start = generations.now
        for number in 0..<30_000 { generations.note(.cancelled, of: .keys([CacheKey("https://example.org/n\(number)")])) }
        generations.note(.cancelled, of: .keys([CacheKey(one.keyText)]))
        #expect(generations.wasCancelled(one, since: start) && !generations.wasCancelled(two, since: start))
        let middle = generations.now
        generations.note(.cancelled)
        #expect(generations.wasCancelled(two, since: middle) && !generations.wasCancelled(two, since: generations.now))
        #expect(!happened([.ofMemory, .ofDisk(isOwn: false)], key, start), "cancelling removes nothing")
    }

    @Test func `After more removals than are remembered nothing of before is stored`() {
        let start = generations.now
        for number in 0..<10_001 { generations.note(.removedFromDisk, of: .keys([CacheKey("n\(number)")])) }
        #expect(happened(.ofDisk(isOwn: false), other, start) && !happened(.ofDisk(isOwn: false), other, generations.now))
    }

    @Test func `Replaced bytes are seen from the moment of the replacement on`() {
        let start = generations.now
        #expect(!generations.hasReplaced(since: start))
        generations.note(.replaced)
        #expect(generations.hasReplaced(since: start) && !generations.hasReplaced(since: generations.now))
    }
}
