// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because it needs GTK: see README.md.
let package = Package(
    name: "Playback",
    dependencies: [.package(name: "Gannet", path: "../..", traits: ["PNG", "GIF", "WebP", "GTK"])],
    targets: [
        .executableTarget(
            name: "PlaybackBenchmark",
            dependencies: [.product(name: "Gannet", package: "Gannet"), .product(name: "GannetGTK", package: "Gannet")],
            swiftSettings: [
                .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ])
    ]
)
