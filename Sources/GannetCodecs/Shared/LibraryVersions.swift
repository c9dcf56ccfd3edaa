import CGannetShims

/// The C libraries of this build with the versions that they say they have, sorted by name.
package enum LibraryVersions {
    package static var all: [(name: String, version: String)] {
        let entries = [gannet_library](unsafeUninitializedCapacity: 32) { entries, count in
            count = gannet_libraries(entries.baseAddress, entries.count)
        }
        return entries.map { (text($0.name), text($0.version)) }
    }

    /// The text of a C array that ends with a zero.
    private static func text<Field>(_ field: Field) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
