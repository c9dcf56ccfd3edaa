package import GannetCore
public import GannetPlatform
import Synchronization

/// Lets players of the same animation share its decoded frames, which live as long as a player uses them.
public final class FrameLibrary: Sendable {
    /// The default library; limited by ``FrameBudget/shared``.
    public static let shared = FrameLibrary()

    /// Limits the total bytes of this library's buffers; several libraries may share one.
    public let budget: FrameBudget
    private let executor: BlockingExecutor
    private let time: any TimeSource
    private let state = Mutex(State())

    private struct Key: Hashable {
        var image: ObjectIdentifier
        var transformer: String
    }

    private struct WeakBuffer { weak var buffer: FrameBuffer? }

    private struct State {
        var buffers: [Key: WeakBuffer] = [:]
        var nextClient: UInt64 = 0
    }

    /// Uses the shared budget and the decoding threads by default. `time` measures decode times.
    public init(
        budget: FrameBudget = .shared, executor: BlockingExecutor = .decoding, time: any TimeSource = SystemTimeSource()
    ) {
        self.budget = budget
        self.executor = executor
        self.time = time
    }

    /// The buffer of an animation. A transformer without an identifier gets a separate buffer.
    package func buffer(for image: AnimatedImage, transformer: (any ImageTransformer)? = nil) -> FrameBuffer {
        if let transformer, transformer.identifier == nil { return make(image, transformer) }
        let key = Key(image: ObjectIdentifier(image), transformer: transformer?.identifier ?? "")
        return state.withLock { state in
            // An address can be reused after its image is gone. A live buffer holds its image, so it is the right one.
            if let buffer = state.buffers[key]?.buffer { return buffer }
            state.buffers = state.buffers.filter { $0.value.buffer != nil }
            let buffer = make(image, transformer)
            state.buffers[key] = WeakBuffer(buffer: buffer)
            return buffer
        }
    }

    func newClient() -> FrameBuffer.Client {
        state.withLock { state in
            state.nextClient += 1
            return FrameBuffer.Client(number: state.nextClient)
        }
    }

    private func make(_ image: AnimatedImage, _ transformer: (any ImageTransformer)?) -> FrameBuffer {
        FrameBuffer(image: image, transformer: transformer, budget: budget, executor: executor, time: time)
    }
}
