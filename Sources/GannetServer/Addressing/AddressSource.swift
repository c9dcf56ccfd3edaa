#if Server
    import FoundationEssentials
    import GannetCore
    import GannetSharedCaches

    /// The source of an address. A configured source has one URL, whatever its spelling.
    struct AddressSource: Hashable, Sendable {
        var url: String
        /// In lower case; for sources without a host, the folder or bucket, which counts as one in admission control.
        var host: String
        var kind: SourceKind

        /// `text`: decoded once, as the address has it. Names of files and objects are everything in it, byte for byte: they are not decoded
        /// again, so that they have one reading. `sources` nil: those of any service, to read an address alone. Throws `misuse`, and
        /// `blocked` for a bucket that is no source.
        init(_ text: String, in sources: ConfiguredSources?) throws(ImageError) {
            switch Self.scheme(of: text) {
            case FolderLoader.scheme: try self.init(folder: text.dropFirst(FolderLoader.scheme.count + 1), sources)
            case S3Loader.scheme: try self.init(bucket: text.dropFirst(S3Loader.scheme.count + 1), sources)
            case nil: try self.init(relative: text, sources)
            default: try self.init(web: URLEscapes.trimmed(text), sources)
            }
        }

        /// The text before a colon in the first part of a path, in lower case (RFC 3986 §4.2), even if it is no scheme.
        private static func scheme(of text: String) -> String? {
            let start = text.prefix { !"/?#\\:".contains($0) }
            return start.endIndex < text.endIndex && text[start.endIndex] == ":" ? start.lowercased() : nil
        }

        private init(folder rest: Substring, _ sources: ConfiguredSources?) throws(ImageError) {
            guard rest.hasPrefix("//") else { throw Self.wrong("A file of the folder is written like local:///a/b.jpg.") }
            let path = try FolderPath(String(rest.dropFirst(2)))
            if let sources, sources.folder == nil { throw Self.wrong("This service has no folder of sources.") }
            url = FolderLoader.url(of: path)
            host = "local:"
            kind = .folder(name: sources?.folder?.name ?? "")
        }

        private init(bucket rest: Substring, _ sources: ConfiguredSources?) throws(ImageError) {
            guard rest.hasPrefix("//") else { throw Self.wrong("An object is written like s3://bucket/a/b.jpg.") }
            let object = try S3Object(String(rest.dropFirst(2)))
            if let sources, sources.buckets?.names.contains(object.bucket) != true {
                throw ImageError(.blocked, stage: .resolve, "This bucket is no source of this service.")
            }
            url = S3Loader.url(of: object)
            host = "s3:" + object.bucket
            kind = .bucket(name: sources?.buckets?.identifier ?? "")
        }

        private init(web text: String, _ sources: ConfiguredSources?) throws(ImageError) {
            host = try Self.host(of: text)
            url = ByteText.escaped(text)
            kind = sources?.base?.contains(text) == true ? .base : .web
        }

        private init(relative text: String, _ sources: ConfiguredSources?) throws(ImageError) {
            if let base = sources?.base {
                url = try base.url(of: text)
                host = base.host
            } else {
                guard sources == nil, !text.isEmpty else { throw Self.noURL }
                url = text
                host = ""
            }
            kind = .base
        }

        /// The host of an http or https URL, in lower case. A user or a password is refused: they would be sent to the source,
        /// and addresses are read by many. An escape in a host means another host to some readers than to others.
        private static func host(of source: String) throws(ImageError) -> String {
            guard let url = URL(asWritten: source), let host = url.host, !host.isEmpty,
                ["http", "https"].contains(url.scheme?.lowercased() ?? ""), (0...65_535).contains(url.port ?? 0)
            else { throw noURL }
            let authority = source.drop { $0 != ":" }.dropFirst().drop { $0 == "/" || $0 == "\\" }
                .prefix { !"/?#\\".contains($0) }
            guard url.user == nil, url.password == nil, !authority.contains("@") else {
                throw wrong("A source with a user or a password is not fetched: addresses are no place for them.")
            }
            guard !authority.contains("%"), SourcePolicy.host(host) != nil else {
                throw wrong("The source's host is not the name or the address of a host.")
            }
            return host.lowercased()
        }

        private static var noURL: ImageError { wrong("The source must be an http or https URL, percent-encoded.") }

        private static func wrong(_ message: String) -> ImageError { ImageError(.misuse, stage: .resolve, message) }
    }
#endif
