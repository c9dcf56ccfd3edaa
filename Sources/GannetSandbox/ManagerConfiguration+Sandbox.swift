public import GannetCore
public import GannetImages
import GannetPlatform

extension ManagerConfiguration {
    /// Lets the manager decode in worker processes, and starts the first of them in the background. Without this call only requests
    /// that need no sandbox can be decoded.
    ///
    /// Call it early in the program: workers are copies of a small process that is started now.
    /// - Parameter isolation: of requests that say nothing themselves; becomes ``isolation``.
    public mutating func useSandbox(_ isolation: DecodeIsolation = .automatic) {
        places.sandbox = SandboxPool.shared
        places.isolation = isolation
        guard isolation != .inProcess else { return }
        SandboxPool.shared.followPressure()
        // Not awaited: a load that comes first starts a worker itself.
        Task(executorPreference: BlockingExecutor.decoding) { SandboxPool.shared.warmUp() }
    }

    /// The reason why this system has no sandbox (the message says what is missing), or nil. Blocking: it starts a worker and looks.
    public static func sandboxUnavailability() -> ImageError? { SandboxPool.shared.unavailability() }
}

extension ImageDecoding {
    /// Decodes in worker processes from now on; `isolation` is for options that say nothing themselves.
    public mutating func useSandbox(_ isolation: DecodeIsolation = .automatic) {
        environment.places = DecodePlaces(sandbox: SandboxPool.shared, isolation: isolation)
    }
}
