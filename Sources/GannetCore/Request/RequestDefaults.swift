/// What a manager's options for all requests come to.
package struct RequestDefaults: Sendable {
    /// Without a source: only the slices count.
    package let options: ImageRequest
    /// They change nothing.
    package let isPlain: Bool

    package static let none = RequestDefaults([])

    package init(_ options: [RequestOption]) {
        self.options = ImageRequest(source: .file("")).with(options)
        isPlain = options.isEmpty
    }
}
