// swift-tools-version: 6.2
import PackageDescription

// Small programs to read and to copy from. scripts/check-all.sh builds them all.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .treatAllWarnings(as: .error),
]

func example(_ name: String) -> Target {
    .executableTarget(name: name, dependencies: [.product(name: "Gannet", package: "Gannet")], swiftSettings: settings)
}

let package = Package(
    name: "GannetExamples",
    dependencies: [.package(name: "Gannet", path: "..", traits: ["JPEG", "PNG", "WebP"])],
    targets: [
        example("CustomTransformer"),  // a transformer of one's own: Documentation/Transformers.md
        example("TransformSheet"),  // draws Documentation/pictures/transformers.png
    ]
)
