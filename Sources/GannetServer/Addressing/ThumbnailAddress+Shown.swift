#if Server
    import GannetCore
    import GannetSupport

    /// Addresses as logs and traces show them: without signatures, and without the values of sources' queries, so that readers cannot repeat
    /// the requests.
    extension ThumbnailAddress {
        var shown: String {
            let source = GannetCore.Redaction.url(source)
            switch form {
            case .query: return signedPart.prefix { $0 != "?" } + "?url=\(source)"
            case .cloudflare:
                let options = signedPart.dropFirst(CloudflareOptions.prefix.count).prefix { $0 != "/" }
                return CloudflareOptions.prefix + options + "/" + source
            case .iiif:
                return IIIFAddress.prefix + PercentEncoding.encoded(source, keepsSlashes: false) + (iiif?.rest ?? "")
            case .path:
                let options = signedPart.dropFirst().split(separator: "/").prefix { $0.contains(":") && !$0.hasSuffix(":") }
                let place = encrypted == nil ? ["plain", source] : ["enc"]
                return ([prefix + "/_"] + options.map(Self.shownOption) + place).joined(separator: "/")
            }
        }

        /// Without the URL of another source.
        private static func shownOption(_ option: Substring) -> String {
            let name = option.prefix { $0 != ":" }
            return ["fallback_image_url", "fiu", "watermark_url", "wmu"].contains(name) ? name + ":…" : String(option)
        }

        /// Its form, the same for all addresses of a form.
        var route: String {
            switch form {
            case .query: "/{width}x{height}/{mode}"
            case .path: prefix + "/{signature}/{options}/{source}"
            case .cloudflare: CloudflareOptions.prefix + "{options}/{source}"
            case .iiif:
                switch iiif?.kind {
                case .image: IIIFAddress.prefix + "{identifier}/{region}/{size}/{rotation}/{quality}"
                case .description: IIIFAddress.prefix + "{identifier}/info.json"
                case .identifier, nil: IIIFAddress.prefix + "{identifier}"
                }
            }
        }

        /// For a target that is no address: the beginning of its path.
        static func shown(_ target: String) -> String { TextRedaction.text(String(target.prefix { $0 != "?" }.prefix(200))) }
    }
#endif
