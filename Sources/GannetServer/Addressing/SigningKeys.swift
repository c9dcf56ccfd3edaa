#if Server
    public import GannetCore
    import GannetPlatform

    /// The keys of HMAC-SHA-256 whose signatures a service accepts. While keys are exchanged there are several; the first one signs.
    public struct SigningKeys: Sendable, CustomStringConvertible {
        /// A key, and the salt that precedes a signed path.
        public struct Key: Sendable, CustomStringConvertible {
            var secret: [UInt8]
            var salt: [UInt8]

            /// `secret`: 16 bytes or more, from a random source.
            public init(secret: [UInt8], salt: [UInt8] = []) { (self.secret, self.salt) = (secret, salt) }

            /// Without the secret.
            public var description: String { "a signing key" }
        }

        /// The proof in an address that it is signed.
        enum Signature: Hashable, Sendable {
            /// 64 lower-case hexadecimal digits, the parameter `sig` of a query.
            case hexadecimal(String)
            /// The first part of a path, base64url without padding.
            case base64(String)
        }

        var keys: [Key]
        /// The bytes of a path's signature that are written and compared, 8 … 32: clients may have cut theirs off. Each byte less makes it 256
        /// times as easy to guess.
        package var pathBytes = 32 { didSet { pathBytes = min(max(pathBytes, 8), 32) } }

        /// The first key signs; all are accepted.
        public init(keys: [Key]) { self.keys = keys }

        /// Without the secrets.
        public var description: String { "\(keys.count) signing keys" }

        /// Compares with every key, each in constant time. The text is compared, not the bytes that it encodes, so that a
        /// signature has one spelling.
        func isRight(_ signature: Signature, of signed: String) -> Bool {
            var isRight = false
            for key in keys {
                let expected = text(signature, signed, key)
                // Never ends early: the time does not tell which key it was.
                if HMAC.isEqual(expected.own, expected.given) { isRight = true }
            }
            return isRight
        }

        private func text(_ signature: Signature, _ signed: String, _ key: Key) -> (own: String, given: String) {
            switch signature {
            case .hexadecimal(let given): (HMAC.sha256(signed.utf8, key: key.secret), given)
            case .base64(let given): (path(signed, key), given)
            }
        }

        /// The signature of a path, which begins with a slash.
        private func path(_ path: String, _ key: Key) -> String {
            Base64.urlText(of: Array(HMAC.sha256Bytes(key.salt + Array(path.utf8), key: key.secret).prefix(pathBytes)))
        }

        /// The signed form of an address of either kind: `sig=` is added to a query, and a path gets its signature as first part
        /// in place of what was there. Throws `misuse` for an address that the service would not understand.
        public func sign(_ target: String, presets: Presets = Presets()) throws(ImageError) -> String {
            guard let key = keys.first else { throw ImageError(.misuse, stage: .resolve, "Signing needs a key.") }
            let address = try ThumbnailAddress(target, presets: presets, sources: nil)
            switch address.form {
            case .query: return address.signedPart + "&sig=" + HMAC.sha256(address.signedPart.utf8, key: key.secret)
            case .cloudflare:
                let signature = HMAC.sha256(address.signedPart.utf8, key: key.secret)
                return CloudflareOptions.prefix + "sig=\(signature),"
                    + address.signedPart.dropFirst(CloudflareOptions.prefix.count)
            case .iiif:
                return IIIFAddress.prefix + path(address.signedPart, key)
                    + address.signedPart.dropFirst(IIIFAddress.prefix.count - 1) + (address.iiif?.rest ?? "")
            case .path: return address.prefix + "/" + path(address.signedPart, key) + address.signedPart
            }
        }

        /// Reads the file of a key of 16 bytes or more, or of a salt. A line feed at the end, as editors and `echo` add it, is not part of it; `hex:` and
        /// hexadecimal digits stand for bytes, as other services write them.
        public static func read(_ path: String, isKey: Bool = true) throws(ImageError) -> [UInt8] {
            var bytes = try POSIXFileSystem().read(WorkingFolder.absolute(path), maximumBytes: 4096, nofollow: false)
            if bytes.last == 10 { bytes.removeLast() }
            if bytes.starts(with: Array("hex:".utf8)) {
                guard let decoded = Hexadecimal.bytes(of: bytes.dropFirst(4)), !decoded.isEmpty else {
                    throw ImageError(.misuse, stage: .resolve, "\(path) has no hexadecimal digits after hex:.")
                }
                bytes = decoded
            }
            guard !isKey || bytes.count >= 16 else {
                throw ImageError(.misuse, stage: .resolve, "\(path) has fewer than 16 bytes of key.")
            }
            return bytes
        }
    }
#endif
