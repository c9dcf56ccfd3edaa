import CGannetSandbox
package import GannetCore
import GannetPlatform
import Synchronization

/// Worker processes: made before they are needed, used for one image at a time and for one origin, replaced after a while.
///
/// An image may have changed its worker, and a worker that was changed sees and makes the pixels of those after it. So it gets only images
/// from the same place (``ImageOrigin``), and none after one whose place is not known.
package final class SandboxPool: DecodeSandbox {
    /// The pool of this program.
    package static let shared = SandboxPool()

    /// A library may keep a little memory after each image.
    private static let filesOfAWorker = 200

    private struct Trial {
        /// Nil: it worked.
        var error: ImageError?
    }
    private struct State {
        var zygote: Zygote?
        /// The one that was used last is the last.
        var idle: [SandboxWorker] = []
        /// Workers are made before they are needed.
        var isWarm = false
        /// Nil: not tried yet.
        var trial: Trial?
        var watcher: MemoryPressureWatcher?
        var limits = SandboxLimits()

        /// One that has worked for this origin, or one that has not worked yet.
        mutating func take(_ level: gannet_sandbox_level, for origin: ImageOrigin?) -> SandboxWorker? {
            let own = origin.flatMap { origin in idle.lastIndex { $0.level == level && $0.use == .origin(origin) } }
            return (own ?? idle.lastIndex { $0.level == level && $0.use == .unused }).map { idle.remove(at: $0) }
        }

        /// Returns the one for which there is no room any more.
        mutating func keep(_ worker: SandboxWorker, atMost count: Int) -> SandboxWorker? {
            let isUsed = worker.use != .unused
            let like = idle.indices.filter { idle[$0].level == worker.level && (idle[$0].use != .unused) == isUsed }
            guard like.count >= count, let oldest = like.first else {
                idle.append(worker)
                return nil
            }
            guard isUsed, count > 0 else { return worker }
            idle.append(worker)
            return idle.remove(at: oldest)
        }
    }
    private let state = Mutex(State())
    let register = WorkerRegister()
    /// Starting the zygote takes as long as starting the program; others wait for it here.
    private let starting = Mutex(())
    /// Workers that wait for an image, at most, for each level: of those that have had one, and of those that have not.
    private let kept: Int

    package init(kept: Int? = nil) { self.kept = kept ?? BlockingExecutor.processorCount }

    package func sandboxed(_ coder: any ImageCoder) -> (any ImageCoder)? {
        coder is any ProgramConfined ? coder : SandboxedCoder(coder, pool: self)
    }

    /// Starts the workers, so that the first image need not wait. Blocking; does nothing where there is no sandbox.
    package func warmUp() {
        state.withLock { $0.isWarm = true }
        for _ in 0..<(state.withLock { $0.limits.idle } ?? kept) {
            guard let worker = try? make(GANNET_SANDBOX_STRICT), (try? worker.confined()) != nil else { break }
            giveBack(worker)
        }
    }

    package func unavailability() -> ImageError? {
        if let known = state.withLock({ $0.trial }) { return known.error }
        let trial: Trial
        do throws(ImageError) {
            let worker = try make(GANNET_SANDBOX_STRICT)
            try worker.confined()
            giveBack(worker)
            trial = Trial(error: nil)
        } catch { trial = Trial(error: error) }
        state.withLock { $0.trial = trial }
        return trial.error
    }

    package var processes: [Int32] { (zygoteProcess.map { [$0] } ?? []) + register.all }

    var ownLimits: SandboxLimits { state.withLock { $0.limits } }

    package func limit(_ limits: SandboxLimits) { state.withLock { $0.limits = limits } }

    package func rest() {
        let used = state.withLock { state in
            let used = state.idle.filter { $0.use != .unused }
            state.idle.removeAll { $0.use != .unused }
            return used
        }
        // They end here, outside the lock.
        withExtendedLifetime(used) {}
    }

    package func endLargest(above bytes: Int) -> Bool { register.endLargest(above: bytes) }

    /// Gives the memory of idle workers' last images back to the system.
    package func trim() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for worker in idle {
            worker.shared.forget()
            withExtendedLifetime(state.withLock { $0.keep(worker, atMost: $0.limits.idle ?? kept) }) {}
        }
    }

    /// Trims whenever the system is short of memory.
    package func followPressure() {
        let watcher = MemoryPressureWatcher(MemoryPressureMonitor()) { [weak self] _ in self?.trim() }
        state.withLock { if $0.watcher == nil { $0.watcher = watcher } }
    }

    /// A worker for one file. Throws `sandboxUnavailable`.
    func take(_ level: gannet_sandbox_level, for origin: ImageOrigin?) throws(ImageError) -> SandboxWorker {
        let worker = if let idle = idle(level, for: origin) { idle } else { try make(level) }
        worker.begin(for: origin)
        return worker
    }

    private func idle(_ level: gannet_sandbox_level, for origin: ImageOrigin?) -> SandboxWorker? {
        while let worker = state.withLock({ $0.take(level, for: origin) }) {
            if worker.isQuiet { return worker }
        }
        return nil
    }

    private func make(_ level: gannet_sandbox_level) throws(ImageError) -> SandboxWorker {
        let limits = ownLimits
        return try started { zygote throws(ImageError) in try SandboxWorker(level, from: zygote, in: register, limits) }
    }

    /// What `start` makes with the zygote. The zygote may have been killed, as the system does when memory runs out; then with another.
    func started<Process>(_ start: (Zygote) throws(ImageError) -> Process) throws(ImageError) -> Process {
        do throws(ImageError) { return try start(try zygote()) } catch {
            state.withLock { $0.zygote = nil }
            return try start(try zygote())
        }
    }

    func giveBack(_ worker: SandboxWorker) {
        // One that is not kept ends with its last reference, outside the lock.
        if worker.mayServe, worker.files < Self.filesOfAWorker {
            withExtendedLifetime(state.withLock { $0.keep(worker, atMost: $0.limits.idle ?? kept) }) {}
        }
        // The next image need not wait for a process; a command that decodes one image needs no second.
        guard worker.use != .unused,
            state.withLock({ $0.isWarm && !$0.idle.contains { $0.level == worker.level && $0.use == .unused } })
        else { return }
        guard let next = try? make(worker.level) else { return }
        withExtendedLifetime(state.withLock { $0.keep(next, atMost: $0.limits.idle ?? kept) }) {}
    }

    /// The process that workers are forked from, for tests that look at it; nil: not started.
    package var zygoteProcess: Int32? { state.withLock { $0.zygote?.pid } }

    private func zygote() throws(ImageError) -> Zygote {
        if let zygote = state.withLock({ $0.zygote }) { return zygote }
        return try starting.withLock { _ throws(ImageError) -> Zygote in
            if let zygote = state.withLock({ $0.zygote }) { return zygote }
            let zygote = try Zygote()
            state.withLock { $0.zygote = zygote }
            return zygote
        }
    }
}
