// swift-tools-version: 6.2
import PackageDescription

// A custom cache for `ImageCaching`: SQLite through GRDB. A separate package, so that no other target depends on GRDB. Needs
// libsqlite3-dev.
let package = Package(
    name: "CustomCache",
    dependencies: [
        .package(name: "Gannet", path: "../..", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        .target(
            name: "SQLiteCache",
            dependencies: [
                .product(name: "GannetCore", package: "Gannet"), .product(name: "GannetPipeline", package: "Gannet"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .executableTarget(
            name: "CustomCache",
            dependencies: [
                "SQLiteCache", .product(name: "GannetCore", package: "Gannet"),
                .product(name: "GannetPipeline", package: "Gannet"),
            ]),
        .testTarget(
            name: "SQLiteCacheTests",
            dependencies: [
                "SQLiteCache", .product(name: "GannetCore", package: "Gannet"),
                .product(name: "GannetPipeline", package: "Gannet"),
                .product(name: "GannetTesting", package: "Gannet"),
            ]),
    ]
)
