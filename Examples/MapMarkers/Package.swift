// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MapMarkers",
    dependencies: [.package(name: "Gannet", path: "../..", traits: ["PNG", "GIF", "WebP", "GTK"])],
    targets: [
        .systemLibrary(name: "CShumate", pkgConfig: "shumate-1.0", providers: [.apt(["libshumate-dev"])]),
        .executableTarget(
            name: "MapMarkers",
            dependencies: [
                "CShumate", .product(name: "Gannet", package: "Gannet"), .product(name: "GannetGTK", package: "Gannet"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
