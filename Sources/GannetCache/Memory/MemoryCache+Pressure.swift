public import GannetCore
public import GannetPlatform

extension MemoryCache {
    /// Releases memory; for applications that detect pressure themselves. `some` keeps the most recently used half, so that
    /// lasting pressure empties the cache step by step; `critical` keeps nothing. Images shown elsewhere stay findable in
    /// either case. - SDWebImage: didReceiveMemoryWarning
    public func relieve(_ pressure: MemoryPressure) {
        switch pressure {
        case .none: break
        case .some: trim(toBytes: usage.bytes / 2)
        case .critical: trim(toBytes: 0)
        }
    }

    /// Releases memory whenever the monitor reports pressure, while this cache lives: images, then the pool's idle pixel
    /// memory. Replaces the previous monitor.
    public func followPressure(of monitor: MemoryPressureMonitor = MemoryPressureMonitor(), pool: PixelPool = .shared) {
        follow(
            MemoryPressureWatcher(monitor) { [weak self] pressure in
                self?.relieve(pressure)
                pool.trim()
            })
    }
}
