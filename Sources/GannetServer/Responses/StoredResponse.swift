#if Server
    package import GannetCore

    /// The response to an address, and how long it may be sent again: byte for byte, with the same tag, whichever store or replica it comes
    /// from.
    package struct StoredResponse: Sendable {
        /// As in `Content-Type`.
        package var mimeType: String
        /// A strong entity tag with its quotes (RFC 9110 §8.8.3), made from the bytes alone.
        package private(set) var tag: String
        /// The body.
        package private(set) var bytes: [UInt8]
        /// That of the source.
        package var freshness: Freshness

        /// O(n) for the tag.
        package init(mimeType: String, bytes: [UInt8], freshness: Freshness) {
            self.mimeType = mimeType
            self.bytes = Self.fitted(bytes)
            self.freshness = freshness
            tag = "\"\(String(Checksum.xxh3(bytes), radix: 16))-\(bytes.count)\""
        }

        /// Without the room for more that an array has which grew byte by byte, up to as much again: responses stay in memory for long, and
        /// their bytes alone are counted.
        private static func fitted(_ bytes: [UInt8]) -> [UInt8] {
            guard bytes.capacity - bytes.count > bytes.count / 16 + 64 else { return bytes }
            var fitted: [UInt8] = []
            fitted.reserveCapacity(bytes.count)
            fitted += bytes
            return fitted
        }

        /// As the manager has it.
        var file: EncodedImage {
            EncodedImage(bytes: ByteRope(bytes), format: ImageFormat.named(mimeType), freshness: freshness)
        }
    }

    /// The address without its signature, the negotiated format, and everything else that decides the bytes. Equal keys have equal
    /// responses, also at another replica, and after a restart with other options.
    package struct ResponseKey: Hashable, Sendable {
        let source: String
        /// Of the source: what purges it.
        let scopes: PurgeScopes
        /// ``ProcessingOptions/keyText``, the format, or the formats to choose from, and the service's own part in it.
        let rendering: String

        /// The version of the rendering code. It is increased when equal options give another image, so that no response of an earlier version
        /// is sent.
        static let renderer = 6

        init(_ address: ThumbnailAddress, _ choice: FormatChoice, of configuration: ThumbnailService.Configuration) {
            scopes = PurgeScopes(ofSource: ImageSource(address.source).keyText)
            source = Self.source(of: address)
            let options = address.options
            var rendering = "\(Self.renderer)|\(options.keyText)|" + choice.keyText
            // The side that an address leaves open has it.
            if options.width == nil || options.height == nil { rendering += "|side \(configuration.maximumSide)" }
            if options.watermark != nil { rendering += "|mark " + configuration.watermarkName }
            self.rendering = rendering
        }

        /// Of a description, or of one for IIIF, which has the image's address in it.
        init(info address: ThumbnailAddress, iiif: String? = nil) {
            scopes = PurgeScopes(ofSource: ImageSource(address.source).keyText)
            source = Self.source(of: address)
            let description = iiif.map { "iiif " + $0 } ?? "info \(address.info.keyText)"
            rendering = "\(Self.renderer)|\(description)|\(address.options.keyText)"
        }

        /// Apart from equal names in another folder, or at another server.
        private static func source(of address: ThumbnailAddress) -> String {
            address.sourceKind.name.isEmpty ? address.source : address.source + "\u{1}" + address.sourceKind.name
        }

        /// The scopes follow from the source.
        package static func == (left: ResponseKey, right: ResponseKey) -> Bool {
            left.source == right.source && left.rendering == right.rendering
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(source)
            hasher.combine(rendering)
        }

        /// Of the work for it.
        var job: CacheKey { CacheKey(source + "\u{1}" + rendering) }

        /// For stores that outlive the process. A digest, because addresses of sources may contain secrets. All responses of a source have one
        /// prefix.
        package var stored: CacheKey { CacheKey(SHA256.hex(source.utf8) + "/" + SHA256.hex(rendering.utf8)) }
    }
#endif
