// swift-tools-version: 6.2
import PackageDescription

// A loader for images inside tar archives, as a program outside of Gannet would write it. Needs neither HTTP nor C libraries.
let package = Package(
    name: "CustomLoader",
    dependencies: [.package(name: "Gannet", path: "../..", traits: ["GIF", "BMP", "QOI", "PNM"])],
    targets: [
        .executableTarget(
            name: "CustomLoader",
            dependencies: ["Gannet", "GannetCore", "GannetPlatform"].map { .product(name: $0, package: "Gannet") },
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault")])
    ]
)
