// swift-tools-version: 6.2
import PackageDescription

// For programs that have AsyncHTTPClient anyway: its client as the transport of Gannet.
let package = Package(
    name: "WithAsyncHTTPClient",
    dependencies: [
        .package(name: "Gannet", path: "../..", traits: ["HTTP"]),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .executableTarget(
            name: "with-async-http-client",
            dependencies: ["GannetCache", "GannetCore", "GannetFetch"].map { .product(name: $0, package: "Gannet") } + [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Sources", swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
