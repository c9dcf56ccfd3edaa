import GannetCodecs
import GannetCore
import GannetImages
import GannetSandbox
import GannetTesting
import Glibc
import Testing

/// What came of a decode, to compare.
private enum Outcome: Equatable, CustomStringConvertible {
    case pixels(layouts: [PixelLayout], bytes: [[UInt8]], isPartial: Bool)
    case error(String)

    init(_ body: () throws(ImageError) -> DecodedImage) {
        do throws(ImageError) {
            let image = try body()
            var bitmaps = [image.bitmap]
            if case .animated(let animation) = image {
                for index in 1..<min(3, animation.frameCount) { bitmaps.append(try animation.blockingFrame(at: index)) }
            }
            self = .pixels(
                layouts: bitmaps.map(\.layout), bytes: bitmaps.map { $0.packedBytes() }, isPartial: image.metadata.isPartial)
        } catch { self = .error(error.code.name) }
    }

    var description: String {
        switch self {
        case .pixels(let layouts, _, _): "\(layouts.map(\.size))"
        case .error(let name): name
        }
    }
}

@Suite struct SamePixelsTests {
    private static func decoding(_ places: DecodePlaces) -> ImageDecoding {
        var environment = DecodeEnvironment(colorManager: BuiltInCoders.colorManager)
        environment.places = places
        return ImageDecoding(coders: CodersManager(BuiltInCoders.all), environment: environment)
    }

    /// Which files differ, with both outcomes.
    static func differences(_ files: [(name: String, bytes: [UInt8])]) -> [String] {
        let here = decoding(DecodePlaces())
        let there = decoding(DecodePlaces(sandbox: SandboxPool.shared, isolation: .sandboxed))
        var options = ResolvedDecodeOptions()
        var thumbnail = options
        thumbnail.target = .size(.fit(48, 48))
        options.frames = .all
        var found: [String] = []
        for file in files {
            for (what, options) in [("whole", options), ("thumbnail", thumbnail)] {
                let rope = ByteRope(file.bytes)
                let (one, other) = (
                    Outcome { () throws(ImageError) in try here.decode(rope, options: options) },
                    Outcome { () throws(ImageError) in try there.decode(rope, options: options) }
                )
                if one != other { found.append("\(file.name), \(what): \(one), sandboxed \(other)") }
            }
        }
        return found
    }

    @Test("Files of every format that is written here")
    func written() throws {
        let files = try SampleFiles.written()
        #expect(files.count > 2)
        #expect(Self.differences(files) == [])
    }

    /// libde265 does not write what is missing in a picture, and says nothing of it.
    @Test("A damaged HEIC shows nothing of what was decoded before it in its worker")
    func damaged() throws {
        guard let coder = BuiltInCoders.coder(for: .heic),
            let encoder = try coder.makeEncoder(for: .heic, options: EncodeOptions(quality: 90))
        else { return }
        var file = try encoder.encode(TestImages.still(try TestImages.noise(width: 160, height: 160)))
        let data = try #require(file.indices.first { file[$0...].starts(with: "mdat".utf8) })
        for index in (data + (file.count - data) / 3)..<file.count { file[index] = 0 }
        let others = try [TestImages.gradient(width: 160, height: 160), TestImages.discs(width: 160, height: 160)]
        let outcomes = try others.map { other in
            var decoding = ImageDecoding.sandboxed(by: SandboxPool(kept: 1), [coder])
            decoding.environment.places.origin = ImageOrigin(of: ImageSource("https://a.example/"))
            _ = try decoding.decode(ByteRope(try encoder.encode(TestImages.still(other))))
            return Outcome { () throws(ImageError) in try decoding.decode(ByteRope(file)) }
        }
        #expect(outcomes[0] == outcomes[1])
    }

    @Test("Files by others", .enabled(if: Corpora.isAvailable, "GANNET_CORPORA is not set"))
    func foreign() {
        var files: [(name: String, bytes: [UInt8])] = []
        for row in Corpora.rows() {
            #if DEBUG
                let pixels = (row.width ?? 64) * (row.height ?? 64)
                guard pixels <= 10_000, row.file.utf8.reduce(0, { $0 &* 31 &+ Int($1) }) % 5 == 0 else { continue }
            #endif
            if let bytes = Corpora.bytes(of: row.file) { files.append((row.file, bytes)) }
        }
        // What libde265 does not write of a damaged picture is, in the process, whatever was in its memory.
        let found = Self.differences(files).filter { !$0.hasPrefix("malformed/heic/") }
        #expect(found == [])
        print("\(files.count) files in both processes")
    }
}
