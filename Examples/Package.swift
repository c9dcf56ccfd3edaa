// swift-tools-version: 6.2
import PackageDescription

// Small programs to read and to copy from. scripts/check-all.sh builds them all.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .treatAllWarnings(as: .error),
]

func example(_ name: String, _ others: Target.Dependency...) -> Target {
    .executableTarget(
        name: name,
        dependencies: [.product(name: "Gannet", package: "Gannet"), .product(name: "GannetPlatform", package: "Gannet")] + others,
        swiftSettings: settings)
}

let package = Package(
    name: "GannetExamples",
    dependencies: [
        .package(name: "Gannet", path: "..", traits: ["JPEG", "PNG", "GIF", "WebP", "ColorManagement", "HTTP"]),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        example("BatchJob"),  // thumbnails of a list, with failures and resume: a recipe of the documentation
        example("CustomTransformer"),  // a transformer of one's own: the article WritingATransformer
        example("TransformSheet"),  // draws Documentation/pictures/transformers.png
        example(  // answers uploads with thumbnails: a recipe of the documentation
            "UploadService", .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio")),
    ]
)
