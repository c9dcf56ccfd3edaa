/// The name in an ICC profile, as programs show it: its profileDescriptionTag (ICC.1:2022 §9.2.41).
package enum ICCProfileName {
    /// Without control characters, at most 100 characters; nil: there is none that can be read. Every offset in the profile is checked.
    package static func of(_ profile: [UInt8]) -> String? {
        func long(_ offset: Int) -> Int? {
            guard offset >= 0, offset + 4 <= profile.count else { return nil }
            return profile[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        func word(_ tag: String) -> Int { tag.utf8.reduce(0) { $0 << 8 | Int($1) } }
        // Profiles have some dozens of tags.
        for index in 0..<min(long(128) ?? 0, 200) {
            let entry = 132 + index * 12
            guard long(entry) == word("desc"), let start = long(entry + 4), let type = long(start) else { continue }
            switch type {
            // A name in ASCII with its length (ICC.1:2001 §6.5.17).
            case word("desc"):
                guard let count = long(start + 8), count <= profile.count - (start + 12) else { return nil }
                return text(String(decoding: profile[start + 12..<start + 12 + count].prefix { $0 != 0 }, as: UTF8.self))
            // Names in several languages, in UTF-16: the first one.
            case word("mluc"):
                guard long(start + 8) ?? 0 > 0, let count = long(start + 20), let offset = long(start + 24),
                    offset <= profile.count - start, count <= profile.count - start - offset
                else { return nil }
                let units = stride(from: start + offset, to: start + offset + count - count % 2, by: 2).prefix(400).map {
                    UInt16(profile[$0]) << 8 | UInt16(profile[$0 + 1])
                }
                return text(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
            default: return nil
            }
        }
        return nil
    }

    private static func text(_ text: String) -> String? {
        let visible = text.unicodeScalars.filter {
            switch $0.properties.generalCategory {
            case .control, .format, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        let words = String(String.UnicodeScalarView(visible)).split(separator: " ").joined(separator: " ")
        return words.isEmpty ? nil : String(words.prefix(100))
    }
}
