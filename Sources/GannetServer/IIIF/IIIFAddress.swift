#if Server
    import GannetCore

    /// The path of an address as the IIIF Image API 3.0 has it: `/iiif/[SIGNATURE/]IDENTIFIER`, and `/info.json` or
    /// `/REGION/SIZE/ROTATION/QUALITY.FORMAT` behind it. The identifier is the percent-encoded address of a source.
    struct IIIFAddress: Equatable, Sendable {
        enum Kind: Equatable, Sendable { case identifier, description, image }

        static let prefix = "/iiif/"

        var kind: Kind
        /// As received, with a signature if there is one.
        var identifier: String
        /// The same without the signature.
        var source: Substring
        var signature: Substring?
        /// Behind the identifier.
        var rest: String

        /// Throws `misuse`, and `notFound` where there can be no identifier.
        init(_ target: String) throws(ImageError) {
            guard !target.contains("?") else { throw IIIFOptions.wrong("Addresses of IIIF have no query.") }
            let parts = target.dropFirst(Self.prefix.count).split(separator: "/", omittingEmptySubsequences: false)
            let count: Int
            if parts.count > 1, parts.last == "info.json" {
                (kind, count) = (.description, parts.count - 1)
            } else if parts.count > 4 {
                (kind, count) = (.image, parts.count - 4)
            } else {
                (kind, count) = (.identifier, parts.count)
            }
            guard count <= 2, let source = parts[..<count].last, !source.isEmpty else {
                throw ImageError(
                    .notFound, stage: .resolve,
                    "An address of IIIF is /iiif/IDENTIFIER/info.json or /iiif/IDENTIFIER/region/size/rotation/quality.format; slashes in the identifier are written %2F."
                )
            }
            identifier = parts[..<count].joined(separator: "/")
            self.source = source
            signature = count == 2 ? parts[0] : nil
            rest = parts[count...].map { "/" + $0 }.joined()
        }

        /// The part that a signature covers: viewers choose the rest.
        var signedPart: String { Self.prefix + source }

        func options() throws(ImageError) -> IIIFOptions? {
            guard kind == .image else { return nil }
            return try IIIFOptions(
                rest.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(PercentEncoding.decodedText))
        }
    }
#endif
