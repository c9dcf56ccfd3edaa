import Foundation
import GannetCore
import GannetImages

// Hits in memory. The baseline knows no requests: its key is the text of the URL.

func hitCases() -> [Case] {
    [
        Case(
            name: "memory hit, request ready", count: 20_000,
            gannet: { count in
                let manager = try await warmManager()
                let request = ImageRequest(ImageSource(hitURL))
                return { for _ in 0..<count where manager.cachedImage(for: request) == nil { throw MissedHit() } }
            },
            baseline: { count in
                let baseline = try await warmBaseline()
                return { for _ in 0..<count where baseline.cachedImage(for: hitURL) == nil { throw MissedHit() } }
            }, guarded: "memory hit"),
        Case(
            name: "memory hit, 20,000 images", count: 20_000,
            gannet: { count in
                let (manager, requests) = (makeManager(FakeOrigin()), makeRequests(count))
                for request in requests { _ = try await manager.image(for: request) }
                return { for request in requests where manager.cachedImage(for: request) == nil { throw MissedHit() } }
            },
            baseline: { count in
                let (baseline, urls) = (makeBaseline(FakeOrigin()), makeURLs(count))
                for url in urls { _ = try await baseline.image(for: url) }
                return { for url in urls where baseline.cachedImage(for: url) == nil { throw MissedHit() } }
            }),
        Case(
            name: "memory hit, fit(400, 300)", count: 20_000,
            gannet: { count in
                let manager = makeManager(FakeOrigin())
                let request = ImageRequest(ImageSource(hitURL), .fit(400, 300))
                _ = try await manager.image(for: request)
                return { for _ in 0..<count where manager.cachedImage(for: request) == nil { throw MissedHit() } }
            },
            baseline: { count in
                let baseline = try await warmBaseline()
                return { for _ in 0..<count where baseline.cachedImage(for: hitURL) == nil { throw MissedHit() } }
            }),
        Case(
            name: "memory hit, from a text", count: 20_000,
            gannet: { count in
                let manager = try await warmManager()
                return { for _ in 0..<count where manager.cachedImage(for: ImageRequest(hitURL)) == nil { throw MissedHit() } }
            },
            baseline: { count in
                let baseline = try await warmBaseline()
                return { for _ in 0..<count where baseline.cachedImage(for: hitURL) == nil { throw MissedHit() } }
            }),
        Case(
            name: "memory hit, from a URL", count: 20_000,
            gannet: { count in
                let (manager, url) = (try await warmManager(), URL(string: hitURL)!)
                return { for _ in 0..<count where manager.cachedImage(for: url) == nil { throw MissedHit() } }
            },
            baseline: { count in
                let (baseline, url) = (try await warmBaseline(), URL(string: hitURL)!)
                return { for _ in 0..<count where baseline.cachedImage(for: url.absoluteString) == nil { throw MissedHit() } }
            }),
        Case(
            name: "memory hit, await", count: 20_000,
            gannet: { count in
                let manager = try await warmManager()
                let request = ImageRequest(ImageSource(hitURL))
                return { for _ in 0..<count { _ = try await manager.image(for: request) } }
            },
            baseline: { count in
                let baseline = try await warmBaseline()
                return { for _ in 0..<count { _ = try await baseline.image(for: hitURL) } }
            }),
    ]
}

private struct MissedHit: Error {}

private let hitURL = "https://example.org/pictures/photo-0.jpg"

private func warmManager() async throws -> ImageManager {
    let manager = makeManager(FakeOrigin())
    _ = try await manager.image(for: ImageRequest(hitURL))
    return manager
}

private func warmBaseline() async throws -> Baseline {
    let baseline = makeBaseline(FakeOrigin())
    _ = try await baseline.image(for: hitURL)
    return baseline
}
