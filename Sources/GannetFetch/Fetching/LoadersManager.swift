public import GannetCore
public import GannetPlatform
import Synchronization

/// The registered loaders. The last one added is asked first; the first that can load the source wins.
public final class LoadersManager: Sendable {
    private let registered: Mutex<[any ImageLoader]>

    /// In the order of registration: the last one is asked first. By default those that need no network.
    public init(_ loaders: [any ImageLoader] = LoadersManager.local) { registered = Mutex(loaders) }

    /// Loaders that need no network: user providers, bytes in memory, `data:` URLs and files.
    public static var local: [any ImageLoader] { [providerLoader, memoryLoader, dataURLLoader, fileLoader()] }

    /// Calls the ``ImageDataProvider`` of a source.
    public static var providerLoader: any ImageLoader { ProviderLoader() }

    /// Loads bytes that are already in memory.
    public static var memoryLoader: any ImageLoader { MemoryLoader() }

    /// Loads `data:` URLs, RFC 2397: base64 or percent-encoded.
    public static var dataURLLoader: any ImageLoader { DataURLLoader() }

    /// Loads files on separate threads for each mounted file system, so that the caller never blocks. A changed file is another
    /// image.
    public static func fileLoader(executor: BlockingExecutor? = nil) -> any ImageLoader {
        FileLoader(files: POSIXFileSystem(), executor: executor)
    }

    /// In the order of registration.
    public var loaders: [any ImageLoader] { registered.withLock { $0 } }

    /// Adds a loader, which is asked first from now on. Others with the same identifier stay, and are asked after it.
    public func add(_ loader: any ImageLoader) { registered.withLock { $0.append(loader) } }

    /// Removes all loaders with this identifier.
    public func remove(identifier: String) { registered.withLock { $0.removeAll { $0.identifier == identifier } } }

    /// Replaces the list in one step: no load sees half of it. The last loader is asked first.
    public func replaceAll(with loaders: [any ImageLoader]) { registered.withLock { $0 = loaders } }

    /// The loader for a source; nil: no registered loader can load it.
    public func loader(for source: ImageSource) -> (any ImageLoader)? {
        // Copied out first: `canLoad` is the user's code.
        loaders.reversed().first { $0.canLoad(source) }
    }
}
