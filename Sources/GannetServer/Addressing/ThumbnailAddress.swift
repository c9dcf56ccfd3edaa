#if Server
    import FoundationEssentials
    import GannetCore

    /// The parsed target of a request, in one of four forms:
    ///
    /// - a query: `/WIDTHxHEIGHT/MODE?url=SOURCE[&format=FORMAT][&quality=N][&expires=SECONDS][&sig=HEX]`;
    /// - a path: `/SIGNATURE/OPTION/…/plain/SOURCE[@FORMAT]`, `/SIGNATURE/OPTION/…/BASE64URL[.FORMAT]` or
    ///   `/SIGNATURE/OPTION/…/enc/BASE64URL[.FORMAT]`, as imgproxy has it;
    /// - `/cdn-cgi/image/[sig=HEX,]OPTION=VALUE,…/SOURCE`, as Cloudflare has it; the source is not encoded, and ends with the target;
    /// - `/iiif/…`, see ``IIIFAddress``.
    ///
    /// Before a path, `/info` requests a description of the source instead of an image.
    struct ThumbnailAddress: Equatable, Sendable {
        enum Form: Equatable, Sendable { case query, path, cloudflare, iiif }

        /// In bytes, with the query.
        static let maximumLength = 8192

        /// Words in place of a signature.
        static let unsignedWords: Set<String> = ["_", "insecure", "unsafe"]

        var form: Form
        var options: ProcessingOptions
        /// Its one URL; empty until ``decrypt(with:)`` where it is encrypted.
        var source: String
        /// The source's host, in lower case, or its folder or bucket.
        var host: String
        var sourceKind: SourceKind
        /// The source as the address has it, where it is encrypted.
        private(set) var encrypted: [UInt8]?
        /// Shown in place of a source that fails.
        private(set) var fallback: AddressSource?
        /// Drawn in place of the operator's watermark.
        private(set) var watermark: AddressSource?
        /// `/info`, or empty.
        var prefix = ""
        private(set) var iiif: IIIFAddress?
        /// What `/info` tells beside the header.
        var info = InfoOptions()
        /// It leaves the quality open, and the operator has another one for clients that save data.
        var leavesQualityToClient = false
        /// The part that the signature covers, as received: the query form up to `&sig=`, the path after the signature, Cloudflare's form
        /// without its `sig`, or the identifier of IIIF.
        var signedPart: String
        var signature: SigningKeys.Signature?
        /// Of a path: what stands before the source, from slash to slash, and the format behind it.
        private var optionsPart = ""
        private var formatPart: String?
        /// The expiry, in seconds since 1970.
        var expires: Int64?
        /// Has options that need a signature, other than by a preset.
        var isCostly: Bool

        /// Nothing stored is used: it was void before, or leads to what is.
        var asksAgain = false

        var isInfo: Bool { !prefix.isEmpty }

        /// `target` is the request target as received. `sources` nil: those of any service, to read an address alone. Throws
        /// `misuse`, or `blocked`, with a message for the client.
        init(
            _ target: String, presets: Presets = Presets(), sources: ConfiguredSources? = ConfiguredSources()
        ) throws(ImageError) {
            guard target.hasPrefix("/") else { throw Self.wrong("An address begins with a slash.") }
            guard target.utf8.count <= Self.maximumLength else {
                throw Self.wrong("The address is longer than \(Self.maximumLength) bytes.")
            }
            // Readers of a target disagree on whether it ends there.
            guard !target.utf8.contains(UInt8(ascii: "#")) else {
                throw Self.wrong("A number sign in an address is written %23.")
            }
            if target.hasPrefix(CloudflareOptions.prefix) {
                try self.init(cloudflare: target, presets: presets, sources)
            } else if target.hasPrefix(IIIFAddress.prefix) {
                try self.init(iiif: target, presets: presets, sources)
            } else if Self.isPath(target) {
                try self.init(path: target, presets: presets, sources)
            } else {
                guard !presets.areRequired else { throw Self.wrong("Addresses have the form /SIGNATURE/PRESET/SOURCE here.") }
                try self.init(query: target, sources)
            }
        }

        /// The other form ends with a query.
        private static func isPath(_ target: String) -> Bool {
            let path = target.prefix { $0 != "?" }
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count > 2 && path.count == target.count
        }

        // MARK: A query

        private init(query target: String, _ sources: ConfiguredSources?) throws(ImageError) {
            let halves = target.components(separatedBy: "&sig=")
            guard halves.count <= 2, halves.count == 1 || !halves[1].contains("&") else {
                throw Self.wrong("sig must stand once, at the end.")
            }
            form = .query
            signedPart = halves[0]
            signature = halves.count == 2 ? .hexadecimal(halves[1]) : nil
            let parts = URLParts(signedPart)
            let path = PercentEncoding.decodedText(parts.path).split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                .map(String.init)
            guard path.count == 2, let box = Self.box(path[0]), let mode = Self.modes[path[1]] else {
                throw Self.wrong(
                    "The path must be /WIDTHxHEIGHT/fit, /WIDTHxHEIGHT/fill or /WIDTHxHEIGHT/stretch, or /SIGNATURE/OPTIONS/SOURCE."
                )
            }
            options = ProcessingOptions()
            (options.width, options.height, options.mode) = (box.width, box.height, mode)
            var source: String?
            for item in (parts.query ?? "").split(separator: "&") {
                let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = PercentEncoding.decodedText(halves[0])
                let value = halves.count > 1 ? PercentEncoding.decodedText(halves[1]) : nil
                switch name {
                case "url" where source == nil: source = value
                case "format" where options.format == nil && !options.isBest:
                    options.format = value.flatMap(ImageFormat.named)
                    options.isBest = value == OptionReader.best
                    guard options.format != nil || options.isBest else {
                        throw Self.wrong("There is no format \(value?.prefix(32) ?? "").")
                    }
                case "quality" where options.quality == nil:
                    options.quality = value.flatMap { Int($0) }
                    guard let quality = options.quality, (0...100).contains(quality) else {
                        throw Self.wrong("quality is 0 to 100.")
                    }
                case "expires" where expires == nil:
                    expires = value.flatMap { Int64($0) }
                    guard let expires, expires >= 0 else { throw Self.wrong("expires is seconds since 1970.") }
                default: throw Self.wrong("\(name.prefix(64)) is unknown or stands twice.")
                }
            }
            guard let source else { throw Self.wrong("url is missing: the address of an image, percent-encoded.") }
            let found = try AddressSource(source, in: sources)
            (self.source, host, sourceKind) = (found.url, found.host, found.kind)
            isCostly = !options.costs.isEmpty
        }

        private static let modes: [String: ProcessingOptions.ResizingType] = ["fit": .fit, "fill": .fill, "stretch": .stretch]

        /// `WIDTHxHEIGHT` in pixels.
        private static func box(_ text: String) -> PixelSize? {
            let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
            return PixelSize(width: width, height: height)
        }

        // MARK: A path

        private init(path target: String, presets: Presets, _ sources: ConfiguredSources?) throws(ImageError) {
            form = .path
            (source, host, sourceKind) = ("", "", .web)
            var rest = target[...]
            if rest.hasPrefix("/info/") {
                prefix = "/info"
                rest = rest.dropFirst(5)
            }
            let word = rest.dropFirst().prefix { $0 != "/" }
            signature = Self.unsignedWords.contains(String(word)) ? nil : .base64(String(word))
            signedPart = String(rest.dropFirst(1 + word.count))
            var parts = signedPart.dropFirst().split(separator: "/", omittingEmptySubsequences: false)[...]
            var reader = OptionReader(presets: presets)
            if presets.named["default"] != nil { try reader.apply(preset: "default") }
            if presets.areRequired {
                for name in Self.option(parts.popFirst() ?? "").split(separator: ":", omittingEmptySubsequences: false) {
                    try reader.apply(preset: String(name))
                }
            } else {
                while let part = parts.first.map(Self.option), part.contains(":") {
                    let isFact = prefix.isEmpty ? false : try info.read(PathOption(parsing: part))
                    if !isFact { try reader.read(part) }
                    parts.removeFirst()
                }
            }
            guard let first = parts.first else { throw Self.wrong("The address has no source after its options.") }
            optionsPart = String(signedPart.dropLast(parts.joined(separator: "/").count))
            var text = ""
            var format: Substring?
            var bytes: [UInt8]?
            switch first {
            case "plain": (text, format) = try Self.plain(parts.dropFirst().joined(separator: "/"))
            case "enc": (bytes, format) = try Self.encoded(parts.dropFirst().joined())
            default:
                let source = try Self.encoded(parts.joined())
                (text, format) = (ByteText.text(of: source.0), source.1)
            }
            formatPart = format.map { String($0) }
            if let format {
                guard !presets.areRequired else { throw Self.wrong("There is no format \(format.prefix(32)) here.") }
                try reader.read(format: String(format))
            }
            (options, expires, isCostly) = (reader.options, reader.expires, reader.isCostly || info.isCostly)
            try readOtherSources(in: sources)
            encrypted = bytes
            if bytes == nil { name(try AddressSource(text, in: sources)) }
        }

        private mutating func readOtherSources(in sources: ConfiguredSources?) throws(ImageError) {
            func source(_ text: String?) throws(ImageError) -> AddressSource? {
                try text.map { text throws(ImageError) in try AddressSource(text, in: sources) }
            }
            fallback = try source(options.fallbackURL)
            watermark = try source(options.watermarkURL)
        }

        private mutating func name(_ found: AddressSource) { (source, host, sourceKind) = (found.url, found.host, found.kind) }

        /// Those beside ``source``.
        var otherSources: [AddressSource] { [fallback, watermark].compactMap { $0 } }

        /// The same of another source.
        func replacingSource(by other: AddressSource) -> ThumbnailAddress {
            var address = self
            address.name(other)
            return address
        }

        /// Only after the signature was found right: see ``SourceEncryption``. Throws `misuse` and `blocked`.
        mutating func decrypt(with sources: ConfiguredSources) throws(ImageError) {
            guard let encrypted else { return }
            guard let encryption = sources.encryption else { throw Self.wrong("This service has no key of encrypted sources.") }
            guard let text = encryption.decrypted(encrypted) else {
                throw ImageError(.blocked, stage: .resolve, "The source was not encrypted with the key of this service.")
            }
            name(try AddressSource(text, in: sources))
        }

        /// The same address, without a signature, with its source encrypted. Throws `misuse` for other forms than a path.
        func encrypted(by encryption: SourceEncryption) throws(ImageError) -> String {
            guard form == .path, encrypted == nil else {
                throw Self.wrong("Only a path with a source that is not encrypted yet can have an encrypted one.")
            }
            return prefix + "/_" + optionsPart + "enc/" + (try encryption.encrypted(source)) + (formatPart.map { "." + $0 } ?? "")
        }

        // MARK: Cloudflare's

        private init(cloudflare target: String, presets: Presets, _ sources: ConfiguredSources?) throws(ImageError) {
            guard !presets.areRequired else { throw Self.wrong("Addresses have the form /SIGNATURE/PRESET/SOURCE here.") }
            let rest = target.dropFirst(CloudflareOptions.prefix.count)
            let text = rest.prefix { $0 != "/" }
            let given = try CloudflareOptions(text)
            form = .cloudflare
            (source, host, sourceKind) = ("", "", .web)
            prefix = given.isInfo ? "/info" : ""
            let unsigned = text.split(separator: ",").filter { !$0.hasPrefix("sig=") }.joined(separator: ",")
            signedPart = CloudflareOptions.prefix + unsigned + rest.dropFirst(text.count)
            signature = given.signature.map { .hexadecimal($0) }
            var reader = OptionReader(presets: presets)
            if presets.named["default"] != nil { try reader.apply(preset: "default") }
            for part in given.parts { try reader.read(part) }
            (options, expires, isCostly) = (reader.options, reader.expires, reader.isCostly)
            try readOtherSources(in: sources)
            // Proxies make one slash of two.
            var source = String(rest.dropFirst(text.count + 1))
            for scheme in ["https:/", "http:/"] where source.hasPrefix(scheme) && !source.hasPrefix(scheme + "/") {
                source = scheme + "/" + source.dropFirst(scheme.count)
            }
            name(try AddressSource(source, in: sources))
        }

        // MARK: IIIF

        private init(iiif target: String, presets: Presets, _ sources: ConfiguredSources?) throws(ImageError) {
            guard !presets.areRequired else { throw Self.wrong("Addresses have the form /SIGNATURE/PRESET/SOURCE here.") }
            let place = try IIIFAddress(target)
            (form, iiif) = (.iiif, place)
            (signedPart, signature) = (place.signedPart, place.signature.map { .base64(String($0)) })
            options = ProcessingOptions()
            options.iiif = try place.options()
            options.format = options.iiif?.format
            // Whoever serves IIIF allows what viewers ask for: parts, turns, and large sizes.
            isCostly = false
            let found = try AddressSource(PercentEncoding.decodedText(place.source), in: sources)
            (source, host, sourceKind) = (found.url, found.host, found.kind)
        }

        /// Clients that encode each part of a path also encode its colons.
        private static func option(_ part: Substring) -> String {
            let isEncoded = !part.contains(":") && part.lowercased().contains("%3a")
            return (isEncoded ? percentDecoded(part) : nil) ?? String(part)
        }

        /// Percent-encoded, then perhaps `@` and a format: an `@` of the URL itself is `%40`.
        private static func plain(_ text: String) throws(ImageError) -> (String, Substring?) {
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count <= 2, let source = percentDecoded(parts[0]) else {
                throw wrong("The source after plain/ is no percent-encoded URL.")
            }
            return (source, parts.count == 2 ? parts[1] : nil)
        }

        /// Nil if it is no part of a path (RFC 3986 §3.3). Escapes need not be UTF-8.
        static func percentDecoded(_ text: some StringProtocol) -> String? {
            text.contains { "?#".contains($0) } ? nil : PercentEncoding.decodedText(text)
        }

        private static func encoded(_ text: String) throws(ImageError) -> ([UInt8], Substring?) {
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let bytes = Base64.bytes(ofURLText: parts[0], allowsPadding: true) else {
                throw wrong("The source is no base64url text; one in plain text follows plain/.")
            }
            return (bytes, parts.count == 2 ? parts[1] : nil)
        }

        private static func wrong(_ message: String) -> ImageError { ImageError(.misuse, stage: .resolve, message) }
    }
#endif
