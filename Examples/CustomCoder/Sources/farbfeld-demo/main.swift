import Farbfeld
import GannetCore
import GannetFetch
import GannetImages
import GannetTesting

// An image is written and read back by a coder that Gannet has never heard of.
let coders = CodersManager([FarbfeldCoder()])
let image = TestImages.still(try TestImages.discs(width: 320, height: 200))
let file = try ImageEncoding(coders: coders).encode(image, options: EncodeOptions(format: .farbfeld))
print("written: \(file.bytes.count) bytes")

// Found by its first bytes; checked against the limits; shrunk by Gannet, because farbfeld cannot shrink while it is read.
var options = DecodeOptions()
options.target = .size(.fit(80, 80))
let thumbnail = try ImageDecoding(coders: coders).decode(file.bytes, options: ResolvedDecodeOptions(options))
print("read: \(thumbnail.metadata.format?.identifier ?? "?") \(thumbnail.size)")

// In programs it is registered with a manager, or named for one request, whatever the bytes look like.
let configuration = ManagerConfiguration(memoryCache: nil, diskCache: nil, loaders: LoadersManager(), coders: CodersManager())
configuration.coders.add(FarbfeldCoder())
var request: ImageRequest = "https://example.org/a.ff"
request.decode.coder = FarbfeldCoder()
print("asked first: \(ImageManager(configuration: configuration).configuration.coders.coders.last?.identifier ?? "?")")
