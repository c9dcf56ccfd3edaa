// swift-tools-version: 6.2
import PackageDescription

// Not an error for warnings: a newer Adwaita for Swift may deprecate what this one has.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "GannetAdwaita",
    products: [.library(name: "GannetAdwaita", targets: ["GannetAdwaita"])],
    dependencies: [
        .package(name: "Gannet", path: "../..", traits: ["JPEG", "PNG", "HTTP", "GTK"]),
        // The commit that this was built with, the last one on GitHub.
        .package(
            url: "https://github.com/AparokshaUI/adwaita-swift", revision: "c8376967ff573abf4e49ade5250883da6a632f30"),
    ],
    targets: [
        .target(
            name: "GannetAdwaita",
            dependencies: [
                .product(name: "GannetGTK", package: "Gannet"), .product(name: "Adwaita", package: "adwaita-swift"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "ImageList",
            dependencies: [
                "GannetAdwaita", .product(name: "Adwaita", package: "adwaita-swift"),
                .product(name: "GannetGTK", package: "Gannet"),
            ],
            // As Adwaita for Swift itself, whose state is not isolated.
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
