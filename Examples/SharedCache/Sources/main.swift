// Loads images through a folder and a Redis, and says where each came from. Others with the same Redis find
// there what this machine fetched:
//
//     shared-cache redis://127.0.0.1:6379 https://example.org/a.jpg https://example.org/b.jpg

import Gannet
import GannetSharedCaches
import Glibc

let arguments = CommandLine.arguments.dropFirst()
guard let address = arguments.first, arguments.count > 1 else {
    print("Usage: shared-cache REDIS URL…")
    exit(64)
}
let redis = try RedisCache(address) { print($0) }
var configuration = try ManagerConfiguration.standard()
configuration.diskCache = CachesManager([redis, DiskCache()], store: .serial)
let manager = ImageManager(configuration: configuration)
for source in arguments.dropFirst() {
    let loaded = try await manager.image(for: ImageRequest(ImageSource(source), .fit(400, 400)))
    print("\(source): \(loaded.size.width) × \(loaded.size.height) pixels from \(loaded.origin)")
}
try await manager.waitForStores()
