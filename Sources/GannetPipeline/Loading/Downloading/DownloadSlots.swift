import FoundationEssentials
public import GannetCore
import Synchronization

/// Who may transfer now: slots for all, slots for each origin, and the rate. A slot is held only while bytes move, and not while
/// a credential provider is asked.
public final class DownloadSlots: Sendable {
    /// For all origins together, and for each where that is limited.
    public let gate: PriorityGate
    private let progressInterval: Mutex<Double>

    /// Takes the numbers of slots, their order, the rate and the step of progress from it. `time` drives the rate.
    public init(_ configuration: DownloaderConfiguration = DownloaderConfiguration(), time: any TimeSource = SystemTimeSource()) {
        var machine = PriorityGateState(
            limit: configuration.maximumConcurrentDownloads, limitPerOrigin: configuration.maximumPerOrigin,
            order: configuration.order)
        machine.setRate(configuration.rate)
        gate = PriorityGate(machine, time: time)
        progressInterval = Mutex(configuration.minimumProgressInterval)
    }

    /// While true no transfer begins; those under way go on. - SDWebImage: suspended
    public var isSuspended: Bool {
        get { gate.isSuspended }
        set { gate.isSuspended = newValue }
    }

    /// Transfers under way. - SDWebImage: currentDownloadCount counts waiting ones too
    public var runningCount: Int { gate.runningCount }
    /// For a slot of their origin, or of all, or for their turn.
    public var waitingCount: Int { gate.waitingCount }

    var minimumProgressInterval: Double { progressInterval.withLock { $0 } }

    func update(_ configuration: DownloaderConfiguration) {
        gate.configure { machine in
            machine.limit = max(configuration.maximumConcurrentDownloads, 1)
            machine.limitPerOrigin = configuration.maximumPerOrigin
            machine.order = configuration.order
            machine.setRate(configuration.rate)
        }
        progressInterval.withLock { $0 = configuration.minimumProgressInterval }
    }

    func withSlot<R>(
        for source: ImageSource, priority: LivePriority, _ body: (HeldSlot) async throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        var origin: HTTPOrigin?
        if case .url(let url) = source { origin = HTTPOrigin(url) }
        return try await gate.withHeldSlot(of: origin, priority: priority, body)
    }
}
