import GannetCore

/// The names of entries in shared stores. All entries of a source have one group, and are found and removed together.
enum SharedNames {
    /// Follows the source in the key of everything that is made of it.
    private static let separator: UInt8 = 1

    /// 32 hexadecimal digits. Not safe against crafted collisions: readers of an entry compare its key.
    static func group(of text: String) -> String {
        Digest128(String(Substring(text.utf8.prefix { $0 != separator }))).hex
    }

    /// Nil: keys with this prefix may be in any group.
    static func group(ofPrefix prefix: String) -> String? {
        prefix.utf8.contains(separator) ? group(of: prefix) : nil
    }

    /// For objects: the group, a slash and a digest of the key.
    static func object(_ key: CacheKey) -> String { group(of: key.text) + "/" + key.digest.hex }

    /// Whether a name, without the location's prefix, has the form of ``object(_:)``. Other objects belong to other programs.
    static func isObject(_ name: some StringProtocol) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                part.utf8.count == 32 && part.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
            }
    }
}
