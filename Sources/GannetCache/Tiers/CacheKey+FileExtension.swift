public import GannetCore

extension CacheKey {
    /// A key for the same text with another kind of file: both can be stored side by side.
    /// - Kingfisher: forcedExtension
    public func with(fileExtension: String) -> CacheKey {
        fileExtension.isEmpty ? self : CacheKey(text + "\u{1}extension=" + fileExtension.lowercased())
    }

    /// The file extension suggested by the key's text, in lower case without a dot; nil if there is none that suits a file
    /// name. Ignores a URL's query, fragment and host. A hint for exported files: the cache itself goes by contents.
    public var suggestedFileExtension: String? {
        var path = Substring(text.prefix { $0 != "\u{1}" })
        if let end = path.firstIndex(where: { $0 == "?" || $0 == "#" }) { path = path[..<end] }
        if let scheme = path.range(of: "://") {
            let rest = path[scheme.upperBound...]
            if let slash = rest.firstIndex(of: "/") {
                path = rest[slash...]
            } else {
                // A host without a path; for a `file:` URL, a path without folders.
                guard path.hasPrefix("file:") else { return nil }
                path = rest
            }
        }
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? path
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        var found = String(
            name[name.index(after: dot)...].unicodeScalars.filter { $0 != ":" && $0.value >= 32 && $0 != "\u{7F}" })
        // Cut a processor's or retina mark after the extension.
        if let at = found.firstIndex(of: "@") { found = String(found[..<at]) }
        // A file name may have 255 bytes; ours take 49 and a dot.
        guard !found.isEmpty, found.utf8.count <= 255 - 50 else { return nil }
        return found.lowercased()
    }
}

extension Substring {
    fileprivate func range(of needle: String) -> Range<Substring.Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(needle) { return index..<self.index(index, offsetBy: needle.count) }
            index = self.index(after: index)
        }
        return nil
    }
}
