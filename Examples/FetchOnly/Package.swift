// swift-tools-version: 6.2
import PackageDescription

// An HTTP cache without images: no decoder, no transform and no view is built or linked.
let package = Package(
    name: "FetchOnly",
    dependencies: [.package(name: "Gannet", path: "../..", traits: ["HTTP"])],
    targets: [
        .executableTarget(
            name: "fetch-only",
            dependencies: ["GannetCache", "GannetCore", "GannetFetch", "GannetHTTP"].map {
                .product(name: $0, package: "Gannet")
            },
            path: "Sources", swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
