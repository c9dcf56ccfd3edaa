// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what benchmarks need never reaches a user. Build it in release:
//     swift build -c release --package-path Benchmarks
// The trait HTTP (off by default: it builds SwiftNIO) is for PipelineBenchmark, AllFormats for every codec.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func gannet(_ names: String...) -> [Target.Dependency] { names.map { .product(name: $0, package: "Gannet") } }

let rooms = gannet("GannetCore", "GannetPlatform", "GannetCache", "GannetFetch", "GannetImages", "GannetViews")

func benchmark(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: ["BenchmarkSupport"] + dependencies, swiftSettings: settings)
}

let codecs = ["JPEG", "PNG", "GIF", "WebP", "BMP", "ICO", "QOI", "PNM", "ColorManagement"]
let libraries = ["AVIF", "HEIC", "JXL", "TIFF", "SVG"]

let package = Package(
    name: "GannetBenchmarks",
    traits: [
        .trait(name: "HTTP", description: "Loading over HTTP, for the whole pipeline"),
        .trait(name: "AllFormats", description: "AVIF, HEIC, JPEG XL, TIFF and SVG"),
        .trait(name: "Peers", description: "GRDB, to compare caches with"),
    ],
    dependencies: [
        .package(
            name: "Gannet", path: "..",
            traits: Set(
                codecs.map { .trait(name: $0) } + libraries.map { .trait(name: $0, condition: .when(traits: ["AllFormats"])) }
                    + [.trait(name: "HTTP", condition: .when(traits: ["HTTP"]))])),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        // Clocks, medians and the one format of results: see Benchmarks/README.md.
        .target(name: "BenchmarkSupport", swiftSettings: settings),
        benchmark(
            "HTTPBenchmark",
            gannet("Gannet", "GannetFetch") + [
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["HTTP"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["HTTP"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["HTTP"])),
            ]),
        // Hot paths for scripts/guard.sh, which counts their instructions.
        benchmark("GuardBenchmark", rooms + gannet("GannetCodecs")),
        // The whole way over HTTP: empty without the trait HTTP.
        benchmark("PipelineBenchmark", rooms + gannet("Gannet", "GannetCodecs")),
        benchmark(
            "CacheBenchmark",
            rooms + [
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Peers"]))
            ]),
        // Decoding in worker processes beside decoding in the process.
        benchmark(
            "SandboxBenchmark",
            gannet("GannetCore", "GannetPlatform", "GannetFetch", "GannetImages", "GannetCodecs", "GannetSandbox")),
        // What a request costs beside a baseline; scripts/guard.sh counts its allocations.
        benchmark("RequestBenchmark", rooms + gannet("GannetCodecs")),
        // Six widths of one photograph at once.
        benchmark("SizesBenchmark", rooms + gannet("GannetCodecs")),
        benchmark("CodecBenchmark", rooms + gannet("GannetCodecs")),
        benchmark("TransformBenchmark", rooms),
    ]
)
