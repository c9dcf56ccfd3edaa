public import GannetCore
import Synchronization

/// The registered loaders. The last one added is asked first; the first that can load the source wins.
public final class LoadersManager: Sendable {
    private let registered: Mutex<[any ImageLoader]>

    /// In the order of registration: the last one is asked first. By default those that need no network.
    public init(_ loaders: [any ImageLoader] = LoadersManager.local) { registered = Mutex(loaders) }

    /// Loaders that need no network: user providers, bytes in memory, `data:` URLs and files.
    public static var local: [any ImageLoader] { [ProviderLoader(), MemoryLoader(), DataURLLoader(), FileLoader()] }

    /// In the order of registration.
    public var loaders: [any ImageLoader] { registered.withLock { $0 } }

    /// Asked first from now on. Others of the same identifier stay; they are asked after it.
    public func add(_ loader: any ImageLoader) { registered.withLock { $0.append(loader) } }

    /// All loaders with this identifier.
    public func remove(identifier: String) { registered.withLock { $0.removeAll { $0.identifier == identifier } } }

    /// In one step: no load sees half of the list. The last one is asked first.
    public func replaceAll(with loaders: [any ImageLoader]) { registered.withLock { $0 = loaders } }

    /// Nil: nobody can load it.
    public func loader(for source: ImageSource) -> (any ImageLoader)? {
        // Copied out first: `canLoad` is the user's code.
        loaders.reversed().first { $0.canLoad(source) }
    }
}
