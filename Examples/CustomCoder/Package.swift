// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .treatAllWarnings(as: .error),
]

// A coder outside of Gannet: the article WritingACoder explains it.
let package = Package(
    name: "CustomCoder",
    products: [.library(name: "Farbfeld", targets: ["Farbfeld"])],
    dependencies: [
        // An empty set: none of Gannet's own formats, so that this builds without any library.
        .package(name: "gannet", path: "../..", traits: [])
    ],
    targets: [
        .target(
            name: "Farbfeld",
            dependencies: [.product(name: "GannetCore", package: "gannet"), .product(name: "GannetPlatform", package: "gannet")],
            swiftSettings: settings),
        .executableTarget(
            name: "farbfeld-demo",
            dependencies: [
                "Farbfeld", .product(name: "GannetCore", package: "gannet"),
                .product(name: "GannetFetch", package: "gannet"), .product(name: "GannetImages", package: "gannet"),
                .product(name: "GannetTesting", package: "gannet"),
            ], swiftSettings: settings),
        .testTarget(
            name: "FarbfeldTests",
            dependencies: [
                "Farbfeld", .product(name: "GannetCore", package: "gannet"), .product(name: "GannetTesting", package: "gannet"),
            ], swiftSettings: settings),
    ]
)
