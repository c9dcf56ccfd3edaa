import FoundationEssentials
public import GannetCore
import Synchronization

/// Who may transfer now: slots for all, slots for each origin, and the rate. A slot is held only while bytes move.
public final class DownloadSlots: Sendable {
    private struct State {
        var perOrigin: Int?
        var order: QueueOrder
        var origins: [HTTPOrigin: (gate: PriorityGate, users: Int)] = [:]
        var limiter: RateLimiter?
        var minimumProgressInterval: Double
    }

    /// For all origins together.
    public let gate: PriorityGate
    private let time: any TimeSource
    private let state: Mutex<State>

    public init(_ configuration: DownloaderConfiguration = DownloaderConfiguration(), time: any TimeSource = SystemTimeSource()) {
        gate = PriorityGate(limit: configuration.maximumConcurrentDownloads, order: configuration.order)
        self.time = time
        state = Mutex(
            State(
                perOrigin: configuration.maximumPerOrigin, order: configuration.order,
                limiter: configuration.rate.map { RateLimiter($0) },
                minimumProgressInterval: configuration.minimumProgressInterval))
    }

    public var isSuspended: Bool {
        get { gate.isSuspended }
        set { gate.isSuspended = newValue }
    }

    /// Transfers under way. - SDWebImage: currentDownloadCount counts waiting ones too
    public var runningCount: Int { gate.runningCount }
    /// For a slot of their origin, or of all.
    public var waitingCount: Int {
        state.withLock { $0.origins.values.map(\.gate) }.reduce(gate.waitingCount) { $0 + $1.waitingCount }
    }

    var minimumProgressInterval: Double { state.withLock { $0.minimumProgressInterval } }

    func update(_ configuration: DownloaderConfiguration) {
        gate.limit = configuration.maximumConcurrentDownloads
        gate.order = configuration.order
        let gates = state.withLock { state in
            state.perOrigin = configuration.maximumPerOrigin
            state.order = configuration.order
            state.minimumProgressInterval = configuration.minimumProgressInterval
            if state.limiter?.limit != configuration.rate { state.limiter = configuration.rate.map { RateLimiter($0) } }
            return state.origins.values.map(\.gate)
        }
        for gate in gates {
            gate.limit = configuration.maximumPerOrigin ?? .max
            gate.order = configuration.order
        }
    }

    /// The origin's slot first: whoever waits for it must not hold one that another origin could use.
    func withSlot<R>(
        for source: ImageSource, priority: LivePriority, _ body: () async throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        guard case .url(let url) = source else { return try await gate.withSlot(priority: priority, body) }
        let (isLimited, isPerOrigin) = state.withLock { ($0.limiter != nil, $0.perOrigin != nil) }
        if isLimited { try await waitForRate() }
        guard isPerOrigin else { return try await gate.withSlot(priority: priority, body) }
        let origin = HTTPOrigin(url)
        guard let own = enter(origin) else { return try await gate.withSlot(priority: priority, body) }
        defer { leave(origin) }
        return try await own.withSlot(priority: priority) { () async throws(ImageError) in
            try await gate.withSlot(priority: priority, body)
        }
    }

    private func waitForRate() async throws(ImageError) {
        while true {
            let now = time.uptime
            let delay = state.withLock { $0.limiter?.reserve(now: now) ?? .zero }
            if delay <= .zero { return }
            try await time.sleep(for: delay)
        }
    }

    private func enter(_ origin: HTTPOrigin) -> PriorityGate? {
        state.withLock { state in
            guard let limit = state.perOrigin else { return nil }
            let gate = state.origins[origin]?.gate ?? PriorityGate(limit: limit, order: state.order)
            state.origins[origin] = (gate, (state.origins[origin]?.users ?? 0) + 1)
            return gate
        }
    }

    private func leave(_ origin: HTTPOrigin) {
        state.withLock { state in
            guard let entry = state.origins[origin] else { return }
            state.origins[origin] = entry.users > 1 ? (entry.gate, entry.users - 1) : nil
        }
    }
}

/// A bucket of tokens that fills at a steady rate. Pure.
package struct RateLimiter: Sendable {
    package let limit: RateLimit
    private var tokens: Double
    private var last: Duration?

    package init(_ limit: RateLimit) {
        self.limit = limit
        tokens = Double(limit.count)
    }

    /// Zero if one may begin now (and it is then counted), else how long to wait before asking again.
    package mutating func reserve(now: Duration) -> Duration {
        let interval = max(limit.interval.seconds, 1e-9)
        let rate = Double(limit.count) / interval
        if let last { tokens = min(Double(limit.count), tokens + max((now - last).seconds, 0) * rate) }
        last = now
        if tokens >= 1 {
            tokens -= 1
            return .zero
        }
        // Asked again then; a year at a time is in the range of the number.
        return .nanoseconds(Int64(min((1 - tokens) / rate * 1e9, 3.2e16).rounded(.up)) + 1)
    }
}
