import Foundation
import Gannet
import GannetCore
import GannetImages
import GannetTesting
import Testing

/// Code on pages that does not compile any more is worse than none.
@Suite struct SnippetTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static var pages: [URL] {
        let articles = try? FileManager.default.contentsOfDirectory(
            at: root.appending(path: "Sources/Gannet/Gannet.docc"), includingPropertiesForKeys: nil)
        let documents = ["Caching", "Transformers", "Views", "DeclarativeViews", "adapters"].map { "Documentation/\($0).md" }
        return (["README.md"] + documents).map { root.appending(path: $0) } + (articles ?? []).filter { $0.pathExtension == "md" }
    }

    /// The code that the pages are compared with. It is compiled with these tests, or with the examples (`scripts/check-all.sh`).
    private static var sources: [URL] {
        let folders = [
            "Tests/GannetTests/Snippets", "Tests/GannetTests/Examples", "Examples/Sources/BatchJob",
            "Examples/Sources/UploadService", "Examples/ListWindow/Sources/ListWindow",
            "Adapters/GannetSwiftCrossUI/Sources/ImageList", "Adapters/GannetAdwaita/Sources/ImageList",
        ]
        let files = folders.flatMap { folder in
            (try? FileManager.default.contentsOfDirectory(
                at: root.appending(path: folder), includingPropertiesForKeys: nil)) ?? []
        }
        let views = ["ViewSnippets", "DeclarativeViewSnippets", "ComingFromViewSnippets"].map {
            root.appending(path: "Tests/GannetGTKTests/\($0).swift")
        }
        return (files + views).filter { $0.pathExtension == "swift" }
    }

    /// Without the comment at its end and without white space, which is the formatter's.
    private static func bare(_ line: String) -> String {
        let code = line.firstRange(of: " //").map { String(line[..<$0.lowerBound]) } ?? line
        return code.filter { !$0.isWhitespace }
    }

    /// Lines of the blocks marked as Swift, without white space in front and behind.
    private static func code(of page: URL) throws -> [String] {
        var lines: [String] = []
        var isCode = false
        for line in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n") {
            if line.hasPrefix("```") { isCode = line == "```swift" } else if isCode { lines.append(line) }
        }
        return lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix(".package") }
    }

    /// Every line of ``sources``, bare.
    private static func compiledLines() throws -> Set<String> {
        var compiled: Set<String> = []
        for file in sources {
            for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
                compiled.insert(bare(line))
            }
        }
        return compiled
    }

    @Test func everyLineOfThePagesIsCompiled() throws {
        let compiled = try Self.compiledLines()
        #expect(Self.pages.count > 10 && Self.sources.count > 10)
        for page in Self.pages {
            for line in try Self.code(of: page) {
                // `import` occurs once at the top; omissions are marked.
                let code = Self.bare(line)
                if line.hasPrefix("import ") || code.isEmpty || code == "…" || line.hasPrefix("//") { continue }
                #expect(compiled.contains(code), "\(page.lastPathComponent): \(line)")
            }
        }
    }

    /// Lines behind `// after` in the blocks of a page; those behind `// before` use the other library.
    private static func codeAfter(of page: URL) throws -> [String] {
        var lines: [String] = []
        var (isCode, isAfter) = (false, false)
        for line in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n") {
            if line.hasPrefix("```") { (isCode, isAfter) = (line == "```swift", false) }
            if line.hasPrefix("// before") || line.hasPrefix("// after") {
                isAfter = line.hasPrefix("// after") && isCode
            } else if isAfter {
                lines.append(line)
            }
        }
        return lines
    }

    /// Ours beside each call of the other library. The tables alone left out what newcomers tried first.
    @Test(arguments: [("sdwebimage", 16), ("kingfisher", 18), ("nuke", 13)])
    func whatComesAfterIsCompiled(peer: String, fewest: Int) throws {
        let compiled = try Self.compiledLines()
        let page = Self.root.appending(path: "Documentation/coming-from-\(peer).md")
        #expect(try String(contentsOf: page, encoding: .utf8).components(separatedBy: "// after").count > fewest)
        for line in try Self.codeAfter(of: page) {
            let code = Self.bare(line)
            if code.isEmpty || code == "…" { continue }
            #expect(compiled.contains(code), "\(peer): \(line)")
        }
    }

    /// The calls in the last column of the table of peers, which are ours.
    @Test func theCallsOfTheTableAreCompiled() throws {
        let compiled = try Self.compiledLines()
        let page = Self.root.appending(path: "Documentation/DeclarativeViews.md")
        let rows = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n## Where").last ?? ""
        var calls: [String] = []
        for row in rows.components(separatedBy: "\n").filter({ $0.hasPrefix("| ") }).dropFirst() {
            let cell = row.components(separatedBy: " | ").last ?? ""
            // Code stands at the odd places.
            calls += cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        }
        #expect(calls.count > 25)
        for call in calls { #expect(compiled.contains(Self.bare(call)), "\(call)") }
    }

    /// The calls of the adapters' columns, in their sample programs, which `scripts/adapters.sh` builds where it can.
    @Test func theCallsOfTheAdaptersStandInTheirSamples() throws {
        let compiled = try Self.compiledLines()
        let page = Self.root.appending(path: "Documentation/adapters.md")
        let rows = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n## Everyday calls").last ?? ""
        let table = rows.components(separatedBy: "\n## ").first ?? ""
        var calls: [String] = []
        for row in table.components(separatedBy: "\n").filter({ $0.hasPrefix("| ") }).dropFirst() {
            let cells = row.components(separatedBy: "|")
            for cell in [cells[3], cells[5]] {
                calls += cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            }
        }
        #expect(calls.count > 30)
        for call in calls { #expect(compiled.contains(Self.bare(call)), "\(call)") }
    }

    @Test func theFakesOfTheArticleWork() async throws {
        let picture = try await fakes()
        #expect(picture.size == PixelSize(width: 8, height: 4) && picture.origin == .network)
    }

    @Test func theCoderOfTheArticleKeepsEveryPromise() async throws {
        writingACoder()
        let decoding = ImageDecoding(coders: CodersManager([FlatCoder()]))
        let picture = try decoding.decode(ByteRope([70, 3, 2, 200, 100, 50]))
        #expect(picture.size == PixelSize(width: 3, height: 2))
    }

    /// The suite detects what it lists: this coder says that its images are opaque, and does not write their alpha.
    @Test func aCoderThatForgetsAlphaIsFoundOut() {
        struct Forgetful: ImageCoder {
            final class Decoder: ImageDecoder {
                let whole: FlatDecoder
                init(_ environment: DecodeEnvironment) { whole = FlatDecoder(environment) }
                var header: ImageHeader? { whole.header }
                var outputLayout: PixelLayout? { whole.outputLayout }
                func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus { try whole.read(from: bytes) }
                func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
                    try whole.decodeFrame(at: index, into: &buffer)
                    for y in 0..<buffer.size.height {
                        var row = buffer.mutableRow(y)
                        for x in row.indices where x % 4 == 3 { row[x] = 7 }
                    }
                }
            }
            var identifier: String { "forgetful" }
            var formats: [ImageFormat] { [FlatCoder.format] }
            func recognizes(_ head: Span<UInt8>) -> Recognition { FlatCoder().recognizes(head) }
            func makeDecoder(
                for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
            ) throws(ImageError) -> any ImageDecoder { Decoder(environment) }
            func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
        }
        let sample: [UInt8] = [70, 3, 2, 200, 100, 50]
        let check = CoderConformance(Forgetful(), format: FlatCoder.format, sample: sample, name: "flat")
        #expect(check.failures() == ["flat: frame 0 says it is opaque, and is not"])
    }

    @Test func theLoaderOfTheArticleLoads() async throws {
        let manager = ImageManager(
            configuration: ManagerConfiguration(
                memoryCache: nil, diskCache: nil, loaders: LoadersManager(), coders: CodersManager([FlatCoder()])))
        let picture = try await writingALoader(manager, logo: [70, 5, 4, 1, 2, 3])
        #expect(picture.size == PixelSize(width: 5, height: 4) && picture.origin == .data)
        let error = await #expect(throws: ImageError.self) { try await manager.image(for: "bundle:///other.png") }
        #expect(error?.code == .notFound)
    }

    /// However many levels, and however clear: no colour above its alpha.
    @Test(arguments: [0, 1, 2, 4, 20, 256, 300]) func theTransformerOfTheArticleKeepsItsPromise(levels: Int) throws {
        var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 256, 3), alpha: .premultiplied))
        for (y, alpha) in [255, 130, 0].enumerated() {
            var row = buffer.mutableRow(y)
            for x in row.indices { row[x] = UInt8(x % 4 == 3 ? alpha : min(x / 4, alpha)) }
        }
        let bitmap = buffer.freeze()
        let context = TransformContext(metadata: ImageMetadata(format: .png, originalSize: bitmap.size))
        let result = try Posterize(levels: levels).transform(bitmap, context: context)
        for y in 0..<3 {
            let row = result.row(y)
            var isWithin = true
            for x in row.indices where row[x] > row[x | 3] { isWithin = false }
            #expect(isWithin)
        }
    }

    @Test func theCacheOfTheArticleStoresNothing() async throws {
        let (inner, key) = (InMemoryImageCache(), CacheKey("a"))
        let entry = CacheEntry(bytes: ByteRope([1]), metadata: CacheEntryMetadata(storedAt: Timestamp(milliseconds: 0)))
        try await inner.store(entry, for: key)
        let cache = ReadOnlyCache(inner: inner)
        try await cache.store(entry, for: CacheKey("b"))
        try await cache.removeAll()
        #expect(await cache.contains(key))
        #expect(await !cache.contains(CacheKey("b")))
        #expect(writingATransformer().transform.transformers?.count == 1)
    }
}
