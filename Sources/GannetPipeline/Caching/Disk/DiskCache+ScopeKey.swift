public import GannetCore
import Synchronization

extension DiskCache {
    /// The key of this folder: 32 random bytes in a file with mode 0600, made when the first request with a credential needs it.
    ///
    /// Reads the file once, on the caller's thread. While the folder cannot be used, the key lives as long as this cache.
    public var scopeKey: ScopeKey {
        if let known = knownScopeKey.withLock({ $0 }) { return known }
        let found = keptScopeKey() ?? makeScopeKey()
        return knownScopeKey.withLock { known in
            // Another thread may have found one meanwhile.
            let key = known ?? found
            known = key
            return key
        }
    }

    /// Nil where there is none, or what is there is no key.
    private func keptScopeKey() -> ScopeKey? {
        let bytes = try? files.read(folder.scopeKeyPath, maximumBytes: ScopeKey.byteCount, nofollow: true)
        return bytes.flatMap { ScopeKey($0) }
    }

    /// Written whole under another name first. Two processes may do this at the same time, and the later one's key stays: the other's
    /// entries of requests with credentials are then missed by later processes, and never served to the wrong asker.
    private func makeScopeKey() -> ScopeKey {
        let key = ScopeKey(random: random)
        let number = state.withLock { $0.beginTemporary() }
        defer { state.withLock { $0.endTemporary(number) } }
        let made = folder.temporaryPath(number)
        do throws(ImageError) {
            try folder.prepare()
            try files.write([key.bytes], toNew: made, sync: false)
            try files.rename(made, to: folder.scopeKeyPath)
        } catch {
            try? files.remove(made)
            return key
        }
        return keptScopeKey() ?? key
    }
}
