package import GannetCore
package import GannetPlatform

extension MemoryCache {
    /// Releases memory. `some` keeps the most recently used half, so that lasting pressure empties the cache step by step;
    /// `critical` keeps nothing. Images shown elsewhere stay findable in either case.
    package func relieve(_ pressure: MemoryPressure) {
        switch pressure {
        case .none: break
        case .some: trim(toBytes: usage.bytes / 2)
        case .critical: trim(toBytes: 0)
        }
    }

    /// Releases memory whenever the kernel reports pressure, while this cache lives: images, then the pool's idle pixel memory.
    /// Programs that detect pressure themselves call ``trim(toFraction:)``. - SDWebImage: didReceiveMemoryWarning
    public func followPressure() { followPressure(of: MemoryPressureMonitor()) }

    /// Replaces the previous monitor.
    package func followPressure(of monitor: MemoryPressureMonitor, pool: PixelPool = .shared) {
        follow(
            MemoryPressureWatcher(monitor) { [weak self] pressure in
                self?.relieve(pressure)
                pool.trim()
            })
    }
}
