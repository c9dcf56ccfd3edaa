package import GannetCore

/// The tags by which a source lets its responses be purged: `Cache-Tag` (with commas, as Cloudflare and Akamai read it) and `Surrogate-Key` (with
/// spaces, as Fastly does).
package enum ResponseTags {
    /// In bytes. Longer ones are no tags.
    package static let longest = 256
    /// Of one response. Instead of further ones there is ``tooMany``.
    package static let maximumCount = 64
    /// In bytes, of all tags of one response: they are sent on in two fields, and proxies have 4 KiB for all fields.
    package static let maximumBytes = 1024
    /// Stands for the tags that were left out: a response that has it is void with each tag.
    package static let tooMany = "*"

    /// Each once, in order.
    package static func tags(of headers: HTTPHeaders) -> [String] {
        var found: [String] = []
        for value in headers.all("Cache-Tag") { add(value.split(separator: ","), to: &found) }
        for value in headers.all("Surrogate-Key") { add(value.split { $0 == " " || $0 == "\t" }, to: &found) }
        return found
    }

    private static func add(_ parts: [Substring], to found: inout [String]) {
        for part in parts {
            let tag = part.trimmedOWS()
            if tag.isEmpty || found.contains(tag) { continue }
            guard found.count < maximumCount, isTag(tag), found.reduce(tag.utf8.count, { $0 + $1.utf8.count }) <= maximumBytes
            else {
                if !found.contains(tooMany) { found.append(tooMany) }
                // Further tags would not be distinguished, and are not read.
                if found.count > maximumCount { return }
                continue
            }
            found.append(tag)
        }
    }

    /// Visible characters of ASCII without a comma, which both fields can carry.
    package static func isTag(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: ",") }
    }
}
