import CSandboxFaults
import GannetCodecs
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetSandbox
import GannetTesting
import Testing

@Suite struct ManagerTests {
    private static let address = "https://example.org/image"
    private static let request = ImageRequest(source: ImageSource(address))

    private static func loader(_ file: ByteRope) -> FakeImageLoader {
        let loader = FakeImageLoader()
        loader.answer(address, with: .bytes(file.contiguous()))
        return loader
    }

    private static func manager(
        _ loader: FakeImageLoader, _ isolation: DecodeIsolation, retries: Bool = false, observer: RecordingObserver? = nil
    ) -> ImageManager {
        var configuration = ManagerConfiguration(
            memoryCache: nil, diskCache: nil, loaders: LoadersManager([loader]),
            coders: CodersManager(BuiltInCoders.all + [FaultCoder(), UnloadableCoder()]), colorManager: BuiltInCoders.colorManager
        )
        configuration.useSandbox(isolation)
        if retries { configuration.retry = NetworkRetryStrategy() }
        configuration.observers = observer.map { [$0] } ?? []
        return ImageManager(configuration: configuration)
    }

    /// Cannot be made in a worker.
    private struct UnloadableCoder: ImageCoder {
        private let base = FaultCoder()
        var identifier: String { "unloadable" }
        var formats: [ImageFormat] { [ImageFormat(identifier: "unloadable", mimeTypes: [], fileExtensions: [])] }
        func recognizes(_ head: Span<UInt8>) -> Recognition { .no }
        func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder { try base.makeDecoder(for: format, options: options, environment: environment) }
        func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
    }

    @Test("A crash is not tried again, and the source is remembered as failed")
    func crashIsRemembered() async {
        let loader = Self.loader(FaultCoder.file(.commit, UInt8(FAULT_ABORT.rawValue)))
        let manager = Self.manager(loader, .automatic, retries: true)
        let first = await #expect(throws: ImageError.self) { try await manager.image(for: Self.request) }
        #expect(first?.code == .decoderCrashed)
        #expect(first?.source == Self.address)
        #expect(loader.loadCount == 1)
        let second = await #expect(throws: ImageError.self) { try await manager.image(for: Self.request) }
        #expect(second?.code == .blocked)
        #expect(loader.loadCount == 1)
    }

    @Test("A coder that cannot be made in a worker: automatic decodes here, sandboxed says what to do")
    func unloadable() async throws {
        let loader = Self.loader(FaultCoder.file(.draw, 9))
        var request = Self.request
        request.decode.coder = UnloadableCoder()
        #expect(try await Self.manager(loader, .automatic).image(for: request).bitmap.row(0)[0] == 9)
        let error = await #expect(throws: ImageError.self) { try await Self.manager(loader, .sandboxed).image(for: request) }
        #expect(error?.code == .misuse)
        #expect(error?.message.contains("WorkerLoadable") == true)
    }

    @Test("One request may be decoded elsewhere than the others")
    func requestDecides() async throws {
        // In the worker a file can be tried to be opened, and the error number is the picture.
        let loader = Self.loader(FaultCoder.file(.attempt, UInt8(TRY_READ_PROC.rawValue)))
        let manager = Self.manager(loader, .inProcess)
        #expect(try await manager.image(for: Self.request).bitmap.row(0)[0] == 0)
        #expect(try await manager.image(for: Self.request.with(.isolation(.sandboxed))).bitmap.row(0)[0] != 0)
    }

    @Test("Cancelling ends a decode that never asks whether it should")
    func cancel() async throws {
        let observer = RecordingObserver()
        let loader = Self.loader(FaultCoder.file(.commit, UInt8(FAULT_ENDLESS_LOOP.rawValue)))
        let manager = Self.manager(loader, .automatic, observer: observer)
        let task = Task { try await manager.image(for: Self.request) }
        await eventually { observer.started(.decode) == 1 }
        task.cancel()
        let error = await #expect(throws: ImageError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test("All frames of an animation, and its previews, come from workers as they come from here")
    func animation() async throws {
        #if GIF
            let bytes = try ImageEncoding(coders: CodersManager(BuiltInCoders.all))
                .encode(.animated(try TestImages.animation()), options: EncodeOptions(format: .gif)).bytes
            var frames: [[[UInt8]]] = []
            for isolation in [DecodeIsolation.inProcess, .sandboxed] {
                let image = try await Self.manager(Self.loader(bytes), isolation)
                    .image(for: Self.request)
                guard case .animated(let animation) = image.image else {
                    Issue.record("not an animation")
                    return
                }
                var all: [[UInt8]] = []
                for index in 0..<animation.frameCount { all.append(try animation.blockingFrame(at: index).packedBytes()) }
                frames.append(all)
            }
            #expect(frames[0].count > 1)
            #expect(frames[0] == frames[1])
        #endif
    }
}
