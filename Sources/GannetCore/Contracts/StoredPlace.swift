package import FoundationEssentials

/// The URL of a stored response, as written next to the bytes.
///
/// After a redirect, and with a key filter that drops parameters, the URL's query is not part of the entry's key. It may then
/// be a signature, so it is stored sealed.
package struct StoredPlace: Hashable, Sendable {
    private let text: String
    /// Key of the sealed query; nil if the text is the URL itself.
    private let key: ScopeKey?

    /// A URL stored without a seal.
    package init(_ text: String) {
        self.text = HTTPAddress.normalized(text)
        key = nil
    }

    package init(_ url: URL) { self.init(url.absoluteString) }

    /// A URL stored by ``sealed(_:_:)``, or without a seal. `key` is evaluated only for sealed ones.
    package init(_ text: String, key: @autoclosure () -> ScopeKey) {
        self.text = HTTPAddress.normalized(text)
        self.key = text.contains(Self.mark) ? key() : nil
    }

    /// The text to store instead of a URL. Its query can no longer be read, only compared.
    package static func sealed(_ text: String, _ key: ScopeKey) -> String {
        guard let query = text.firstIndex(of: "?"), !text[query...].hasPrefix(mark) else { return text }
        return String(text[..<query]) + mark + key.seal([String(text[query...])])
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
