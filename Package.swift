// swift-tools-version: 6.2
import PackageDescription

// One array for every Swift target: the strictest language mode there is, and warnings that stop the build.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
]

/// The C libraries behind each trait: a module of `Sources/System`, its pkg-config name and its Debian package.
struct SystemLibrary {
    var module: String
    var pkgConfig: String
    var apt: String
    var trait: String
    /// False: SwiftPM refuses one of its flags with a warning, and needs none, because all is where the compiler looks.
    var asksPkgConfig = true
}

let systemLibraries: [SystemLibrary] = [
    SystemLibrary(module: "CJPEG", pkgConfig: "libjpeg", apt: "libjpeg62-turbo-dev", trait: "JPEG"),
    SystemLibrary(module: "CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev", trait: "PNG"),
    SystemLibrary(module: "CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", trait: "HTTP"),
    SystemLibrary(module: "CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", trait: "HTTP"),
    SystemLibrary(module: "CWebP", pkgConfig: "libwebpmux", apt: "libwebp-dev", trait: "WebP"),
    SystemLibrary(module: "CAVIF", pkgConfig: "libavif", apt: "libavif-dev", trait: "AVIF"),
    SystemLibrary(module: "CHEIF", pkgConfig: "libheif", apt: "libheif-dev", trait: "HEIC"),
    SystemLibrary(module: "CJXL", pkgConfig: "libjxl_threads", apt: "libjxl-dev", trait: "JXL"),
    SystemLibrary(module: "CTIFF", pkgConfig: "libtiff-4", apt: "libtiff-dev", trait: "TIFF"),
    SystemLibrary(module: "CRSVG", pkgConfig: "librsvg-2.0", apt: "librsvg2-dev", trait: "SVG"),
    SystemLibrary(module: "CFFmpeg", pkgConfig: "libavformat", apt: "libavformat-dev", trait: "Video"),
    SystemLibrary(module: "COpenJPEG", pkgConfig: "libopenjp2", apt: "libopenjp2-7-dev", trait: "JP2"),
    SystemLibrary(module: "CLibRaw", pkgConfig: "libraw_r", apt: "libraw-dev", trait: "RAW", asksPkgConfig: false),
    SystemLibrary(module: "CRLottie", pkgConfig: "rlottie", apt: "librlottie-dev", trait: "Lottie"),
    SystemLibrary(module: "CLCMS", pkgConfig: "lcms2", apt: "liblcms2-dev", trait: "ColorManagement"),
    SystemLibrary(module: "CGTK", pkgConfig: "gtk4", apt: "libgtk-4-dev", trait: "GTK"),
    SystemLibrary(module: "COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev", trait: "CommandLine"),
    SystemLibrary(module: "CXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev", trait: "Links"),
    SystemLibrary(module: "CHiredis", pkgConfig: "hiredis", apt: "libhiredis-dev", trait: "Redis"),
]

/// A dependency that exists only while one of the traits is on.
func when(_ traits: String...) -> TargetDependencyCondition? { .when(traits: Set(traits)) }

func libraries(_ traits: String...) -> [Target.Dependency] { libraries(of: traits) }

func libraries(of traits: [String]) -> [Target.Dependency] {
    systemLibraries.filter { traits.contains($0.trait) }
        .map { .target(name: $0.module, condition: .when(traits: [$0.trait])) }
}

/// Instead of `+`: Swift 6.2 does not find the types of a manifest with so many of them.
func together(_ dependencies: [Target.Dependency]...) -> [Target.Dependency] { dependencies.flatMap { $0 } }

/// The modules between the values and the assembly, the lowest first; none needs codecs, a transport or a toolkit.
let modules: [Target.Dependency] = ["GannetCore", "GannetPlatform", "GannetCache", "GannetFetch", "GannetImages", "GannetViews"]

let shimTraits = [
    "JPEG", "PNG", "WebP", "AVIF", "HEIC", "JXL", "TIFF", "SVG", "Video", "JP2", "RAW", "Lottie", "ColorManagement",
]
let shimTraitsWithGTK = shimTraits + ["GTK"]

