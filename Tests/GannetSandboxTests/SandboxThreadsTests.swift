import GannetCodecs
import GannetCore
import GannetImages
import GannetSandbox
import GannetTesting
import Testing

/// The filter of a worker allows threads; the program decides whether there is room for what they keep.
@Suite struct SandboxThreadsTests {
    private static let coder = BuiltInCoders.all.first { $0.formats.contains(.jpeg) }

    /// The pixels, and the most bytes that were reserved at once.
    private func thumbnail(of file: ByteRope, threads: Int, room: Int) throws -> (pixels: [UInt8], peak: Int) {
        let budget = ResourceBudget(capacity: room)
        var environment = DecodeEnvironment(budget: budget, threads: threads)
        environment.places = DecodePlaces(sandbox: SandboxPool.shared, isolation: .sandboxed)
        var options = ResolvedDecodeOptions()
        options.target = .size(.fit(250, 250))
        let decoding = ImageDecoding(coders: CodersManager(BuiltInCoders.all), environment: environment)
        let image = try decoding.decode(file, options: options)
        #expect(budget.usedBytes == 0)
        return (image.bitmap.packedBytes(), budget.peakBytes)
    }

    @Test("A worker decodes a JPEG by several threads where there is room to spare", .enabled(if: coder != nil))
    func threads() throws {  // CD-31
        let options = EncodeOptions(quality: 85)
        let encoder = try #require(try Self.coder?.makeEncoder(for: .jpeg, options: options))
        let image = try TestImages.noise(width: 1043, height: 1029)
        let file = ByteRope(try encoder.encode(TestImages.still(image)))
        let alone = try thumbnail(of: file, threads: 1, room: 64 << 20)
        let several = try thumbnail(of: file, threads: 2, room: 64 << 20)
        #expect(several.peak > alone.peak)
        // What one thread needs is there, and no more.
        let narrow = try thumbnail(of: file, threads: 2, room: alone.peak)
        #expect(narrow.peak == alone.peak)
        #expect(several.pixels == alone.pixels && narrow.pixels == alone.pixels)
    }
}
