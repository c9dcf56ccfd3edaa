import FoundationEssentials

extension ImageSource {
    /// All that follows `scheme://` in a URL, decoded once: the name of a file or an object to the loader of that scheme. Throws
    /// `misuse`.
    package func name(after scheme: String, example: String) throws(ImageError) -> String {
        let start = scheme + "://"
        guard case .url(let url) = self, url.absoluteString.prefix(start.count).lowercased() == start else {
            throw ImageError(.misuse, stage: .resolve, "The source is no URL like \(example).")
        }
        return PercentEncoding.decodedText(url.absoluteString.dropFirst(start.count))
    }
}
