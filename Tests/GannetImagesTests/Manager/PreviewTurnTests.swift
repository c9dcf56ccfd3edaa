import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetImages

/// Previews take a slot of the decode gate only if no other work wants it: the image itself must not wait for them. // MG-16
@Suite struct PreviewTurnTests {
    /// Files of the fake format with something behind their line: with that line there is a preview.
    private final class LineCoder: ImageCoder {
        let base = FakeImageCoder()
        let decoded = Mutex<[UInt8]>([])
        let previews = Atomic(0)
        var identifier: String { "line" }
        var formats: [ImageFormat] { base.formats }
        func recognizes(_ head: Span<UInt8>) -> Recognition { base.recognizes(head) }
        func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
        func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            LineDecoder(self, try base.makeDecoder(for: format, options: options, environment: environment))
        }
    }

    private final class LineDecoder: ImageDecoder {
        let coder: LineCoder
        let base: any ImageDecoder

        init(_ coder: LineCoder, _ base: any ImageDecoder) { (self.coder, self.base) = (coder, base) }

        var header: ImageHeader? { base.header }
        var outputLayout: PixelLayout? { base.outputLayout }
        func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus {
            let line = bytes.contiguous().prefix { $0 != 10 }
            _ = try base.read(from: ByteRope(Array(line) + [10]))
            return bytes.isComplete ? .finished : .needsMoreData
        }
        func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            try base.decodeFrame(at: index, into: &buffer)
            let red = buffer.mutableRow(0)[0]
            coder.decoded.withLock { $0.append(red) }
        }
        func decodePreview(into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            coder.previews.add(1, ordering: .sequentiallyConsistent)
            try base.decodeFrame(at: 0, into: &buffer)
            return true
        }
    }

    // NK-07
    @Test func `A load whose last byte has come stands in the line before those who come later`() async throws {
        let coder = LineCoder()
        let fixture = ManagerFixture {
            $0.coders = CodersManager([coder])
            $0.concurrentDecodes = 1
        }
        let (manager, gate) = (fixture.manager, fixture.loader.gate)
        func task(_ red: UInt8) -> ImageTask {
            let url = "https://example.org/\(red).fake"
            let bytes = FakeImageCoder.bytes(width: 8, height: 4, red: red)
            fixture.loader.answer(url, with: .pieces([bytes, [0, 0]]))
            var request = ImageRequest(ImageSource(url))
            request.decode.previews = PreviewPolicy(isEnabled: true, minimumInterval: .zero)
            request.transform.transformers = [AddTransformer(amount: 1)]
            return manager.task(for: request)
        }
        let hold = AsyncGate()
        let holder = Task { try? await manager.decodeGate.withSlot(priority: .normal) { await hold.wait() } }
        #expect(await eventually { manager.decodeGate.runningCount == 1 })
        gate.close()
        let first = task(10)
        await gate.waitForArrivals(1)
        gate.pass()
        for await event in first.events { if case .progress(let step) = event, step.received > 0 { break } }
        #expect(manager.decodeGate.waitingCount == 0, "nothing waits for a preview")
        gate.open()
        #expect(await eventually { manager.decodeGate.waitingCount == 1 })
        let second = task(20)
        #expect(await eventually { manager.decodeGate.waitingCount == 2 })
        hold.open()
        #expect(red(try await first.value) == 11)
        #expect(red(try await second.value) == 21)
        _ = await holder.value
        #expect(coder.decoded.withLock { $0 } == [10, 20])
        #expect(coder.previews.load(ordering: .sequentiallyConsistent) == 0)

        // With a free slot there is one, through the transformers.
        gate.close()
        let third = task(30)
        await gate.waitForArrivals(5)
        gate.pass()
        var preview: UInt8?
        for await event in third.events {
            if case .preview(let image) = event {
                preview = image.bitmap.row(0)[0]
                gate.open()
            }
        }
        #expect(preview == 31)
        #expect(red(try await third.value) == 31)
    }
}
