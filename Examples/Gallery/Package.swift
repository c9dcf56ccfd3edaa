// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Gallery",
    dependencies: [.package(name: "Gannet", path: "../..", traits: ["JPEG", "PNG", "GIF", "WebP", "GTK"])],
    targets: [
        .executableTarget(
            name: "Gallery",
            dependencies: [.product(name: "Gannet", package: "Gannet"), .product(name: "GannetGTK", package: "Gannet")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
