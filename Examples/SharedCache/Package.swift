// swift-tools-version: 6.2
import PackageDescription

// Images that several machines share through Redis, without a server: no other Swift package is fetched. Needs libhiredis-dev.
let package = Package(
    name: "SharedCache",
    dependencies: [.package(name: "Gannet", path: "../..", traits: [.defaults, "Redis"])],
    targets: [
        .executableTarget(
            name: "shared-cache",
            dependencies: ["Gannet", "GannetSharedCaches"].map { .product(name: $0, package: "Gannet") },
            path: "Sources", swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
