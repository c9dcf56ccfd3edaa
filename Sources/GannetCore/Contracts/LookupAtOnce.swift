/// A cache that can answer some questions without waiting.
package protocol LookupAtOnce {
    /// Whether what is stored now was certainly stored at `date` or before. False: read the metadata. Reads no file; where other
    /// processes began to use the folder, looks who they are.
    /// Of several caches the first one decides, which is that of this machine.
    func wasStored(_ key: CacheKey, by date: Timestamp) -> Bool
    /// When what is stored now was stored; of nothing, the distant past. Nil: not known here, or only a look that may wait can tell. At
    /// most one short system call.
    func dateAtOnce(of key: CacheKey) -> Timestamp?
    /// The entry, which counts as used. Nil: there is none, or only a look that may wait can tell.
    func entryAtOnce(for key: CacheKey) -> CacheEntry?
}
