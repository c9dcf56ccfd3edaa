package import FoundationEssentials

/// The URL that a stored response came from, as it is written beside the bytes.
///
/// After a redirect, and where a key filter drops parameters, the query of that URL is no part of the entry's key. It may be a signature then, so
/// it is stored sealed.
package struct StoredPlace: Hashable, Sendable {
    private let text: String
    /// Of the sealed query; nil if the text is the URL itself.
    private let key: ScopeKey?

    /// As it was stored without a seal.
    package init(_ text: String) {
        self.text = HTTPAddress.normalized(text)
        key = nil
    }

    package init(_ url: URL) { self.init(url.absoluteString) }

    /// As it was stored by ``sealed(_:_:)``, or without a seal. `key` is only evaluated for sealed ones.
    package init(_ text: String, key: @autoclosure () -> ScopeKey) {
        self.text = HTTPAddress.normalized(text)
        self.key = text.contains(Self.mark) ? key() : nil
    }

    /// The text to store in place of a URL's. Its query cannot be read any more, only compared.
    package static func sealed(_ text: String, _ key: ScopeKey) -> String {
        guard let query = text.firstIndex(of: "?"), !text[query...].hasPrefix(mark) else { return text }
        return text[..<query] + mark + key.seal([String(text[query...])])
    }

    private static let mark = "?sealed="

    package func isOf(_ url: URL) -> Bool {
        let other = ImageSource.url(url).keyText
        if text == other { return true }
        return key.map { Self.sealed(other, $0) == text } ?? false
    }

    package static func == (left: StoredPlace, right: StoredPlace) -> Bool { left.text == right.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
