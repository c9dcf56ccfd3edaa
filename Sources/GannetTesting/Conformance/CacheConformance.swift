package import GannetCore
import GannetPlatform

/// Checks what every cache of bytes must do: the contract of ``ImageCaching``.
///
/// Each check returns one line for each violation; tests expect none. The cache must be empty before, and is empty afterwards.
package struct CacheConformance {
    private let cache: any ImageCaching
    private let now: Timestamp
    /// Removal by prefix leaves other entries alone, which the contract does not promise.
    private let keepsOthers: Bool
    private var lines: [String] = []

    /// `now`: by the clock of the cache.
    package init(_ cache: any ImageCaching, now: Timestamp, keepsOthers: Bool = true) {
        (self.cache, self.now, self.keepsOthers) = (cache, now, keepsOthers)
    }

    /// Runs all checks.
    package static func failures(
        of cache: any ImageCaching, now: Timestamp, keepsOthers: Bool = true
    ) async throws(ImageError) -> [String] {
        var check = CacheConformance(cache, now: now, keepsOthers: keepsOthers)
        try await check.storing()
        try await check.metadata()
        try await check.removing()
        try await check.expiring()
        return check.lines
    }

    private mutating func expect(_ isRight: Bool, _ line: String) { if !isRight { lines.append(line) } }

    private func entry(_ bytes: [UInt8], _ change: (inout CacheEntryMetadata) -> Void = { _ in }) -> CacheEntry {
        var metadata = CacheEntryMetadata(storedAt: now)
        change(&metadata)
        return CacheEntry(bytes: ByteRope(bytes), metadata: metadata)
    }

    private func bytes(_ key: CacheKey) async throws(ImageError) -> [UInt8]? {
        try await cache.entry(for: key, touch: true)?.bytes.contiguous()
    }

    /// Bytes or metadata.
    private func isThere(_ key: CacheKey) async throws(ImageError) -> Bool {
        if try await cache.entry(for: key, touch: false) != nil { return true }
        if try await cache.metadata(for: key) != nil { return true }
        return await cache.contains(key)
    }

    /// Keys that a URL, a file or a program may have, and all that a store may read something else into.
    private static let keys = [
        "a", "https://example.org/a.jpg?b=c&d=e#f", "file:///a b/ä/日本.png", "a*?[b]{c}\\d\"'<&>%20", "{}", "a/../b//c", "",
        String(repeating: "long", count: 1000), "a\u{1}decode=1", "e\u{301}*\u{301}",
    ].map { CacheKey($0) }

    private mutating func storing() async throws(ImageError) {
        for (index, key) in Self.keys.enumerated() {
            expect(try await !isThere(key), "key \(index) is there before it is stored")
            let bytes = [UInt8](repeating: UInt8(index), count: index * 7000)
            try await cache.store(entry(bytes), for: key)
            expect(try await self.bytes(key) == bytes, "key \(index) is not found once it is stored")
            expect(await cache.contains(key), "key \(index) is not there once it is stored")
            expect(cache.mightContain(key), "key \(index) is denied")
        }
        try await cache.flush()
        for (index, key) in Self.keys.enumerated() {
            let found = try await cache.entry(for: key, touch: false)
            expect(found?.bytes.count == index * 7000 && found?.bytes.isComplete == true, "key \(index) is not found later")
            expect(try cache.blockingEntry(for: key, touch: false).map { $0.bytes.count == index * 7000 } ?? true, "blocking")
        }
        let usage = try await cache.usage()
        let total = Self.keys.indices.reduce(0) { $0 + $1 * 7000 }
        // Several caches behind one count an entry several times.
        expect(usage.count == 0 || usage.count >= Self.keys.count && usage.bytes >= total, "it counts \(usage)")
        try await cache.store(entry([1, 2, 3]), for: Self.keys[0])
        expect(try await bytes(Self.keys[0]) == [1, 2, 3], "an older entry is found")
        try await cache.removeAll()
        for key in Self.keys { expect(try await bytes(key) == nil, "\(key) is there after removeAll()") }
    }

    private mutating func metadata() async throws(ImageError) {
        let key = Self.keys[1]
        let http = StoredHTTPResponse(
            status: 200, headers: HTTPHeaders([("Content-Type", "image/png"), ("X", String(repeating: "x", count: 9000))]),
            varying: HTTPHeaders([("Accept", "*/*")]), requestTime: now, responseTime: now + .seconds(1), url: "https://a.org/")
        let full = entry([1, 2]) {
            $0.format = "public.png"
            $0.freshness = Freshness(freshUntil: now + .seconds(60), etag: "\"e\"")
            $0.expiration = .after(.seconds(10_000_000))
            $0.http = http
            $0.extended = [1, 0, 255]
            $0.identity = Digest128(high: 1, low: .max)
        }
        try await cache.store(full, for: key)
        for isWritten in [false, true] {
            if isWritten { try await cache.flush() }
            let found = try await cache.entry(for: key, touch: false)?.metadata
            for (name, read) in [("entry", found), ("metadata", try await cache.metadata(for: key))] {
                expect(same(read, full.metadata), "the metadata of \(name) is \(String(describing: read))")
            }
        }
        var newer = full.metadata
        newer.freshness.etag = "\"f\""
        newer.extended = []
        try await cache.update(newer, for: key)
        for isWritten in [false, true] {
            if isWritten { try await cache.flush() }
            let found = try await cache.entry(for: key, touch: true)
            expect(same(found?.metadata, newer) && found?.bytes.contiguous() == [1, 2], "new metadata is not there")
            expect(same(try await cache.metadata(for: key), newer), "new metadata alone is not there")
        }
        try await cache.update(newer, for: Self.keys[2])
        try await cache.flush()
        expect(await !cache.contains(Self.keys[2]), "an update makes an entry")
        try await cache.store(entry([9]) { $0.isPartial = true }, for: key)
        try await cache.flush()
        let part = try await cache.entry(for: key, touch: false)
        expect(part?.metadata.isPartial == true && part?.bytes.contiguous() == [9], "a partial entry is not found as such")
        await cache.noteUse(of: key)
        await cache.noteUse(of: Self.keys[2])
        expect(await cache.contains(key), "a use removes")
        expect(await !cache.contains(Self.keys[2]), "a use makes an entry")
        try await cache.removeAll()
    }

    /// In all but the last use.
    private func same(_ left: CacheEntryMetadata?, _ right: CacheEntryMetadata) -> Bool {
        guard var left else { return false }
        left.lastUsed = right.lastUsed
        return left == right
    }

    private mutating func removing() async throws(ImageError) {
        func store(_ texts: [String]) async throws(ImageError) {
            for text in texts { try await cache.store(entry(Array(text.utf8)), for: CacheKey(text)) }
        }
        // With what is not written yet, and with what is.
        for isWritten in [false, true] {
            let texts = [
                "s", "s\u{1}decode=1", "s\u{1}decode=2", "s\u{1}vary=1", "s2\u{1}decode=1", "t*", "t*\u{1}x", "tt\u{1}x",
            ]
            for (prefix, gone) in [
                ("s\u{1}decode=", [1, 2]), ("s\u{1}", [1, 2, 3]), ("s", [0, 1, 2, 3, 4]), ("t*", [5, 6]), ("u\u{1}", []),
                ("", Array(0..<8)),
            ] {
                try await store(texts)
                if isWritten { try await cache.flush() }
                try await cache.removeAll(prefix: prefix)
                for (index, text) in texts.enumerated() {
                    let isThere = try await bytes(CacheKey(text)) != nil
                    if gone.contains(index) { expect(!isThere, "\(index) is there after its prefix \(prefix) was removed") }
                    if keepsOthers, !gone.contains(index) { expect(isThere, "\(index) is gone, as if it began with \(prefix)") }
                }
            }
            try await store(["a", "b"])
            if isWritten { try await cache.flush() }
            try await cache.remove(CacheKey("a"))
            try await cache.remove(CacheKey("c"))
            expect(try await bytes(CacheKey("a")) == nil, "a removed entry is there")
            expect(try await bytes(CacheKey("b")) != nil, "another entry was removed")
            try await cache.flush()
            expect(try await bytes(CacheKey("a")) == nil, "a removed entry comes back")
            try await cache.removeAll()
            expect(try await bytes(CacheKey("b")) == nil, "an entry is there after removeAll()")
        }
    }

    private mutating func expiring() async throws(ImageError) {
        let key = Self.keys[0]
        for (name, expiration) in [
            ("at", CacheExpiration.at(now + .seconds(-1))), ("expired", .expired), ("after", .after(.seconds(0))),
        ] {
            try await cache.store(entry([1]), for: key)
            try await cache.store(entry([2]) { $0.expiration = expiration }, for: key)
            expect(try await bytes(key) == nil, "an expired entry is found: \(name)")
            expect(try await !isThere(key), "something of it is found: \(name)")
        }
        try await cache.store(entry([3]) { $0.expiration = .never }, for: key)
        try await cache.removeExpired()
        expect(try await bytes(key) == [3], "what never expires is gone")
        try await cache.removeAll()
    }
}
