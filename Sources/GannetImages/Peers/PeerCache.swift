import GannetCore

/// The folder in which SDWebImage, Kingfisher or Nuke keeps images on disk, to be read and never written:
/// ``ManagerConfiguration/readCache(of:)``.
///
/// Files are found by the key of the other library: the address of an image as it was written there, or the program's own key
/// for it. Entries that the other library would call expired are not found, nor are links, files of more than 64 MiB, and those that no coder
/// recognises.
public struct PeerCache: Sendable {
    let folder: String
    let layout: PeerLayout

    private init(_ folder: String, _ layout: PeerLayout) { (self.folder, self.layout) = (folder, layout) }

    /// SDWebImage's.
    ///
    /// - Parameters:
    ///   - folder: has the files themselves: `…/com.hackemist.SDImageCache/default`.
    ///   - maximumAge: since a file was last used or written; nil: for ever. - SDWebImage: maxDiskAge
    public static func sdWebImage(folder: String, maximumAge: Duration? = .seconds(7 * 86_400)) -> PeerCache {
        PeerCache(folder, .sdWebImage(maximumAge: maximumAge))
    }

    /// Kingfisher's, whose file names are SHA-256 since version 8 and were MD5 before. Each file has its own end in its date.
    ///
    /// - Parameters:
    ///   - folder: has the files themselves: `…/com.onevcat.Kingfisher.ImageCache.default`.
    ///   - pathExtension: of all names; nil: none, or that of the address. - Kingfisher: pathExtension
    ///   - processor: the identifier of the processor whose results are read in place of originals; empty: originals.
    public static func kingfisher(folder: String, pathExtension: String? = nil, processor: String = "") -> PeerCache {
        PeerCache(folder, .kingfisher(pathExtension: pathExtension, processor: processor))
    }

    /// Nuke's `DataCache`, whose files do not expire.
    ///
    /// - Parameter folder: has the files themselves: `…/com.github.kean.Nuke.DataCache`.
    public static func nuke(folder: String) -> PeerCache { PeerCache(folder, .nuke) }
}

extension ManagerConfiguration {
    /// Lets the manager find originals in the cache of another library before it asks their sources. The cache of originals of this
    /// configuration is asked first.
    ///
    /// An image that is stored or removed here is no longer found there, until the process ends. Call it with the final caches, coders and clock;
    /// several calls read several folders.
    public mutating func readCache(of peer: PeerCache) {
        if let originals = originalCache {
            originalCache = CacheBeforePeer(originals, peer, coders, time)
        } else {
            diskCache = CacheBeforePeer(diskCache, peer, coders, time)
        }
    }
}
