import FoundationEssentials
package import GannetCore

/// Loads `data:` URLs, RFC 2397: base64 or percent-encoded.
package struct DataURLLoader: ImageLoader {
    /// Has no options: the byte limit comes with each request.
    package init() {}

    package var identifier: String { "data-url" }
    package var isRemote: Bool { false }

    package func canLoad(_ source: ImageSource) -> Bool {
        if case .url(let url) = source { url.scheme?.lowercased() == "data" } else { false }
    }

    /// Throws `corrupt` for invalid URLs and `limitExceeded` for too many bytes.
    package func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
        guard case .url(let url) = request.source else {
            throw ImageError(.misuse, stage: .load, "The source is no data URL.", source: request.source.redactedDescription)
        }
        let parsed = try Self.parse(url.absoluteString, maximumBytes: request.maximumBytes)
        return LoadResponse(
            body: .bytes(ByteRope(parsed.bytes)), origin: .data, expectedBytes: parsed.bytes.count, mimeType: parsed.mimeType)
    }

    /// `data:[type][;parameter…][;base64],bytes`. Spaces in the head count for nothing (Fetch standard, data: URL processor); a URL has
    /// them as escapes.
    package static func parse(_ text: String, maximumBytes: Int = .max) throws(ImageError) -> (mimeType: String, bytes: [UInt8]) {
        let utf8 = Array(text.utf8)
        guard text.prefix(5).lowercased() == "data:", let comma = utf8.firstIndex(of: UInt8(ascii: ",")) else {
            throw ImageError(.corrupt, stage: .load, "The data URL has no comma between its type and its bytes.")
        }
        let parts = PercentEncoding.decodedText(String(decoding: utf8[5..<comma], as: UTF8.self))
            .split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.filter { !$0.isWhitespace }.lowercased() }
        let type = parts.first.flatMap { $0.isEmpty ? nil : $0 } ?? "text/plain"
        let payload = utf8[(comma + 1)...].prefix { $0 != UInt8(ascii: "#") }
        // A byte takes at least one character, or three bytes four: refuse before decoding.
        let isBase64 = parts.last == "base64" && parts.count > 1
        guard payload.count / (isBase64 ? 4 : 3) <= maximumBytes else { throw tooLarge(maximumBytes) }
        let plain = PercentEncoding.decoded(payload)
        let bytes = isBase64 ? try base64Decoded(plain) : plain
        guard bytes.count <= maximumBytes else { throw tooLarge(maximumBytes) }
        return (type, bytes)
    }

    private static func tooLarge(_ maximum: Int) -> ImageError {
        ImageError(
            .limitExceeded, stage: .load,
            "The data URL has more than \(maximum) bytes. Raise maximumEncodedBytes to allow it.")
    }

    /// Accepts both alphabets, white space, and missing padding; anything else is `corrupt`.
    package static func base64Decoded(_ text: [UInt8]) throws(ImageError) -> [UInt8] {
        if let bytes = Base64.decoded(text) { return bytes }
        throw ImageError(
            .corrupt, stage: .load,
            "The base64 text is damaged: it contains another character, ends in the middle of a byte, or has padding where none belongs."
        )
    }
}
