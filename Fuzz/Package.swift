// swift-tools-version: 6.2
import PackageDescription

// The coders' fuzzers, as a separate package. Built with sanitizers by `scripts/fuzz.sh`; README.md says how.
let traits =
    Context.environment["GANNET_FUZZ_TRAITS"]
    ?? "JPEG,PNG,GIF,WebP,AVIF,HEIC,JXL,TIFF,SVG,JP2,RAW,Lottie,BMP,ICO,QOI,PNM,Radiance,PFM,ColorManagement"

let package = Package(
    name: "GannetFuzz",
    dependencies: [
        .package(
            name: "gannet", path: "..",
            traits: Set(traits.split(separator: ",").map { Package.Dependency.Trait(name: String($0)) }))
    ],
    targets: [
        .executableTarget(
            name: "gannet-fuzz",
            dependencies: [
                .product(name: "GannetCore", package: "gannet"),
                .product(name: "GannetImages", package: "gannet"), .product(name: "GannetCodecs", package: "gannet"),
                .product(name: "GannetTesting", package: "gannet"),
            ],
            path: "Sources/GannetFuzz",
            swiftSettings: [
                .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .treatAllWarnings(as: .error),
            ])
    ]
)
