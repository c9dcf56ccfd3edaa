import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@testable import GannetImages

/// Previews keep a canvas for as long as the bytes take; decodes that need its room must not wait for that. // U-02
@Suite(.timeLimit(.minutes(10))) struct PreviewBudgetTests {
    /// Its decoder reserves 300 bytes as soon as it has the header, and keeps them as long as it lives.
    private struct KeepingCoder: ImageCoder {
        let base = FakeImageCoder()
        var identifier: String { "keeping" }
        var formats: [ImageFormat] { base.formats }
        func recognizes(_ head: Span<UInt8>) -> Recognition { base.recognizes(head) }
        func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
        func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            KeepingDecoder(try base.makeDecoder(for: format, options: options, environment: environment), environment.budget)
        }
    }

    private final class KeepingDecoder: ImageDecoder {
        let base: any ImageDecoder
        let budget: ResourceBudget
        var reservation: ResourceBudget.Reservation?

        init(_ base: any ImageDecoder, _ budget: ResourceBudget) { (self.base, self.budget) = (base, budget) }

        var header: ImageHeader? { base.header }
        var outputLayout: PixelLayout? { base.outputLayout }
        func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus {
            if reservation == nil { reservation = try budget.reserve(300) }
            return try base.read(from: bytes)
        }
        func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            try base.decodeFrame(at: index, into: &buffer)
        }
        func decodePreview(into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            try base.decodeFrame(at: 0, into: &buffer)
            return true
        }
    }

    @Test func `A download whose previews hold room gives way to decodes that wait for it, and begins anew`() async throws {
        let budget = ResourceBudget(capacity: 1000)
        let decoding = ImageDecoding(
            coders: CodersManager([KeepingCoder()]), environment: DecodeEnvironment(budget: budget))
        var session: PreviewSession? = PreviewSession(decoding: decoding, options: ResolvedDecodeOptions())
        let bytes = ByteRope(FakeImageCoder.bytes(width: 10, height: 10, red: 5))
        #expect(session?.preview(from: bytes)?.metadata.isArriving == true)
        #expect(budget.usedBytes == 300, "kept for the next preview")

        var large: ResourceBudget.Reservation? = try await budget.reserveWhenFree(900)
        #expect(large != nil && budget.usedBytes == 900)
        let waiting = Task { try await budget.reserveWhenFree(800).bytes }
        #expect(await eventually { budget.waitingCount != 0 })
        #expect(session?.preview(from: bytes) == nil, "somebody still waits")
        large = nil
        #expect(try await waiting.value == 800)

        #expect(session?.preview(from: bytes) != nil)
        #expect(budget.usedBytes == 300)
        session = nil
        #expect(budget.usedBytes == 0)
    }
}
