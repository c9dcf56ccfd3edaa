import GannetCore
package import GannetPlatform

extension FrameBudget {
    /// Drops frames that are not on screen; they are decoded again when due.
    package func relieve(_ pressure: MemoryPressure) { if pressure > .none { purge() } }

    /// Drops frames whenever the kernel reports memory pressure. Programs that detect it themselves call ``purge()``.
    public func followPressure() { followPressure(of: MemoryPressureMonitor()) }

    /// Replaces the previous monitor.
    package func followPressure(of monitor: MemoryPressureMonitor) {
        follow(MemoryPressureWatcher(monitor) { [weak self] pressure in self?.relieve(pressure) })
    }
}
