import GannetCodecs
import GannetCore
import GannetImages
import GannetSandbox
import GannetTesting
import Testing

/// A worker decodes a region as this process does, and knows as well as it whether only the region is needed.
@Suite struct SandboxRegionTests {
    private static func decoding(isSandboxed: Bool) -> ImageDecoding {
        var environment = DecodeEnvironment(colorManager: BuiltInCoders.colorManager)
        if isSandboxed { environment.places = DecodePlaces(sandbox: SandboxPool.shared, isolation: .sandboxed) }
        return ImageDecoding(coders: CodersManager(BuiltInCoders.all), environment: environment)
    }

    @Test func sameAsHere() throws {
        let image = TestImages.still(try TestImages.discs(width: 211, height: 143))
        var count = 0
        for coder in BuiltInCoders.all {
            for format in coder.formats {
                guard let encoder = try coder.makeEncoder(for: format, options: EncodeOptions(effort: 1)) else { continue }
                let file = ByteRope(try encoder.encode(image))
                var options = ResolvedDecodeOptions()
                options.region = PixelRect(x: 50, y: 31, width: 100, height: 90)
                for target in [DecodeTarget.original, .size(.fit(30, 30))] {
                    options.target = target
                    let here = try Self.decoding(isSandboxed: false).open(file, options)
                    let there = try Self.decoding(isSandboxed: true).open(file, options)
                    #expect(here.neededBytes == there.neededBytes, "\(format)")
                    let (own, wanted) = (try there.decode(), try here.decode())
                    #expect(own.bitmap.packedBytes() == wanted.bitmap.packedBytes(), "\(format)")
                }
                options.region = PixelRect(x: 211, y: 0, width: 1, height: 1)
                let error = #expect(throws: ImageError.self) {
                    _ = try Self.decoding(isSandboxed: true).decode(file, options: options)
                }
                #expect(error?.code == .misuse)
                count += 1
            }
        }
        #expect(count > 0)
    }
}
