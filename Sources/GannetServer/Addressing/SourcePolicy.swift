#if Server
    import FoundationEssentials
    import GannetCore
    import GannetFetch
    import Glibc

    /// Decides which sources a thumbnail service fetches: those on named hosts, those of ``ConfiguredSources``, and those with a signed address.
    public struct SourcePolicy: Sendable {
        /// Host names in lower case; a leading dot means all hosts below it.
        public var hosts: Set<String>
        /// Nil: signatures are not used.
        public var keys: SigningKeys?
        /// Addresses without a signature may use every format and option too.
        public var allowsCostly: Bool

        /// `hosts`: as in URLs, in any case.
        public init(hosts: [String], keys: SigningKeys? = nil, allowsCostly: Bool = false) {
            self.hosts = Set(hosts.map { $0.lowercased() })
            self.keys = keys
            self.allowsCostly = allowsCostly
        }

        /// Exactly one host can be fetched from.
        var namesOneHost: Bool { keys == nil && hosts.count == 1 && hosts.first?.hasPrefix(".") == false }

        /// Throws `blocked`. A signature must be right even for an allowed host.
        func check(_ address: ThumbnailAddress, now: Timestamp) throws(ImageError) {
            if let signature = address.signature {
                guard let keys, keys.isRight(signature, of: address.signedPart) else {
                    throw Self.refused("The signature is wrong.")
                }
            } else {
                guard address.encrypted == nil else {
                    throw Self.refused("An address with an encrypted source needs a signature.")
                }
                guard address.sourceKind.isConfigured || allows(address.host),
                    address.otherSources.allSatisfy({ $0.kind.isConfigured || allows($0.host) })
                else { throw Self.refused("This host is not allowed here, and the address is not signed.") }
                guard allowsCostly || !address.isCostly else {
                    throw Self.refused(
                        "Without a signature, this service makes JPEG, PNG and WebP of a size and quality without metadata, and what its presets say."
                    )
                }
            }
            if let expires = address.expires, now.milliseconds / 1000 >= expires {
                throw Self.refused("This address has expired.")
            }
        }

        private static func refused(_ message: String) -> ImageError { ImageError(.blocked, stage: .resolve, message) }

        /// Normalises a host as in URLs: without brackets, port, scheme or path. Nil if it can never be a host.
        public static func host(_ text: String) -> String? {
            let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
            let host = isBracketed ? String(text.dropFirst().dropLast()) : text
            var address = in6_addr()
            if host.contains(":") || isBracketed { return inet_pton(AF_INET6, host, &address) == 1 ? host : nil }
            let labels = (host.hasPrefix(".") ? host.dropFirst() : host[...]).split(
                separator: ".", omittingEmptySubsequences: false)
            let isName = host.utf8.allSatisfy { $0 > 32 && $0 != 127 && !"/\\@?#%[]*,".utf8.contains($0) }
            return isName && !labels.contains("") ? host : nil
        }

        func allows(_ host: String) -> Bool {
            let host = host.lowercased()
            if hosts.contains(host) { return true }
            return hosts.contains { $0.hasPrefix(".") && host.hasSuffix($0) }
        }
    }

    /// Follows redirects only to allowed hosts, or back to the requested host.
    struct AllowedRedirects: RedirectHandler {
        var policy: SourcePolicy
        var identifier: String? { "allowed-hosts" }

        func redirect(from head: HTTPResponseHead, to request: HTTPRequest) async -> HTTPRequest? {
            guard let host = request.url.host, (0...65_535).contains(request.url.port ?? 0) else { return nil }
            return policy.allows(host) ? request : nil
        }
    }
#endif
