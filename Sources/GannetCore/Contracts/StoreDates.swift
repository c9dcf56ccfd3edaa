/// A cache that may know, without reading a file, when an entry was stored.
package protocol StoreDates {
    /// Whether what is stored now was certainly stored at `date` or before. False: read the metadata. Does not wait.
    /// Of several caches the first one decides, which is that of this machine.
    func wasStored(_ key: CacheKey, by date: Timestamp) -> Bool
}
