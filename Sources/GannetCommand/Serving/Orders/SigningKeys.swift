#if CommandLine && HTTP
    import GannetCore
    import GannetPlatform

    /// The keys whose signatures a service accepts. While keys are exchanged there are several; the first one signs.
    struct SigningKeys: Sendable {
        /// A key, and the salt that precedes a signed path.
        struct Key: Sendable {
            var secret: [UInt8]
            var salt: [UInt8] = []
        }

        /// What a client sends to prove that an address is signed.
        enum Signature: Hashable, Sendable {
            /// 64 lower-case hexadecimal digits, the parameter `sig` of a query.
            case hexadecimal(String)
            /// The first part of a path, base64url without padding.
            case base64(String)
        }

        var keys: [Key]

        /// Compares with every key, each in constant time. The text is compared, not the bytes that it stands for, so that a
        /// signature has one spelling.
        func isRight(_ signature: Signature, of signed: String) throws(ImageError) -> Bool {
            var isRight = false
            for key in keys {
                let expected = try Self.text(signature, signed, key)
                // Never ends early: the time does not tell which key it was.
                if MessageAuthentication.isEqual(expected.own, expected.given) { isRight = true }
            }
            return isRight
        }

        private static func text(
            _ signature: Signature, _ signed: String, _ key: Key
        ) throws(ImageError) -> (own: String, given: String) {
            switch signature {
            case .hexadecimal(let given): (try MessageAuthentication.hex(signed, key: key.secret), given)
            case .base64(let given): (try path(signed, key), given)
            }
        }

        /// The signature of a path, which begins with a slash.
        private static func path(_ path: String, _ key: Key) throws(ImageError) -> String {
            Base64URL.encode(try MessageAuthentication.code(key.salt + Array(path.utf8), key: key.secret))
        }

        /// The signed form of an address of either kind: `sig=` is added to a query, and a path gets its signature as first part
        /// in place of what was there. Throws `misuse` for an address that the service would not understand.
        func sign(_ target: String, presets: Presets = Presets()) throws(ImageError) -> String {
            guard let key = keys.first else { throw ImageError(.misuse, stage: .resolve, "Signing needs a key.") }
            let address = try ThumbnailAddress(target, presets: presets)
            switch address.form {
            case .query:
                return address.signedPart + "&sig=" + (try MessageAuthentication.hex(address.signedPart, key: key.secret))
            case .path: return address.prefix + "/" + (try Self.path(address.signedPart, key)) + address.signedPart
            }
        }

        /// Reads a key of 16 bytes or more. A line feed at the end, as editors and `echo` add it, is not part of it; `hex:` and
        /// hexadecimal digits stand for bytes, as other services write them.
        static func read(_ path: String, isKey: Bool = true) throws(ImageError) -> [UInt8] {
            var bytes = try POSIXFileSystem().read(WorkingFolder.absolute(path), maximumBytes: 4096, nofollow: false)
            if bytes.last == 10 { bytes.removeLast() }
            if bytes.starts(with: Array("hex:".utf8)) {
                guard let decoded = hexadecimal(bytes.dropFirst(4)) else {
                    throw ImageError(.misuse, stage: .resolve, "\(path) has no hexadecimal digits after hex:.")
                }
                bytes = decoded
            }
            guard !isKey || bytes.count >= 16 else {
                throw ImageError(.misuse, stage: .resolve, "\(path) has fewer than 16 bytes of key.")
            }
            return bytes
        }

        private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
            let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard values.count == digits.count, values.count.isMultiple(of: 2), !values.isEmpty else { return nil }
            return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
        }
    }
#endif
