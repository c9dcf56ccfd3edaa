package import GannetCore

// The keys of stored responses, and of everything that is made of them.

extension CacheKey {
    /// The text of the source, after a key filter; the user, the hooks and everything else follow it.
    package var sourceText: String { String(text.prefix { $0 != RequestKeys.separatorCharacter }) }

    /// The key of the stored response from which this key's image was made, or of which it is another variant or a part.
    var storedPart: CacheKey {
        let ends = (RequestKeys.madeOfStored + RequestKeys.variantsOfStored).compactMap { text.firstRange(of: $0)?.lowerBound }
        return ends.min().map { CacheKey(String(text[..<$0])) } ?? self
    }

    /// The same key for another source: replaces only the source's text at the beginning, even if a key filter made it.
    package func replacingSource(with other: String) -> CacheKey {
        CacheKey(other + text.drop { $0 != RequestKeys.separatorCharacter })
    }
}

extension RequestKeys {
    /// Separates the parts of a key; cannot occur in a URL.
    package static let separatorText = "\u{1}"
    /// Precedes the name of a request's own cache, at the end of keys in memory.
    package static let ownCachePart = separatorText + "in="
    package static let separatorCharacter: Character = "\u{1}"
}

extension ImageCaching {
    /// Removes everything that was made from a source: for all users, in all sizes, complete or partial.
    package func removeAll(of sourceText: String) async throws(ImageError) {
        var failure: ImageError?
        do throws(ImageError) { try await remove(CacheKey(sourceText)) } catch { failure = error }
        // Even if the first removal failed.
        try await removeAll(prefix: sourceText + RequestKeys.separatorText)
        if let failure { throw failure }
    }
}
