// Fetches one URL by the rules of HTTP caching, over AsyncHTTPClient:
//
//     with-async-http-client https://example.org/data.json

import AsyncHTTPClient
import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch

guard let url = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else { fatalError("Give a URL.") }
var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
configuration.timeout.read = .seconds(15)
let client = HTTPClient(configuration: configuration)
let cache = DiskCache(DiskCacheConfiguration(directory: "/tmp/with-async-http-client", byteLimit: 64 << 20))
let fetcher = ByteFetcher(
    loaders: LoadersManager([HTTPLoader(transport: ClientTransport(client: client))]), cache: cache)
do {
    let fetched = try await fetcher.fetch(FetchRequest(ImageRequest(.url(url))))
    print("\(fetched.encoded?.bytes.count ?? 0) bytes from \(fetched.origin)")
} catch { print(error) }
try await client.shutdown()
