// The whole way: pictures over HTTP on loopback to thumbnails of 256 pixels, with memory and disk cache. Benchmarks/peers/pipeline.py
// makes the pictures, serves them, and runs this program and its peers.
#if HTTP
    import BenchmarkSupport
    import Gannet
    import GannetCodecs
    import GannetCore
    import GannetImages

    let arguments = CommandLine.arguments
    func usage() -> Never {
        print(
            """
            usage: PipelineBenchmark load CASE BASE COUNT DISTINCT AT-ONCE CACHE   (CASE: cold, disk, memory)
                   PipelineBenchmark decode FOLDER COUNT
                   PipelineBenchmark gallery BASE DISTINCT REQUESTS CACHE
                   PipelineBenchmark animation FILE SECONDS
            """)
        fatalError("see above")
    }
    guard arguments.count > 3 else { usage() }
    switch arguments[1] {
    case "load" where arguments.count == 8:
        try await LoadRun(
            stage: arguments[2], base: arguments[3], count: Int(arguments[4])!, distinct: Int(arguments[5])!,
            atOnce: Int(arguments[6])!, cache: arguments[7]
        ).run()
    case "decode": try await decodeAlone(folder: arguments[2], count: Int(arguments[3])!)
    case "gallery" where arguments.count == 6:
        try await scrollGallery(
            base: arguments[2], distinct: Int(arguments[3])!, requests: Int(arguments[4])!, cache: arguments[5])
    case "animation": try await playAnimation(path: arguments[2], seconds: Double(arguments[3])!)
    default: usage()
    }
#else
    print("PipelineBenchmark needs the trait HTTP.")
#endif
