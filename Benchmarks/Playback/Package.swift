// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
let gannet: [Target.Dependency] = ["Gannet", "GannetGTK", "GannetPlatform"].map { .product(name: $0, package: "Gannet") }

// A package of its own, because it needs GTK: see README.md.
let package = Package(
    name: "Playback",
    dependencies: [.package(name: "Gannet", path: "../..", traits: ["JPEG", "PNG", "GIF", "WebP", "GTK"])],
    targets: [
        .systemLibrary(name: "CGTKBench", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        // What GTK's thread does for a frame: for the two programs that scroll.
        .target(name: "FrameWork", dependencies: gannet + ["CGTKBench"], swiftSettings: settings),
        .executableTarget(name: "PlaybackBenchmark", dependencies: gannet, swiftSettings: settings),
        .executableTarget(name: "ScrollBenchmark", dependencies: gannet + ["CGTKBench", "FrameWork"], swiftSettings: settings),
        .executableTarget(name: "WallBenchmark", dependencies: gannet + ["CGTKBench", "FrameWork"], swiftSettings: settings),
    ]
)
