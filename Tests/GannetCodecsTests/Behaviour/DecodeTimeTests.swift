import GannetCore
import GannetTesting
import Testing

@testable import GannetCodecs

/// `maximumDecodeTime` counts work; a session may live as long as its download, or its animation.
@Suite("Time that a decode may take") struct DecodeTimeTests {
    @Test("Time between the calls does not count", arguments: CoderBehaviourTests.written)
    func pauses(format: ImageFormat) throws {
        let picture = TestImages.still(try TestImages.noise(width: 96, height: 96))
        let file = try CoderBehaviourTests.encode(picture, EncodeOptions(format: format)).contiguous()
        let (coder, _) = try #require(AvailableCoders.recognizing(ByteRope(file)))
        let time = ManualTimeSource()
        let environment = DecodeEnvironment(limits: DecodeLimits(maximumDecodeTime: .seconds(1)))
        try DecodeWatch.$time.withValue(time) {
            let decoder = try coder.makeDecoder(for: format, options: ResolvedDecodeOptions(), environment: environment)
            for quarter in 1...4 {
                let bytes = Array(file.prefix(file.count * quarter / 4))
                _ = try decoder.read(from: ByteRope(bytes, isComplete: quarter == 4))
                time.advance(by: .seconds(2))
                if let layout = decoder.outputLayout {
                    var buffer = try PixelBuffer(layout)
                    _ = try decoder.decodePreview(into: &buffer)
                }
                time.advance(by: .seconds(2))
            }
            for _ in 0..<2 {
                var buffer = try PixelBuffer(try #require(decoder.outputLayout))
                try decoder.decodeFrame(at: 0, into: &buffer)
                time.advance(by: .seconds(2))
            }
        }
    }
}
