import GannetCore
public import GannetPlatform

extension FrameBudget {
    /// Drops frames that are not on screen; they are decoded again when due. For applications that detect memory pressure
    /// themselves.
    public func relieve(_ pressure: MemoryPressure) { if pressure > .none { purge() } }

    /// Drops frames whenever the monitor reports memory pressure. Replaces the previous monitor.
    public func followPressure(of monitor: MemoryPressureMonitor = MemoryPressureMonitor()) {
        follow(MemoryPressureWatcher(monitor) { [weak self] pressure in self?.relieve(pressure) })
    }
}
