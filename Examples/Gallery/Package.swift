// swift-tools-version: 6.2
import PackageDescription

// A gallery of photographs: a wall, one photograph at a time, and what is known of it.
let package = Package(
    name: "Gallery",
    dependencies: [
        .package(
            name: "Gannet", path: "../..", traits: ["JPEG", "PNG", "GIF", "WebP", "ColorManagement", "HTTP", "GTK"])
    ],
    targets: [
        .executableTarget(
            name: "Gallery",
            dependencies: [.product(name: "Gannet", package: "Gannet"), .product(name: "GannetGTK", package: "Gannet")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
