import Foundation
import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import SQLiteCache

// A manager whose disk tier is a database. Everything else, also the HTTP rules, stays as it is.
guard CommandLine.arguments.count == 3 else {
    print("usage: CustomCache DATABASE IMAGE-FILE")
    exit(64)
}
let cache = try SQLiteCache(path: CommandLine.arguments[1], byteLimit: 64 << 20)
let manager = ImageManager(
    configuration: ManagerConfiguration(
        memoryCache: MemoryCache(), diskCache: cache, loaders: LoadersManager(), coders: CodersManager([])))

let key = "example"
let bytes = Array(try Data(contentsOf: URL(filePath: CommandLine.arguments[2])))
try await manager.cache.storeData(ByteRope(bytes), forKey: key)
let found = try await manager.cache.data(forKey: key)
print("stored \(bytes.count) bytes, found \(found?.count ?? 0); the database holds \(try await cache.usage().count) entries")
