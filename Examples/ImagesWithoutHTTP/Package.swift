// swift-tools-version: 6.2
import PackageDescription

// Thumbnails of local files: neither SwiftNIO nor any HTTP client is built or linked.
let package = Package(
    name: "ImagesWithoutHTTP",
    dependencies: [.package(name: "Gannet", path: "../..", traits: ["JPEG", "PNG"])],
    targets: [
        .executableTarget(
            name: "thumbnail",
            dependencies: ["GannetCodecs", "GannetCore", "GannetFetch", "GannetImages"].map {
                .product(name: $0, package: "Gannet")
            },
            path: "Sources", swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
