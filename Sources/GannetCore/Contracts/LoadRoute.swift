/// The way of a load's requests to their servers: through a cache, in a download slot.
package protocol LoadRoute: LoadSlot {
    /// Sends the request of one hop. `transport`: the way to the server, for what nothing stored answers.
    func send(_ request: HTTPRequest, over transport: any HTTPTransport) async throws(ImageError) -> HTTPResponse
}

/// A loader that sends each of its requests through ``LoadRequest/route``, and leaves the rules of HTTP caches to it.
package protocol RoutedLoader: ImageLoader {}

/// Reads whole files at once, without a network: what bounds such loads is memory.
package protocol LocalLoader: ImageLoader {}
