import FoundationEssentials
import Gannet

// The calls of the coming-from pages, beside those of the other libraries, compiled. They are not run: they name hosts that do not
// exist. `SnippetTests` finds every line of the pages in here and in `ComingFromViewSnippets`.

func comingFromAny(_ url: URL, _ urls: [URL], _ image: DecodedImage) async throws {
    let manager = ImageManager.shared
    let small = try await manager.image(for: "https://example.org/a.jpg", .fit(400, 300), .priority(.high))
    let loaded = try await manager.image(for: url)
    let narrow = try await manager.image(for: url, .transform(.resize(width: 320)), .priority(.high))
    let round = try await manager.image(for: url, .fit(200, 200), .transform(.roundCorners(radius: 12)))
    let blurred = try await manager.image(for: url, .fill(300, 300), .transform(.blur(radius: 4), .roundCorners(radius: 20)))
    let signed = try await manager.image(for: url, .headers(["Access-Token": "abc"]))
    let patient = try await manager.image(for: url, .deadlines(LoadDeadlines(idle: .seconds(60), total: .seconds(300))))
    let fresh = try await manager.image(for: url, .forceRefresh)
    let offline = try await manager.image(for: url, .onlyFromCache)
    let kept = try await manager.image(for: url, .expiration(memory: .seconds(600), disk: .days(30)))
    let named = try await manager.image(for: url, .keyFilter(.fixed("avatar-17")))
    let again = try await manager.image(for: url, .retry(DelayRetryStrategy(maximumCount: 3, interval: .seconds(2))))
    print(small, loaded, narrow, round, blurred, signed, patient, fresh, offline, kept, named, again)

    manager.load(url, progress: { print($0.received, $0.expected ?? 0) }, completion: { result in print(result) })
    let task = manager.task(for: url, .priority(.low))
    task.priority = .high
    for await event in task.events { if case .progress(let progress) = event { print(progress.fraction ?? 0) } }
    task.cancel()
    let bytes = try await manager.fetchBytes(for: url).encoded?.bytes
    print(bytes?.count ?? 0)

    let cache = manager.cache
    try await cache.store(image, forKey: "avatar-17")
    let stored = try await cache.image(forKey: "avatar-17")
    let inMemory = cache.memoryImage(forKey: "avatar-17")
    let isCached = await cache.tier(ofKey: url.absoluteString) != .none
    let hit = manager.cachedImage(for: url, .fit(400, 300))
    try await cache.remove(forKey: "avatar-17")
    try await cache.remove(url)
    try await cache.removeAll()
    try await cache.removeExpired()
    print(try await cache.usage(of: .disk).bytes, stored as Any, inMemory as Any, isCached, hit as Any)

    let prefetcher = ImagePrefetcher(manager: .shared)
    let batch = prefetcher.prefetch(urls, .fit(400, 300))
    prefetcher.prefetch(urls.map { ImageRequest($0) }, progress: { print($0.fraction) }, completion: { print($0.failed) })
    prefetcher.isPaused = true
    batch.cancel()

    if case .animated(let animation) = loaded.image { print(try await animation.frame(at: 3).size) }
    let png = try await loaded.pngData()
    let webp = try await loaded.image.encoded(EncodeOptions(format: .webp, quality: 80))
    try await loaded.write(to: "/tmp/a.jpg")
    print(png.count, webp.bytes.count)
}

func comingFromAnyAtTheStart() throws {
    var options = StandardOptions()
    options.downloader.headers.set("Accept", "image/webp,image/*;q=0.8")
    options.downloader.deadlines = LoadDeadlines(idle: .seconds(60), total: .seconds(300))
    options.downloader.maximumConcurrentDownloads = 8
    options.memoryLimits = MemoryCacheLimits(bytes: 300 << 20, count: 150, age: .seconds(600))
    options.diskLimit = 1 << 30
    var configuration = try ManagerConfiguration.standard(options)
    configuration.defaults = [.expiration(disk: .days(7))]
    configuration.defaults.append(.retry(DelayRetryStrategy(maximumCount: 3, interval: .seconds(2))))
    ImageManager.shared = ImageManager(configuration: configuration)
}

func comingFromAnyWithItsCache(_ caches: String) throws {
    var configuration = try ManagerConfiguration.standard()
    configuration.readCache(of: .sdWebImage(folder: caches + "/com.hackemist.SDImageCache/default"))
    configuration.readCache(of: .kingfisher(folder: caches + "/com.onevcat.Kingfisher.ImageCache.default"))
    configuration.readCache(of: .nuke(folder: caches + "/com.github.kean.Nuke.DataCache"))
    ImageManager.shared = ImageManager(configuration: configuration)
}
