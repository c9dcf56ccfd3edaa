public import GannetCore
import Synchronization

/// Hands players of the same animation the same ``FrameBuffer``. Buffers live as long as a player uses them.
public final class FrameLibrary: Sendable {
    /// Used by players that are not handed a library of their own; holds to ``FrameBudget/shared``.
    public static let shared = FrameLibrary()

    /// What the buffers of this library hold together is bounded by it; several libraries may share one.
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

    /// By default the shared budget, and decoding on the threads that decode pictures. `time` measures how long decoding takes.
    public init(
        budget: FrameBudget = .shared, executor: BlockingExecutor = .decoding, time: any TimeSource = SystemTimeSource()
    ) {
        self.budget = budget
        self.executor = executor
        self.time = time
    }

    /// The buffer of this animation. A transformer without an identifier gets a buffer of its own.
    public func buffer(for image: AnimatedImage, transformer: (any ImageTransformer)? = nil) -> FrameBuffer {
        if let transformer, transformer.identifier == nil { return make(image, transformer) }
        let key = Key(image: ObjectIdentifier(image), transformer: transformer?.identifier ?? "")
        return state.withLock { state in
            // An address can be used again after its image is gone; its buffer holds the image, so a living one is the right one.
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
