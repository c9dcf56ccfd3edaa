// swift-tools-version: 6.2
import PackageDescription

// The thumbnail service as routes of a Hummingbird server, beside other routes. Any other HTTP server mounts it the same way.
let gannet: [Target.Dependency] = ["Gannet", "GannetHTTP", "GannetServer"].map { .product(name: $0, package: "Gannet") }
let settings: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
    name: "ThumbnailRoutes",
    dependencies: [
        .package(name: "Gannet", path: "../..", traits: ["JPEG", "PNG", "WebP", "PNM", "ColorManagement", "Server"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        .target(
            name: "ThumbnailRoutes",
            dependencies: gannet + [
                .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Hummingbird", package: "hummingbird"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "thumbnail-routes",
            dependencies: gannet + ["ThumbnailRoutes", .product(name: "Hummingbird", package: "hummingbird")],
            swiftSettings: settings),
        .testTarget(
            name: "ThumbnailRoutesTests",
            dependencies: gannet + [
                "ThumbnailRoutes", .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ], swiftSettings: settings),
    ]
)
