extension ResolvedRequest {
    /// What decides about a transfer beside the bytes that it brings: whose bytes may stand in, how often and how long is tried, what
    /// is read and stored on the way. Requests that differ in it may share what is stored, and share no running transfer: the one
    /// would end as the other wishes. Empty for what is standard; nil: nobody can tell what the request wants.
    ///
    /// - Parameter isPicture: whether the picture is the stored response.
    func fetchingText(isPicture: Bool) -> String? {
        var parts: [String] = []
        if !hasStandardDownload {
            for source in download.alternatives { parts.append("a=" + source.keyText) }
            if let source = download.lowDataSource { parts.append("low=" + source.keyText) }
            if let deadlines = download.deadlines {
                parts.append("t=\(deadlines.connect),\(deadlines.idle),\(deadlines.total)")
            }
            if let retry = download.retry {
                guard let identifier = retry.identifier ?? objectIdentity(retry) else { return nil }
                parts.append("again=" + identifier)
            }
        }
        if !hasStandardCache {
            if !cache.readsOriginal(isPicture: isPicture) { parts.append("read=0") }
            if !cache.writesOriginal(isPicture: isPicture) { parts.append("write=0") }
            if let store = cache.originalStore ?? cache.store { parts.append("in=" + store.sharingIdentity) }
            if cache.diskExpiration != .standard { parts.append("e=\(cache.diskExpiration)") }
        }
        if !hasStandardDecode, decode.limits.maximumEncodedBytes != DecodeLimits.standard.maximumEncodedBytes {
            parts.append("max=\(decode.limits.maximumEncodedBytes)")
        }
        if schedule.retryFailedSources { parts.append("failed") }
        return parts.isEmpty ? "" : RequestKeys.separator + parts.joined(separator: RequestKeys.separator)
    }
}

/// The type and the address of an object; nil for values. While somebody holds the object, no other has it.
package func objectIdentity(_ value: Any) -> String? {
    guard type(of: value) is AnyObject.Type else { return nil }
    return "\(type(of: value))@\(UInt(bitPattern: ObjectIdentifier(value as AnyObject)))"
}

extension ImageCaching {
    /// Tells caches apart while they are in use: two may have one identifier.
    package var sharingIdentity: String { identifier + (objectIdentity(self).map { "," + $0 } ?? "") }
}
