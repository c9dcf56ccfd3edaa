// swift-tools-version: 6.2
import PackageDescription

// A custom cache for `ImageCaching`: SQLite through GRDB. A separate package, so that no other target depends on GRDB. Needs
// libsqlite3-dev.
let gannet: [Target.Dependency] = ["GannetCache", "GannetCore", "GannetFetch", "GannetImages", "GannetPlatform"].map {
    .product(name: $0, package: "Gannet")
}

let package = Package(
    name: "CustomCache",
    dependencies: [
        .package(name: "Gannet", path: "../..", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        .target(name: "SQLiteCache", dependencies: gannet + [.product(name: "GRDB", package: "GRDB.swift")]),
        .executableTarget(name: "CustomCache", dependencies: ["SQLiteCache"] + gannet),
        .testTarget(
            name: "SQLiteCacheTests",
            dependencies: ["SQLiteCache", .product(name: "GannetTesting", package: "Gannet")] + gannet),
    ]
)
