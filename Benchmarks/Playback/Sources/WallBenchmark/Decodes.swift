import Gannet
import Synchronization

/// Counts what became of loads and decodes.
final class Decodes: LoadObserver {
    struct Counts {
        var loads = 0
        var cancelledLoads = 0
        var decodes = 0
        var cancelledDecodes = 0
        var failures: [String] = []
    }

    private let counts = Mutex(Counts())
    var now: Counts { counts.withLock { $0 } }

    func stageDidEnd(_ id: LoadID, _ stage: LoadStage, error: ImageError?) {
        guard stage == .decode else { return }
        counts.withLock { counts in
            counts.decodes += 1
            if error?.code == .cancelled { counts.cancelledDecodes += 1 }
        }
    }

    func loadDidEnd(_ id: LoadID, _ result: Result<LoadedImage, ImageError>) {
        counts.withLock { counts in
            counts.loads += 1
            guard case .failure(let error) = result else { return }
            if error.code == .cancelled { counts.cancelledLoads += 1 } else { counts.failures.append(error.message) }
        }
    }
}
