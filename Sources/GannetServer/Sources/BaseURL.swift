#if Server
    import FoundationEssentials
    public import GannetCore
    import GannetSupport

    /// Stands before sources without a scheme, as `IMGPROXY_BASE_URL` does. They are always below its scheme, authority and path.
    public struct BaseURL: Hashable, Sendable {
        /// With a slash at its end.
        let text: String
        /// In lower case.
        let host: String

        /// An `http` or `https` URL without a user, a password, a query and a fragment; a slash at its end may be missing. Throws `misuse`.
        public init(_ text: String) throws(ImageError) {
            func wrong(_ why: String) -> ImageError {
                ImageError(
                    .misuse, stage: .resolve, "A base URL is written like https://images.example.org/pictures/; here \(why).")
            }
            let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
            guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()), let url = URL(asWritten: text),
                let host = url.host, url.authorityFault == nil
            else { throw wrong("the scheme or the host is missing or wrong") }
            let authority = parts[1].prefix { !"/?#".contains($0) }
            guard authority.utf8.allSatisfy({ PercentEncoding.isLetterOrDigit($0) || ".-_:[]".utf8.contains($0) }) else {
                throw wrong("there is a user, or a host that is not written in ASCII")
            }
            guard !parts[1].contains("?"), !parts[1].contains("#") else { throw wrong("there is a query or a fragment") }
            var path = parts[1].dropFirst(authority.count).dropFirst()
            if path.hasSuffix("/") { path = path.dropLast() }
            if !path.isEmpty, let fault = RelativeSource.fault(String(path)) { throw wrong("the path is not plain: \(fault)") }
            self.text = "\(parts[0].lowercased())://\(authority)/" + (path.isEmpty ? "" : path + "/")
            self.host = host.lowercased()
        }

        /// The URL of a source without a scheme; one slash at its beginning counts for nothing. Throws `misuse`.
        func url(of source: String) throws(ImageError) -> String {
            let rest = source.hasPrefix("/") ? String(source.dropFirst()) : source
            if let fault = RelativeSource.fault(rest) {
                throw ImageError(.misuse, stage: .resolve, "The source does not stay below this service's base URL: \(fault).")
            }
            return text + rest
        }

        /// Whether a whole URL is one that ``url(of:)`` gives.
        func contains(_ source: String) -> Bool {
            source.hasPrefix(text) && RelativeSource.fault(String(source.dropFirst(text.count))) == nil
        }
    }
#endif
