import Gannet
import GannetTesting

// The code of the README and of the articles, line by line, compiled. It is not run: it names hosts that do not exist.
// `SnippetTests` finds every line of the pages in here.

typealias MyCoder = FakeImageCoder

func readme() async throws {
    let image = try await ImageManager.shared.image(for: "https://example.org/a.jpg", .fit(400, 300))
    print(image.size, image.origin)  // 400×267 network

    let task = ImageManager.shared.task(for: ImageRequest("https://example.org/b.webp", .fill(128, 128), .priority(.low)))
    for await event in task.events {
        if case .progress(let progress) = event { print(progress) }
        if case .finished(let result) = event { print(try result.get().image.frameCount) }
    }
}

func gettingStarted() async throws {
    let image = try await ImageManager.shared.image(for: "https://example.org/a.jpg", .fit(400, 300))
    print(image.size, image.origin)
    try await image.write(to: "/tmp/a.png")

    let task = ImageManager.shared.task(for: ImageRequest("https://example.org/b.webp", .fill(128, 128), .priority(.low)))
    for await event in task.events {
        switch event {
        case .progress(let progress): print(progress)
        case .preview(let image): print("so far", image.size)
        case .stale(let stored): print("stored one, being asked for again", stored.size)
        case .finished(let result): print(try result.get().size)
        }
    }

    let token = ImageManager.shared.load(
        "https://example.org/a.jpg",
        completion: { result in
            if case .success(let image) = result { print(image.size) }
        })
    token.cancel()

    do {
        _ = try await ImageManager.shared.image(for: "https://example.org/missing.jpg")
    } catch {
        print(error.code, error.stage as Any, error.message)
    }

    print(try await ImageManager.shared.explain("https://example.org/a.jpg"))
}

func caching() async throws {
    var request = ImageRequest("https://example.org/news/today.jpg")
    request.cache.lookup = .revalidate
    let current = try await ImageManager.shared.image(for: request)

    let placeholder = ImageManager.shared.smallerCachedImage(for: ImageRequest("https://example.org/a.jpg", .fit(1600, 1200)))
    _ = placeholder

    let cache = ImageManager.shared.cache
    try await cache.store(current.image, forKey: "avatar-17")
    let stored = try await cache.image(forKey: "avatar-17")
    try await cache.remove(forKey: "avatar-17", tier: .disk)
    print(try await cache.usage(of: .all).bytes)
    _ = stored

    var options = StandardOptions()
    options.cacheDirectory = "/var/cache/my-service"
    options.diskLimit = 2 << 30
    options.memoryLimits = MemoryCacheLimits(bytes: 64 << 20)
    let manager = ImageManager(configuration: try .standard(options))
    ImageManager.shared = manager
}

func limits() {
    var careful = ImageRequest("https://example.org/upload.png", .fit(256, 256))
    careful.decode.limits = DecodeLimits(maximumPixels: 40_000_000, maximumEncodedBytes: 16 << 20, maximumDecodeTime: .seconds(5))
}

func formats(_ loaded: LoadedImage) async throws {
    let webp = try await loaded.image.encoded(EncodeOptions(format: .webp, quality: 80))
    let request = ImageRequest("https://example.org/a.jpg", .fit(400, 300))
    let file = try await ImageManager.shared.encoded(for: request, as: EncodeOptions(format: .webp, quality: 80))
    print(webp.bytes.count, file.bytes.count)
    let coders = CodersManager(BuiltInCoders.all)
    coders.add(MyCoder())
}

func transforming(_ image: LoadedImage) async throws {
    let avatar = ImageRequest("https://example.org/me.jpg", .fill(96, 96), .transform(.circle()))
    _ = avatar
    let small = try image.resized(.fit(200, 200)).roundedCorners(radius: 12)
    try await small.write(to: "/tmp/small.png")
}

func animated(_ loaded: LoadedImage) async throws {
    if case .animated(let animation) = loaded.image {
        print(animation.frameCount, animation.loopCount as Any, animation.delays)
        let third = try await animation.frame(at: 2)
        print(third.size)
    }
}

func prefetching() async {
    let prefetcher = ImagePrefetcher(manager: .shared)
    let batch = prefetcher.prefetch([ImageRequest("https://example.org/1.jpg"), ImageRequest("https://example.org/2.jpg")])
    for await progress in batch.updates { print(progress.fraction) }
}

func fakes() async throws -> LoadedImage {
    let loader = FakeImageLoader()
    loader.answer("https://example.org/a.fake", with: .bytes(FakeImageCoder.bytes(width: 8, height: 4, red: 200)))
    let fakes = ImageManager(
        configuration: ManagerConfiguration(
            memoryCache: MemoryCache(), diskCache: InMemoryImageCache(), loaders: LoadersManager([loader]),
            coders: CodersManager([FakeImageCoder()])))
    let fake = try await fakes.image(for: "https://example.org/a.fake")
    return fake
}
