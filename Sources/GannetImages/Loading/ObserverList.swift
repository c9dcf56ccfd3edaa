package import GannetCore

/// All observers as one.
package struct ObserverList: Sendable {
    private let observers: [any LoadObserver]

    package init(_ observers: [any LoadObserver]) { self.observers = observers }

    var isEmpty: Bool { observers.isEmpty }

    /// A load that was over at once.
    @inline(never) func tellMemoryHit(_ result: LoadedImage, _ prepared: PreparedRequest) {
        each { $0.loadDidStart(prepared.id, request: prepared.request) }
        note(prepared.id, .memoryHit(prepared.keys.variant))
        each { $0.loadDidEnd(prepared.id, .success(result)) }
    }

    package func each(_ body: (any LoadObserver) -> Void) { for observer in observers { body(observer) } }

    package func note(_ id: LoadID?, _ event: @autoclosure () -> LoadEvent) {
        guard !observers.isEmpty else { return }
        let event = event()
        for observer in observers { observer.note(id, event) }
    }

    /// Start and end of one stage around `body`; the error gets the stage's name.
    package func stage<R>(
        _ stage: LoadStage, _ id: LoadID, _ body: () async throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        each { $0.stageDidStart(id, stage) }
        do throws(ImageError) {
            let result = try await body()
            each { $0.stageDidEnd(id, stage, error: nil) }
            return result
        } catch {
            let error = error.with(stage: stage)
            each { $0.stageDidEnd(id, stage, error: error) }
            throw error
        }
    }
}
