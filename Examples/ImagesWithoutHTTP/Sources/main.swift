// Writes a thumbnail of a JPEG or PNG file:
//
//     thumbnail photo.jpg small.png

import FoundationEssentials
import GannetCodecs
import GannetCore
import GannetFetch
import GannetImages
import Glibc

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    print("Usage: thumbnail FILE OUTPUT.png")
    exit(64)
}
let coders = CodersManager(BuiltInCoders.all)
let manager = ImageManager(
    configuration: ManagerConfiguration(memoryCache: nil, diskCache: nil, loaders: LoadersManager(), coders: coders))
let loaded = try await manager.image(for: .file(arguments[1]), .fit(256, 256))
let encoded = try ImageEncoding(coders: coders).encode(loaded.image, options: EncodeOptions(format: .png))
try Data(encoded.bytes.contiguous()).write(to: URL(filePath: arguments[2]))
print("\(arguments[2]): \(loaded.image.size), \(encoded.bytes.count) bytes")
