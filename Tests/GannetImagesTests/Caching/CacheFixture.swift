import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting

/// A manager's caches over fakes and a separate folder.
struct CacheFixture {
    let folder = CacheFolder()
    let disk: DiskCache
    let manager: ManagerFixture

    init() {
        disk = folder.cache()
        manager = ManagerFixture(diskCache: disk)
    }
}

/// A suite of tests on such caches.
protocol CacheSuite {
    var caches: CacheFixture { get }
}

extension CacheSuite {
    var folder: CacheFolder { caches.folder }
    var disk: DiskCache { caches.disk }
    var fixture: ManagerFixture { caches.manager }
    var cache: ManagerCache { caches.manager.manager.cache }
    var key: String { "https://example.org/a.fake" }
    var fake: EncodeOptions { EncodeOptions(format: FakeImageCoder.format) }

    func picture(fill: UInt8 = 7) throws -> DecodedImage { Pictures.still(try Pictures.bitmap(bytes: 64, fill: fill)) }

    /// A small picture, encoded for the disk.
    func store(
        _ tier: CacheTier = .all, key: String? = nil, fill: UInt8 = 7, expiration: CacheExpiration = .standard
    ) async throws {
        try await cache.store(picture(fill: fill), forKey: key ?? self.key, tier: tier, expiration: expiration, encode: fake)
    }
}
