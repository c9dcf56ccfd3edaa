extension ResolvedRequest {
    /// Options of a transfer that do not change its bytes: allowed replacements for the source, attempts and deadlines, and which
    /// caches are read and written on the way. Requests that differ in them may share stored entries but not a running transfer,
    /// because it would follow the other request's options. Empty for the standard options. Nil: a retry strategy cannot be
    /// identified.
    /// - Parameter isStoredResponse: whether the image is the stored response.
    func fetchingText(isStoredResponse: Bool) -> String? {
        var parts: [String] = []
        if !hasStandardDownload {
            for source in download.alternatives { parts.append("a=" + source.keyText) }
            if let source = download.lowDataSource { parts.append("low=" + source.keyText) }
            if let deadlines = download.deadlines {
                let rate = deadlines.lowestRate.map { "\($0.bytesPerSecond)/\($0.interval)" } ?? ""
                parts.append("t=\(deadlines.connect),\(deadlines.idle),\(deadlines.total),\(rate)")
            }
            if let retry = download.retry {
                guard let identifier = retry.identifier ?? objectIdentity(retry) else { return nil }
                parts.append("again=" + identifier.keyPart())
            }
        }
        if !hasStandardCache {
            if !cache.readsOriginal(isStoredResponse: isStoredResponse) { parts.append("read=0") }
            if !cache.writesOriginal(isStoredResponse: isStoredResponse) { parts.append("write=0") }
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

/// The type and the address of an object; nil for values. The address is unique while the object is retained.
package func objectIdentity(_ value: Any) -> String? {
    guard type(of: value) is AnyObject.Type else { return nil }
    return "\(type(of: value))@\(UInt(bitPattern: ObjectIdentifier(value as AnyObject)))"
}

extension ImageCaching {
    /// Distinguishes caches while they are in use: two of them may have the same identifier.
    package var sharingIdentity: String { identifier.keyPart(",") + (objectIdentity(self).map { "," + $0 } ?? "") }
}
