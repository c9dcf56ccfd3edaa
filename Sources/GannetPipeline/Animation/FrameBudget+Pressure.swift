extension FrameBudget {
    /// What an application calls that hears of memory pressure by itself: frames that are not on screen are dropped, and decoded
    /// again when they are due.
    public func relieve(_ pressure: MemoryPressure) { if pressure > .none { purge() } }

    /// Gives frames back whenever the monitor says that memory is short. Replaces the monitor that was followed before.
    public func followPressure(of monitor: MemoryPressureMonitor = MemoryPressureMonitor()) {
        follow(MemoryPressureWatcher(monitor) { [weak self] pressure in self?.relieve(pressure) })
    }
}
