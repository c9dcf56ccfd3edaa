import GannetCore
import GannetPlatform
import GannetTesting
import Testing

@testable import GannetCodecs

/// `maximumDecodeTime` counts work of the processor; a session may live as long as its download, or its animation.
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

    @Test("A step ends by the processor time that it uses, and by the clock only if it uses none") func deadline() {
        let (clock, processor) = (ManualTimeSource(), ManualTimeSource())
        let deadline = DecodeDeadline(
            DecodeLimits(maximumDecodeTime: .seconds(2)), clock: clock, processor: ProcessorClock { processor.uptime }, threads: 2
        )
        func code() -> ImageError.Code? {
            do throws(ImageError) { try deadline.check() } catch { return error.code }
            return nil
        }
        // Others have the processor.
        clock.advance(by: .seconds(6))
        #expect(code() == nil)
        processor.advance(by: .seconds(2))
        #expect(code() == nil)
        processor.advance(by: .milliseconds(1))
        #expect(code() == .limitExceeded)
    }

    @Test("A step that waits for ever ends by the clock") func hanging() {
        let clock = ManualTimeSource()
        let deadline = DecodeDeadline(
            DecodeLimits(maximumDecodeTime: .seconds(2)), clock: clock, processor: ProcessorClock { .zero }, grace: .seconds(1))
        clock.advance(by: .seconds(9))
        #expect(throws: Never.self) { try deadline.check() }
        clock.advance(by: .milliseconds(1))
        #expect(throws: ImageError.self) { try deadline.check() }
    }

    @Test("Several threads use the limit up sooner than the clock says") func threads() {
        let (clock, processor) = (ManualTimeSource(), ManualTimeSource())
        let deadline = DecodeDeadline(
            DecodeLimits(maximumDecodeTime: .seconds(2)), clock: clock, processor: ProcessorClock { processor.uptime }, threads: 4
        )
        clock.advance(by: .seconds(1))
        processor.advance(by: .seconds(3))
        #expect(throws: ImageError.self) { try deadline.check() }
    }
}
