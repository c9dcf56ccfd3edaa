import Gannet
import GannetCore
import GannetSharedCaches
import GannetTesting
import GannetViews
import Testing

// The code of the documents on caching, transformers and coders, compiled; `SnippetTests` finds every line of it in here.

func cachesByHand(_ loaded: LoadedImage, shared: any ImageCaching, own: any ImageCaching) async throws -> [Any?] {
    let manager = ImageManager.shared
    try await manager.cache.store(loaded.image, forKey: "avatar-7")
    let found = try await manager.cache.image(forKey: "avatar-7")
    let shown = manager.cache.memoryImage(forKey: "avatar-7")
    let tier = await manager.cache.tier(ofKey: "avatar-7")
    try await manager.cache.remove(forKey: "avatar-7", tier: .disk)
    let usage = try await manager.cache.usage(of: .disk)
    let caches = CachesManager([shared, own], query: .serial, store: .highestOnly)
    return [found, shown, tier, usage, caches]
}

func withoutMetadata() throws -> ManagerConfiguration {
    var configuration = try ManagerConfiguration.standard()
    configuration.diskCache = DiskCache().withoutMetadata()
    return configuration
}

func placeholderOfSummary(_ manager: ImageManager, _ request: ImageRequest) async -> ImagePlaceholder {
    let summary = await manager.summary(for: request)
    let shownFirst: ImagePlaceholder = summary?.placeholder ?? .empty
    return shownFirst
}

#if Redis && HTTP
    func cachesOfMachines(_ credentials: S3Credentials, _ configuration: inout ManagerConfiguration) throws {
        let redis = try RedisCache("redis://10.1.0.5:7000,10.1.0.6:7000")
        let bucket = try S3Cache(
            bucket: "pictures/originals", region: "eu-central-1", credentials: credentials, transport: try CURLTransport())
        configuration.diskCache = CachesManager([bucket, redis, DiskCache()], store: .serial)
    }
#endif