let package = Package(
    name: "Gannet",
    products: [
        .library(name: "Gannet", targets: ["Gannet"]),
        .library(name: "GannetCore", targets: ["GannetCore"]),
        .library(name: "GannetPlatform", targets: ["GannetPlatform"]),
        .library(name: "GannetCache", targets: ["GannetCache"]),
        .library(name: "GannetFetch", targets: ["GannetFetch"]),
        .library(name: "GannetImages", targets: ["GannetImages"]),
        .library(name: "GannetViews", targets: ["GannetViews"]),
        .library(name: "GannetCodecs", targets: ["GannetCodecs"]),
        .library(name: "GannetSandbox", targets: ["GannetSandbox"]),
        .library(name: "GannetHTTP", targets: ["GannetHTTP"]),
        .library(name: "GannetGTK", targets: ["GannetGTK"]),
        .library(name: "GannetLinks", targets: ["GannetLinks"]),
        .library(name: "GannetMetrics", targets: ["GannetMetrics"]),
        .library(name: "GannetSharedCaches", targets: ["GannetSharedCaches"]),
        .library(name: "GannetServer", targets: ["GannetServer"]),
        .library(name: "GannetTesting", targets: ["GannetTesting"]),
        .executable(name: "gannet", targets: ["gannet"]),
    ],
    traits: [
        .default(enabledTraits: [
            "JPEG", "PNG", "GIF", "WebP", "BMP", "ICO", "QOI", "PNM", "Radiance", "PFM", "ColorManagement", "HTTP",
        ]),
        .trait(name: "JPEG", description: "JPEG: own decoders for thumbnails and progressive files, libjpeg-turbo for all else"),
        .trait(name: "PNG", description: "PNG and APNG: own coder in Swift and C, on libdeflate"),
        .trait(name: "GIF", description: "GIF: own coder in Swift and C"),
        .trait(name: "WebP", description: "WebP, still and animated, through libwebp"),
        .trait(name: "AVIF", description: "AVIF and AVIF sequences through libavif"),
        .trait(name: "HEIC", description: "HEIC and HEIF through libheif"),
        .trait(name: "JXL", description: "JPEG XL through libjxl"),
        .trait(name: "TIFF", description: "TIFF through libtiff"),
        .trait(name: "SVG", description: "SVG through librsvg, in a process of its own"),
        .trait(name: "Video", description: "Single images of video files through FFmpeg's libraries"),
        .trait(name: "JP2", description: "JPEG 2000 through OpenJPEG, in the sandbox alone"),
        .trait(name: "RAW", description: "Raw files of cameras through LibRaw, in the sandbox alone"),
        .trait(name: "Lottie", description: "Lottie animations through rlottie, in the sandbox alone"),
        .trait(name: "PDF", description: "Pages of PDF through poppler's programs, found at run time, in the sandbox alone"),
        .trait(name: "BMP", description: "BMP, in Swift"),
        .trait(name: "ICO", description: "ICO and CUR, in Swift"),
        .trait(name: "QOI", description: "QOI, in Swift"),
        .trait(name: "PNM", description: "PBM, PGM, PPM and PAM, in Swift"),
        .trait(name: "Radiance", description: "Radiance RGBE and XYZE, in Swift"),
        .trait(name: "PFM", description: "PFM, floating-point light, in Swift"),
        .trait(name: "ColorManagement", description: "ICC profiles to sRGB through Little CMS"),
        .trait(name: "HTTP", description: "Loading over HTTP through libcurl, packed bodies through zlib"),
        .trait(name: "Links", description: "Images of web pages, found with libxml2"),
        .trait(name: "CommandLine", description: "The gannet command"),
        .trait(name: "Redis", description: "A cache in Redis or Valkey through hiredis"),
        .trait(name: "Server", description: "The thumbnail service, for gannet serve", enabledTraits: ["HTTP", "Redis"]),
        .trait(name: "Metrics", description: "Observers for swift-log, swift-metrics and swift-distributed-tracing"),
        .trait(name: "GTK", description: "Widgets for GTK 4"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-service-context", from: "1.5.1"),
    ],
    targets: [
        // C: hot loops with run-time dispatch; shims for libraries that jump or hide behind macros.
        .target(name: "CGannetKernels"),
        .target(
            name: "CGannetShims",
            dependencies: together(["CGannetKernels"], libraries(of: shimTraitsWithGTK)),
            cSettings: shimTraitsWithGTK.map { .define("WITH_\($0.uppercased())", .when(traits: [$0])) },
            // Beside those that pkg-config names.
            linkerSettings: ["avcodec", "avutil", "swscale"].map { .linkedLibrary($0, .when(traits: ["Video"])) } + [
                .linkedLibrary("raw_r", .when(traits: ["RAW"]))
            ]),

        .target(name: "GannetCore", dependencies: ["CGannetKernels"], swiftSettings: settings),
        .target(name: "GannetKernels", dependencies: ["GannetCore", "CGannetKernels"], swiftSettings: settings),
        .target(name: "GannetPlatform", dependencies: ["GannetCore", "CGannetKernels"], swiftSettings: settings),
        .target(name: "GannetCache", dependencies: ["GannetCore", "GannetPlatform"], swiftSettings: settings),
        .target(
            name: "GannetFetch",
            // zlib: bodies with a Content-Encoding.
            dependencies: ["GannetCore", "GannetPlatform", .target(name: "CZlib", condition: when("HTTP"))],
            swiftSettings: settings),
        .target(
            name: "GannetImages", dependencies: ["GannetCore", "GannetPlatform", "GannetKernels", "GannetFetch"],
            swiftSettings: settings),
        .target(
            name: "GannetViews", dependencies: ["GannetCore", "GannetPlatform", "GannetKernels", "GannetImages"],
            swiftSettings: settings),
        .target(
            name: "GannetCodecs",
            dependencies: together(["GannetCore", "GannetPlatform", "GannetKernels", "CGannetShims"], libraries(of: shimTraits)),
            swiftSettings: settings),
        // Processes that decode and can do nothing else.
        .target(name: "CGannetSandbox"),
        .target(
            name: "GannetSandbox",
            dependencies: [
                "GannetCore", "GannetPlatform", "GannetImages", "GannetCodecs", "CGannetSandbox",
            ],
            swiftSettings: settings),
        // Calls of libcurl that Swift cannot make.
        .target(
            name: "CGannetCURL",
            dependencies: [.target(name: "CCurl", condition: when("HTTP"))],
            cSettings: [.define("WITH_HTTP", .when(traits: ["HTTP"]))]),
        .target(
            name: "GannetHTTP",
            dependencies: [
                "GannetCore",
                .target(name: "CGannetCURL", condition: when("HTTP")),
                .target(name: "CCurl", condition: when("HTTP")),
            ], swiftSettings: settings),
        // The image of a web page; libxml2 reads the page.
        .target(
            name: "GannetLinks", dependencies: together(["GannetCore", "GannetFetch"], libraries("Links")),
            swiftSettings: settings),
        .target(
            name: "GannetTesting", dependencies: modules,
            swiftSettings: settings),
        .target(
            name: "Gannet",
            dependencies: together(modules, ["GannetCodecs", "GannetHTTP", "GannetKernels", "GannetSandbox"]),
            swiftSettings: settings),
        // Shared by the command and its lab.
        .target(
            name: "GannetSupport",
            dependencies: together(modules, ["GannetCodecs"], libraries("CommandLine")),
            swiftSettings: settings),
        // Caches that several machines share. S3 needs nothing but a transport.
        .target(
            name: "GannetSharedCaches",
            dependencies: together(
                ["GannetCore", "GannetPlatform", "GannetCache", "GannetFetch"], libraries("Redis")),
            swiftSettings: settings),
        // Images of other servers, made smaller: for the command, and for servers that mount it.
        .target(
            name: "GannetServer",
            dependencies: together(
                modules,
                [
                    "GannetSharedCaches", "GannetSupport", "GannetHTTP",
                    .target(name: "COpenSSL", condition: when("Server")),
                    .product(name: "NIOCore", package: "swift-nio", condition: when("Server")),
                    .product(name: "NIOPosix", package: "swift-nio", condition: when("Server")),
                    .product(name: "NIOHTTP1", package: "swift-nio", condition: when("Server")),
                    .product(name: "NIOTLS", package: "swift-nio", condition: when("Server")),
                    .product(name: "NIOExtras", package: "swift-nio-extras", condition: when("Server")),
                    .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: when("Server")),
                    .product(name: "NIOHPACK", package: "swift-nio-http2", condition: when("Server")),
                    .product(name: "NIOSSL", package: "swift-nio-ssl", condition: when("Server")),
                    .product(name: "Tracing", package: "swift-distributed-tracing", condition: when("Server")),
                ]), swiftSettings: settings),
        .executableTarget(
            name: "gannet",
            dependencies: together(
                [
                    "Gannet", "GannetCore", "GannetPlatform", "GannetCache", "GannetFetch", "GannetImages", "GannetViews",
                    "GannetCodecs", "GannetSandbox",
                    "GannetHTTP", "GannetSharedCaches", "GannetSupport", "GannetServer",
                    // The demo's server.
                    "GannetTesting",
                    .target(name: "GannetGTK", condition: when("GTK")),
                    .product(name: "ArgumentParser", package: "swift-argument-parser", condition: when("CommandLine")),
                    .product(name: "NIOCore", package: "swift-nio", condition: when("Server")),
                    .product(name: "NIOPosix", package: "swift-nio", condition: when("Server")),
                ], libraries("CommandLine", "Redis")),
            path: "Sources/GannetCommand",
            swiftSettings: settings),
        // For tests and scripts; no product, and never installed.
        .executableTarget(
            name: "gannet-lab",
            dependencies: together(
                [
                    "GannetHTTP", "GannetSandbox", "GannetTesting", "GannetSupport",
                    .target(name: "Gannet", condition: when("HTTP")),
                    .target(name: "GannetGTK", condition: when("GTK")),
                    .target(name: "GannetServer", condition: when("Server")),
                    .product(name: "ArgumentParser", package: "swift-argument-parser", condition: when("CommandLine")),
                ], modules),
            path: "Sources/GannetLab",
            swiftSettings: settings),

        .target(
            name: "GannetGTK",
            dependencies: together(
                ["Gannet", "GannetCore", "GannetImages", "GannetViews", "GannetCodecs", "CGannetShims"], libraries("GTK")),
            swiftSettings: settings),

        .testTarget(
            name: "GannetCoreTests", dependencies: ["GannetCore", "GannetPlatform", "GannetTesting"], swiftSettings: settings),
        .testTarget(
            name: "GannetKernelsTests", dependencies: ["GannetCore", "GannetKernels", "GannetTesting", "CGannetKernels"],
            swiftSettings: settings),
        // What the tests of several modules share: fixtures over the fakes.
        .target(
            name: "GannetTestSupport",
            // zlib: compressed bodies; ffmpeg: videos.
            dependencies: together(
                modules, ["GannetTesting"], [.target(name: "CZlib", condition: when("HTTP"))], libraries("Video")),
            path: "Tests/GannetTestSupport",
            swiftSettings: settings),
        .testTarget(
            name: "GannetCacheTests",
            dependencies: ["GannetCore", "GannetPlatform", "GannetCache", "GannetTesting", "GannetTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "GannetFetchTests",
            dependencies: [
                "GannetCore", "GannetPlatform", "GannetCache", "GannetFetch", "GannetTesting", "GannetTestSupport",
            ], swiftSettings: settings),
        .testTarget(
            name: "GannetImagesTests",
            dependencies: [
                "GannetCore", "GannetPlatform", "GannetKernels", "GannetCache", "GannetFetch", "GannetImages", "GannetTesting",
                "GannetTestSupport",
            ], swiftSettings: settings),
        .testTarget(
            name: "GannetViewsTests", dependencies: together(modules, ["GannetKernels", "GannetTesting", "GannetTestSupport"]),
            swiftSettings: settings),
        .testTarget(
            name: "GannetTestingTests", dependencies: together(modules, ["GannetTesting", "GannetTestSupport"]),
            swiftSettings: settings),
        .testTarget(
            name: "GannetCodecsTests",
            dependencies: together(
                modules, ["GannetKernels", "GannetCodecs", "GannetTesting", "GannetTestSupport", "CGannetShims"],
                // Their encoders write what ours does not, and other programs do.
                libraries("AVIF", "HEIC", "JXL", "Video", "JP2")),
            swiftSettings: settings),
        // What a broken or hostile decoder does.
        .target(name: "CSandboxFaults", path: "Tests/CSandboxFaults"),
        .testTarget(
            name: "GannetSandboxTests",
            dependencies: [
                "GannetCore", "GannetPlatform", "GannetKernels", "GannetImages", "GannetSandbox", "GannetCodecs",
                "GannetTesting", "GannetTestSupport", "CGannetSandbox", "CSandboxFaults",
            ], swiftSettings: settings),
        // Names that no name server knows.
        .target(name: "CTestNames", path: "Tests/CTestNames"),
        .testTarget(
            name: "GannetHTTPTests",
            dependencies: [
                "GannetCore", "GannetCache", "GannetFetch", "GannetImages", "GannetHTTP", "GannetTesting",
                "GannetTestSupport", "CTestNames",
                .product(name: "NIOCore", package: "swift-nio", condition: when("Server")),
                .product(name: "NIOPosix", package: "swift-nio", condition: when("Server")),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: when("Server")),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: when("Server")),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: when("Server")),
            ], swiftSettings: settings),
        .testTarget(
            name: "GannetGTKTests",
            dependencies: together(
                ["Gannet", "GannetCodecs", "GannetGTK", "GannetTesting", "GannetTestSupport", "CGannetShims"], modules,
                libraries("GTK")),
            swiftSettings: settings),
        // Runs of the built command, and servers that it loads from.
        .target(
            name: "GannetCommandTestSupport",
            dependencies: ["Gannet", "GannetCodecs", "GannetCore", "GannetPlatform", "GannetSupport", "GannetTesting"],
            path: "Tests/GannetCommandTestSupport",
            swiftSettings: settings),
        .testTarget(
            name: "GannetCommandTests",
            dependencies: [
                "gannet", "gannet-lab", "GannetSupport", "GannetServer", "Gannet", "GannetCore", "GannetPlatform", "GannetCache",
                "GannetCodecs", "GannetHTTP", "GannetFetch", "GannetImages", "GannetTesting", "GannetCommandTestSupport",
                .target(name: "GannetGTK", condition: when("GTK")),
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: when("CommandLine")),
            ], swiftSettings: settings),
        .testTarget(
            name: "GannetServerTests",
            dependencies: [
                // The command assembles the service.
                "gannet", "GannetServer", "GannetSharedCaches", "GannetSupport", "Gannet", "GannetCore", "GannetPlatform",
                "GannetCache", "GannetFetch", "GannetImages", "GannetCodecs", "GannetHTTP", "GannetTesting",
                "GannetCommandTestSupport", "GannetTestSupport",
                .product(name: "NIOCore", package: "swift-nio", condition: when("Server")),
                .product(name: "NIOPosix", package: "swift-nio", condition: when("Server")),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: when("Server")),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: when("Server")),
                .product(name: "NIOHPACK", package: "swift-nio-http2", condition: when("Server")),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: when("Server")),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: when("Server")),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: when("Server")),
            ], swiftSettings: settings),
        .target(
            name: "GannetMetrics",
            dependencies: [
                "GannetCore", "GannetPlatform",
                .product(name: "Logging", package: "swift-log", condition: when("Metrics")),
                .product(name: "Metrics", package: "swift-metrics", condition: when("Metrics")),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: when("Metrics")),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: when("Metrics")),
                .product(name: "ServiceContextModule", package: "swift-service-context", condition: when("Metrics")),
            ], swiftSettings: settings),
        .testTarget(
            name: "GannetMetricsTests",
            dependencies: [
                "GannetCore", "GannetCache", "GannetFetch", "GannetImages", "GannetMetrics", "GannetTesting",
                .product(name: "Logging", package: "swift-log", condition: when("Metrics")),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: when("Metrics")),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: when("Metrics")),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: when("Metrics")),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: when("Metrics")),
            ], swiftSettings: settings),
        .testTarget(
            name: "GannetLinksTests",
            dependencies: together(modules, ["GannetLinks", "GannetTesting", "GannetTestSupport"]), swiftSettings: settings),
        .testTarget(
            name: "GannetSharedCachesTests",
            dependencies: together(modules, ["GannetSharedCaches", "GannetTesting"]),
            swiftSettings: settings),
        .testTarget(
            name: "GannetTests",
            dependencies: together(
                modules,
                [
                    "Gannet", "GannetCodecs", "GannetHTTP", "GannetKernels", "GannetSharedCaches", "GannetTestSupport",
                    "GannetTesting",
                ]),
            swiftSettings: settings),
    ]
)

package.targets += systemLibraries.map {
    .systemLibrary(
        name: $0.module, path: "Sources/System/\($0.module)", pkgConfig: $0.asksPkgConfig ? $0.pkgConfig : nil,
        providers: [.apt([$0.apt])])
}

// Where compiling is slow, as on an emulated processor: `GANNET_TEST_TARGETS="GannetCoreTests GannetKernelsTests"` builds no other tests.
if let wanted = Context.environment["GANNET_TEST_TARGETS"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}
