/// The response to `ListObjectsV2`, as far as it is needed
/// (<https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html>).
struct S3Listing: Equatable, Sendable {
    struct Object: Equatable, Sendable {
        /// Without the prefix of the place.
        var name: String
        var bytes: Int
    }

    /// A thousand names of a kilobyte, all escaped.
    static let maximumBytes = 8 << 20

    var objects: [Object] = []
    /// For the next page; nil: this was the last one.
    var next: String?

    /// Nil: it is no such response. The elements that are read have no attributes and no elements of the same name in them, so a
    /// look for their tags is enough. Objects outside of the prefix are left out.
    init?(_ text: String, prefix: String) {
        guard text.contains("<ListBucketResult") else { return nil }
        var rest = text[...]
        while let part = Self.content(of: "Contents", in: &rest) {
            var (inner, again) = (part, part)
            guard let key = Self.content(of: "Key", in: &inner), let size = Self.content(of: "Size", in: &again),
                let bytes = Int(size)
            else { return nil }
            let name = Self.unescaped(key)
            if name.hasPrefix(prefix) { objects.append(Object(name: String(name.dropFirst(prefix.count)), bytes: bytes)) }
        }
        var whole = text[...]
        if let token = Self.content(of: "NextContinuationToken", in: &whole), !token.isEmpty { next = Self.unescaped(token) }
    }

    /// Of the first element with this name, which `text` begins behind from then on.
    private static func content(of name: String, in text: inout Substring) -> Substring? {
        guard let start = text.firstRange(of: "<\(name)>") else { return nil }
        guard let end = text[start.upperBound...].firstRange(of: "</\(name)>") else { return nil }
        defer { text = text[end.upperBound...] }
        return text[start.upperBound..<end.lowerBound]
    }

    /// The five entities of XML; an ampersand is the last, so that nothing is replaced twice.
    private static func unescaped(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        let entities = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&"),
        ]
        return entities.reduce(String(text)) { text, entity in
            text.split(separator: entity.0, omittingEmptySubsequences: false).joined(separator: entity.1)
        }
    }
}
