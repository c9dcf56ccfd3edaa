import GannetCore

/// The running loads of a presenter, and how urgent they are.
struct RunningLoads {
    private var loads: [Generation: PresentedLoad] = [:]
    /// For running and later loads; nil: that of each request.
    var priority: LoadPriority?
    /// No load is more urgent than those of a prefetcher.
    var isLowered = false

    mutating func add(_ load: PresentedLoad, _ generation: Generation) { loads[generation] = load }

    mutating func remove(_ generation: Generation) -> PresentedLoad? { loads.removeValue(forKey: generation) }

    func cancelAll() { for load in loads.values { load.cancel() } }

    /// The request as it is sent. A lowered load begins with its own priority, to which it returns.
    func prioritized(_ request: ImageRequest) -> ImageRequest {
        guard let priority else { return request }
        var request = request
        request.schedule.priority = priority
        return request
    }

    /// Tells every load how urgent it is.
    func passOn() { for load in loads.values { passOn(to: load) } }

    func passOn(to load: PresentedLoad) {
        let own = priority ?? load.priority
        load.setPriority(isLowered ? min(own, .low) : own)
    }
}
