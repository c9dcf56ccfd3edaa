extension LoadersManager {
    /// Those of the HTTP loader, so that its configuration bounds all transfers; nil: there is none.
    var slots: DownloadSlots? { loaders.reversed().lazy.compactMap { ($0 as? HTTPLoader)?.slots }.first }
}
