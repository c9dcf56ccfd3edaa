import Gannet

// Packs a small image into an archive, and loads it from there: once from the file, once from memory.
//
//     swift run --package-path Examples/CustomLoader

let folder = "/tmp/gannet-custom-loader"
let archive = try Demo.writeArchive(in: folder)

// The loader added last is tried first; the standard ones handle everything that it does not claim.
var options = StandardOptions()
options.cacheDirectory = nil
let configuration = try ManagerConfiguration.standard(options)
configuration.loaders.add(TarLoader())
let manager = ImageManager(configuration: configuration)

for _ in 0..<2 {
    let picture = try await manager.image(for: ImageSource("tar://\(archive)?birds/gannet.ppm"))
    print("\(picture.size.width) × \(picture.size.height) pixels from \(picture.origin.rawValue)")
}
do {
    _ = try await manager.image(for: ImageSource("tar://\(archive)?birds/dodo.ppm"))
} catch {
    print(error)
}
