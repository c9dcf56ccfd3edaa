public import GannetCore
import GannetPlatform
import Synchronization

extension DiskCache {
    /// The key of this folder: 32 random bytes in a file with mode 0600, created when the first request with a credential needs
    /// it.
    ///
    /// Reads the file once, on the caller's thread. While the folder cannot be used, the key lives only as long as this cache.
    public var scopeKey: ScopeKey {
        knownScopeKey.withLock { known in
            // Under the lock: concurrent callers need the same key, and a second key would replace the first one's file.
            let key = known ?? keptScopeKey() ?? makeScopeKey()
            known = key
            return key
        }
    }

    /// Nil if the file is missing or holds no key.
    private func keptScopeKey() -> ScopeKey? {
        let bytes = try? files.read(folder.scopeKeyPath, maximumBytes: ScopeKey.byteCount, nofollow: true)
        return bytes.flatMap { ScopeKey($0) }
    }

    /// Written completely under another name first. If two processes do so at once, the later key stays. The first one's
    /// entries of credentialed requests are then misses for later processes, and never served to the wrong caller.
    private func makeScopeKey() -> ScopeKey {
        let key = ScopeKey(of: random.next)
        let number = state.withLock { $0.beginTemporary() }
        defer { state.withLock { $0.endTemporary(number) } }
        let made = folder.temporaryPath(number)
        do throws(ImageError) {
            try folder.prepare(temporary: number)
            try files.write([key.bytes], toNew: made, sync: false)
            try files.rename(made, to: folder.scopeKeyPath)
        } catch {
            try? files.remove(made)
            return key
        }
        return keptScopeKey() ?? key
    }
}
