import GannetCodecs
import GannetCore
import GannetImages
import GannetSandbox
import GannetTesting
import Testing

/// Several sizes of one decode are what decodes of each size alone are, to the last bit.
@Suite struct SizesTests {
    private static let targets: [DecodeTarget] = {
        var square = TargetSize(.fill, width: 20, height: 20)
        square.focus = .attention
        return [
            .size(.fit(160, 160)), .size(.fit(48, 48)), .size(.fill(15, 30)), .size(.stretch(33, 7)), .original,
            .size(.fit(1000, 1000)), .size(square), .size(TargetSize(.fit, width: nil, height: 5)),
            // Fewer pixels than one above that is small each way.
            .size(.stretch(300, 2)),
        ]
    }()

    private static func decoding(isSandboxed: Bool) -> ImageDecoding {
        var environment = DecodeEnvironment(colorManager: BuiltInCoders.colorManager)
        if isSandboxed { environment.places = DecodePlaces(sandbox: SandboxPool.shared, isolation: .sandboxed) }
        return ImageDecoding(coders: CodersManager(BuiltInCoders.all), environment: environment)
    }

    /// The targets at which it differs; nil: it is decoded for each size alone.
    private static func differences(_ file: [UInt8], isSandboxed: Bool, _ options: ResolvedDecodeOptions) throws -> [Int]? {
        let decoding = decoding(isSandboxed: isSandboxed)
        guard
            let together = try decoding.decodeSizes(
                ByteRope(file), options, at: targets, priority: .normal)
        else { return nil }
        let here = Self.decoding(isSandboxed: false)
        return try targets.indices.filter { index in
            var own = options
            own.target = targets[index]
            let alone = try here.decode(ByteRope(file), options: own)
            return "\(together[index].metadata)" != "\(alone.metadata)" || together[index].bitmap.layout != alone.bitmap.layout
                || together[index].bitmap.packedBytes() != alone.bitmap.packedBytes()
        }
    }

    private static func written(_ image: Bitmap) throws -> [(name: String, bytes: [UInt8])] {
        var files: [(name: String, bytes: [UInt8])] = []
        for coder in BuiltInCoders.all where coder is any MultiSizeCoder {
            for format in coder.formats {
                for progressive in [false, true] {
                    let options = EncodeOptions(quality: 90, effort: 1, progressive: progressive)
                    guard let encoder = try coder.makeEncoder(for: format, options: options) else { continue }
                    files.append(("\(format) \(progressive)", try encoder.encode(TestImages.still(image))))
                }
            }
        }
        return files
    }

    @Test(arguments: [false, true]) func writtenFiles(isSandboxed: Bool) throws {
        let images = try [
            TestImages.gradient(width: 613, height: 427), TestImages.discs(width: 300, height: 410),
            TestImages.noise(width: 97, height: 61),
        ]
        for image in images {
            for file in try Self.written(image) {
                var options = ResolvedDecodeOptions()
                #expect(try Self.differences(file.bytes, isSandboxed: isSandboxed, options) == [], "\(file.name)")
                options.frames = .first
                options.keeps16Bit = true
                #expect(try Self.differences(file.bytes, isSandboxed: isSandboxed, options) == [], "\(file.name)")
                options.appliesOrientation = false
                options.alpha = .opaque
                #expect(try Self.differences(file.bytes, isSandboxed: isSandboxed, options) == [], "\(file.name)")
            }
        }
    }

    @Test func straightPixelsAreDecodedForEachSize() throws {
        var options = ResolvedDecodeOptions()
        options.alpha = .straight
        for file in try Self.written(TestImages.discs(width: 60, height: 40)) {
            #expect(try Self.differences(file.bytes, isSandboxed: false, options) == nil, "\(file.name)")
        }
    }

    @Test func noRoomForAllIsNoError() throws {
        for file in try Self.written(TestImages.gradient(width: 613, height: 427)) {
            var decoding = Self.decoding(isSandboxed: false)
            decoding.environment.budget = ResourceBudget(capacity: 4 << 20)
            let held = try decoding.environment.budget.reserve(4 << 20 - 4096)
            let images = try decoding.decodeSizes(
                ByteRope(file.bytes), ResolvedDecodeOptions(), at: Self.targets, priority: .normal)
            #expect(images == nil, "\(file.name)")
            withExtendedLifetime(held) {}
        }
    }

    @Test("Files by others", .enabled(if: Corpora.isAvailable, "GANNET_CORPORA is not set"))
    func foreign() throws {
        var count = 0
        let coders = CodersManager(BuiltInCoders.all.filter { $0 is any MultiSizeCoder })
        for row in Corpora.rows() {
            #if DEBUG
                let pixels = (row.width ?? 64) * (row.height ?? 64)
                guard pixels <= 20_000, row.file.utf8.reduce(0, { $0 &* 31 &+ Int($1) }) % 4 == 0 else { continue }
            #endif
            guard let bytes = Corpora.bytes(of: row.file), coders.format(of: ByteRope(bytes)) != nil,
                (try? Self.decoding(isSandboxed: false).decode(ByteRope(bytes))) != nil
            else { continue }
            guard let found = try? Self.differences(bytes, isSandboxed: false, ResolvedDecodeOptions()) else { continue }
            #expect(found == [], "\(row.file)")
            count += 1
        }
        print("\(count) files at \(Self.targets.count) sizes")
        #expect(count > 20)
    }
}
