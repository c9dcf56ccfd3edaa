// swift-tools-version: 6.2
import PackageDescription

// Not an error for warnings: a newer SwiftCrossUI may deprecate what this one has.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "GannetSwiftCrossUI",
    products: [
        // For every backend of SwiftCrossUI.
        .library(name: "GannetSwiftCrossUI", targets: ["GannetSwiftCrossUI"]),
        // For GtkBackend, the default on Linux: images know whether they are scrolled out of sight.
        .library(name: "GannetSwiftCrossUIGtk", targets: ["GannetSwiftCrossUIGtk"]),
    ],
    dependencies: [
        .package(name: "Gannet", path: "../..", traits: ["JPEG", "PNG", "HTTP"]),
        // The commit that this was built with.
        .package(
            url: "https://github.com/moreSwift/swift-cross-ui", revision: "f651d7e35648ecafa3e5e73023be40a351bd8c96"),
        .package(url: "https://github.com/stackotter/swift-image-formats", .upToNextMinor(from: "0.3.3")),
    ],
    targets: [
        .target(
            name: "GannetSwiftCrossUI",
            dependencies: [
                .product(name: "Gannet", package: "Gannet"), .product(name: "GannetViews", package: "Gannet"),
                .product(name: "SwiftCrossUI", package: "swift-cross-ui"),
                .product(name: "ImageFormats", package: "swift-image-formats"),
            ],
            swiftSettings: settings),
        .target(
            name: "GannetSwiftCrossUIGtk",
            dependencies: [
                "GannetSwiftCrossUI", .product(name: "SwiftCrossUI", package: "swift-cross-ui"),
                .product(name: "GtkBackend", package: "swift-cross-ui"), .product(name: "Gtk", package: "swift-cross-ui"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "ImageList",
            dependencies: [
                "GannetSwiftCrossUI", "GannetSwiftCrossUIGtk", .product(name: "Gannet", package: "Gannet"),
                .product(name: "SwiftCrossUI", package: "swift-cross-ui"),
                .product(name: "GtkBackend", package: "swift-cross-ui"),
            ],
            swiftSettings: settings),
    ]
)
