import CGannetSandbox
package import GannetCore
import GannetPlatform
import Synchronization

/// Worker processes: made before they are needed, used for one image at a time, replaced after a while.
package final class SandboxPool: DecodeSandbox {
    /// The pool of this program.
    package static let shared = SandboxPool()

    /// A library may keep a little memory after each image, and a worker may have been changed by one.
    private static let filesOfAWorker = 200

    private struct Trial {
        /// Nil: it worked.
        var error: ImageError?
    }
    private struct State {
        var nursery: Nursery?
        var idle: [SandboxWorker] = []
        /// Nil: not tried yet.
        var trial: Trial?
        var watcher: MemoryPressureWatcher?
    }
    private let state = Mutex(State())
    /// Starting the nursery takes as long as starting the program; others wait for it here.
    private let starting = Mutex(())
    /// Workers that wait for an image, at most, for each level.
    private let kept: Int

    package init(kept: Int? = nil) { self.kept = kept ?? BlockingExecutor.processorCount }

    package func sandboxed(_ coder: any ImageCoder) -> (any ImageCoder)? { SandboxedCoder(coder, pool: self) }

    /// Starts the workers, so that the first image need not wait. Blocking; does nothing where there is no sandbox.
    package func warmUp() {
        var workers: [SandboxWorker] = []
        for _ in 0..<kept {
            guard let worker = try? take(GANNET_SANDBOX_STRICT), (try? worker.prepare(.standard)) != nil else { break }
            workers.append(worker)
        }
        for worker in workers { giveBack(worker) }
    }

    package func unavailability() -> ImageError? {
        if let known = state.withLock({ $0.trial }) { return known.error }
        let trial: Trial
        do throws(ImageError) {
            let worker = try take(GANNET_SANDBOX_STRICT)
            try worker.prepare(.standard)
            giveBack(worker)
            trial = Trial(error: nil)
        } catch { trial = Trial(error: error) }
        state.withLock { $0.trial = trial }
        return trial.error
    }

    /// Gives the memory of idle workers' last images back to the system.
    package func trim() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for worker in idle {
            worker.forget()
            giveBack(worker)
        }
    }

    /// Trims whenever the system is short of memory.
    package func followPressure() {
        let watcher = MemoryPressureWatcher(MemoryPressureMonitor()) { [weak self] _ in self?.trim() }
        state.withLock { if $0.watcher == nil { $0.watcher = watcher } }
    }

    /// A worker for one file. Throws `sandboxUnavailable`.
    func take(_ level: gannet_sandbox_level) throws(ImageError) -> SandboxWorker {
        while let worker = state.withLock({ state -> SandboxWorker? in
            guard let index = state.idle.lastIndex(where: { $0.level == level }) else { return nil }
            return state.idle.remove(at: index)
        }) {
            if worker.isQuiet { return worker }
        }
        do throws(ImageError) { return try SandboxWorker(level, from: try nursery()) } catch {
            // The nursery may have been killed, as the system does when memory runs out.
            state.withLock { $0.nursery = nil }
            return try SandboxWorker(level, from: try nursery())
        }
    }

    func giveBack(_ worker: SandboxWorker) {
        guard worker.isSound, worker.files < Self.filesOfAWorker else { return }
        let isKept = state.withLock { state in
            guard state.idle.count(where: { $0.level == worker.level }) < kept else { return false }
            state.idle.append(worker)
            return true
        }
        // One that is not kept ends with the caller's reference, outside the lock.
        _ = isKept
    }

    /// The process that workers are forked from, for tests that look at it; nil: not started.
    package var nurseryProcess: Int32? { state.withLock { $0.nursery?.pid } }

    private func nursery() throws(ImageError) -> Nursery {
        if let nursery = state.withLock({ $0.nursery }) { return nursery }
        return try starting.withLock { _ throws(ImageError) -> Nursery in
            if let nursery = state.withLock({ $0.nursery }) { return nursery }
            let nursery = try Nursery()
            state.withLock { $0.nursery = nursery }
            return nursery
        }
    }
}
