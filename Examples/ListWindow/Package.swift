// swift-tools-version: 6.2
import PackageDescription

// A complete window with a list of images.
let package = Package(
    name: "ListWindow",
    dependencies: [.package(name: "Gannet", path: "../..", traits: ["JPEG", "PNG", "GIF", "WebP", "ColorManagement", "GTK"])],
    targets: [
        .executableTarget(
            name: "ListWindow",
            dependencies: [.product(name: "Gannet", package: "Gannet"), .product(name: "GannetGTK", package: "Gannet")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
