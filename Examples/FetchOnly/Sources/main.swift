// Fetches a URL twice through a disk cache that follows RFC 9111, and says where the bytes came from:
//
//     fetch-only https://example.org/data.json

import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetHTTP
import Glibc

guard let url = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else {
    print("Usage: fetch-only URL")
    exit(64)
}
let folder = "/tmp/fetch-only-cache"
let cache = DiskCache(DiskCacheConfiguration(directory: folder, byteLimit: 64 << 20))
let fetcher = ByteFetcher(
    loaders: LoadersManager([HTTPLoader(transport: try CURLTransport())]), cache: cache)
for _ in 0..<2 {
    let fetched = try await fetcher.fetch(FetchRequest(ImageRequest(.url(url))))
    guard let encoded = fetched.encoded else { continue }
    print("\(encoded.bytes.count) bytes from \(fetched.origin)")
}
try await cache.flush()
