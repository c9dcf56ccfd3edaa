import FoundationEssentials

/// Whose bytes a decoder reads: scheme, host and port, or a folder, and the credentials of the request.
///
/// A worker of the sandbox serves one origin: what one image does to it can only reach images from the same place.
package struct ImageOrigin: Hashable, Sendable {
    private let text: String

    /// Nil for bytes in memory and for addresses that cannot be read: they share a worker with nothing.
    /// - Parameters:
    ///   - response: the URL that the bytes finally came from, if it differs. A redirect from one server to another is a separate
    ///     origin, because either server may have chosen the bytes.
    ///   - scope: of the credentials, as in keys of the cache.
    package init?(of source: ImageSource, response: String? = nil, scope: String = "") {
        guard let first = Self.place(source) else { return nil }
        var parts = [first]
        if let response {
            guard let last = Self.place(ImageSource(response)) else { return nil }
            if last != first { parts.append(last) }
        }
        text = (parts + [scope]).joined(separator: RequestKeys.separator)
    }

    private static func place(_ source: ImageSource) -> String? {
        switch source {
        case .file(let path): return "file:" + folder(path)
        case .url(let url):
            let origin = HTTPOrigin(url)
            guard origin.scheme != "data", !origin.scheme.isEmpty else { return nil }
            return origin.host.isEmpty
                ? "\(origin.scheme):" + folder(String(url.parts.path)) : "\(origin.scheme)://\(origin.host):\(origin.port)"
        case .data, .provider: return nil
        }
    }

    private static func folder(_ path: String) -> Substring { path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
}
