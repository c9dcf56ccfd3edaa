import FoundationEssentials
import GannetCore
package import GannetPlatform
import Synchronization

/// Limits transfers: slots in total, slots for each origin, and the rate. A slot is held only while bytes move: not during a
/// credential provider's call, and not by a server that sends nothing for two seconds while others wait.
package final class DownloadSlots: Sendable {
    /// The slots in total, and for each origin if limited.
    package let gate: PriorityGate
    /// For reading stored bytes, which are quicker to read than to decode.
    private let readings: PriorityGate
    /// For files of loaders. Apart, because the file system of those may hang.
    private let fileReadings: PriorityGate
    let unused: UnusedBytes
    private let progressInterval: Mutex<Double>
    private let slow: SlowTransfers

    /// Takes numbers of slots, order, rate and progress step from the configuration. `time` drives the rate.
    package init(_ configuration: DownloaderConfiguration = DownloaderConfiguration(), time: any TimeSource = SystemTimeSource())
    {
        var machine = PriorityGateState(
            limit: configuration.maximumConcurrentDownloads, limitPerOrigin: configuration.maximumPerOrigin,
            order: configuration.order)
        machine.setRate(configuration.rate)
        let slow = SlowTransfers(time: time)
        self.slow = slow
        gate = PriorityGate(machine, time: time) { slow.watch($0) }
        readings = PriorityGate(limit: configuration.maximumConcurrentReads)
        fileReadings = PriorityGate(limit: configuration.maximumConcurrentReads)
        unused = UnusedBytes(maximum: configuration.maximumUnusedBytes, hardMaximum: configuration.hardMaximumUnusedBytes)
        progressInterval = Mutex(configuration.minimumProgressInterval)
    }

    /// While true no transfer begins; running ones continue. - SDWebImage: suspended
    package var isSuspended: Bool {
        get { gate.isSuspended }
        set { gate.isSuspended = newValue }
    }

    /// Running transfers. - SDWebImage: currentDownloadCount counts waiting ones too
    package var runningCount: Int { gate.runningCount + fileReadings.runningCount }
    /// Transfers that wait for a slot of their origin, for any slot, or for their turn.
    package var waitingCount: Int { gate.waitingCount + fileReadings.waitingCount }

    var minimumProgressInterval: Double { progressInterval.withLock { $0 } }

    func update(_ configuration: DownloaderConfiguration) {
        gate.configure { machine in
            machine.limit = max(configuration.maximumConcurrentDownloads, 1)
            machine.limitPerOrigin = configuration.maximumPerOrigin
            machine.order = configuration.order
            machine.setRate(configuration.rate)
        }
        (unused.maximum, unused.hardMaximum) = (configuration.maximumUnusedBytes, configuration.hardMaximumUnusedBytes)
        progressInterval.withLock { $0 = configuration.minimumProgressInterval }
    }

    /// Waits for a slot, which its holder gives back by ``giveBack(_:)``.
    func take(for source: ImageSource, priority: LivePriority) async throws(ImageError) -> HeldSlot {
        var origin: HTTPOrigin?
        if case .url(let url) = source { origin = HTTPOrigin(url) }
        try await gate.enter(priority, origin)
        let slot = HeldSlot(gate, origin, priority)
        slow.add(slot)
        return slot
    }

    /// The same for a file of a loader.
    func takeForFile(priority: LivePriority) async throws(ImageError) -> HeldSlot {
        try await fileReadings.enter(priority, nil)
        return HeldSlot(fileReadings, nil, priority)
    }

    func giveBack(_ slot: HeldSlot) {
        slow.remove(slot)
        slot.end()
    }

    func withReadingSlot<R>(
        priority: LivePriority, _ body: (HeldSlot) async throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        try await readings.withHeldSlot(of: nil, priority: priority, body)
    }
}
