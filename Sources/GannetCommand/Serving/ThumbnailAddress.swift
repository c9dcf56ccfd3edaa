#if CommandLine && HTTP
    import FoundationEssentials
    import GannetCore

    /// The parsed target of a thumbnail request: `/WIDTHxHEIGHT/MODE?url=SOURCE[&format=FORMAT][&quality=N][&sig=HEX]`.
    struct ThumbnailAddress: Equatable, Sendable {
        var box: Box
        var mode: TargetSize.Mode
        var source: String
        /// The source's host, in lower case.
        var host: String
        /// Nil: the server chooses.
        var format: ImageFormat?
        var quality: Int?
        /// Everything before `&sig=`, which was signed; `signature` is the rest.
        var signedPart: String
        var signature: String?

        /// `target` is the request target as received. Throws `misuse` with a message for the client.
        init(_ target: String) throws(ImageError) {
            guard target.utf8.count <= 8192 else { throw Self.wrong("The address is longer than 8192 bytes.") }
            let parts = target.components(separatedBy: "&sig=")
            guard parts.count <= 2 else { throw Self.wrong("sig must stand once, at the end.") }
            signedPart = parts[0]
            signature = parts.count == 2 ? parts[1] : nil
            guard let components = URLComponents(string: "http://localhost" + signedPart) else {
                throw Self.wrong("The address is no valid URL.")
            }
            let path = components.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
            guard path.count == 2, let box = Box(path[0]), let mode = TargetSize.Mode(rawValue: path[1]) else {
                throw Self.wrong("The path must be /WIDTHxHEIGHT/fit, /WIDTHxHEIGHT/fill or /WIDTHxHEIGHT/stretch.")
            }
            (self.box, self.mode) = (box, mode)
            var source: String?
            var (format, quality): (ImageFormat?, Int?) = (nil, nil)
            for item in components.queryItems ?? [] {
                switch item.name {
                case "url" where source == nil: source = item.value
                case "format" where format == nil:
                    format = item.value.flatMap(ImageFormat.named)
                    guard format != nil else { throw Self.wrong("There is no format \(item.value ?? "").") }
                case "quality" where quality == nil:
                    quality = item.value.flatMap { Int($0) }
                    guard let quality, (0...100).contains(quality) else { throw Self.wrong("quality is 0 to 100.") }
                default: throw Self.wrong("\(item.name) is unknown or stands twice.")
                }
            }
            guard let source, let url = URL(asWritten: source), let host = url.host, !host.isEmpty,
                ["http", "https"].contains(url.scheme?.lowercased() ?? ""), (0...65_535).contains(url.port ?? 0)
            else { throw Self.wrong("url must be an http or https URL, percent-encoded.") }
            (self.source, self.host) = (source, host.lowercased())
            (self.format, self.quality) = (format, quality)
        }

        private static func wrong(_ message: String) -> ImageError { ImageError(.misuse, stage: .resolve, message) }
    }
#endif
