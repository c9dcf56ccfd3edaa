// The hot paths, each once, for a program that counts instructions (scripts/guard.sh). Prepares everything first: only what runs
// inside of `measured` counts. Prints the names in order.
import BenchmarkSupport
import GannetCache
import GannetCodecs
import GannetCore
import GannetFetch
import GannetImages

/// The guard collects what runs between entering and leaving this function; scripts/guard.sh knows its mangled name.
@inline(never) public func measured() { work() }

nonisolated(unsafe) var work: () -> Void = {}

func path(_ name: String, _ body: @escaping () throws -> Void) rethrows {
    // Once before: tables that are made at first use, pools, lazy statics.
    try body()
    work = { do { try body() } catch { fatalError("\(name): \(error)") } }
    measured()
    print(name)
}

func drawn(_ width: Int, _ height: Int, isOpaque: Bool = true) throws -> Bitmap {
    var buffer = try PixelBuffer(
        PixelLayout(size: PixelSize(clamping: width, height), alpha: isOpaque ? .opaque : .premultiplied))
    for y in 0..<height {
        var row = buffer.mutableRow(y)
        for x in 0..<width {
            let alpha = isOpaque ? 255 : (x + y) & 255
            row[x * 4] = UInt8(((x * 3 + y) & 255) * alpha / 255)
            row[x * 4 + 1] = UInt8(((x ^ y) & 255) * alpha / 255)
            row[x * 4 + 2] = UInt8((x * y / 64) % 256 * alpha / 255)
            row[x * 4 + 3] = UInt8(alpha)
        }
    }
    return buffer.freeze()
}

let opaque = try drawn(640, 480)
let clear = try drawn(640, 480, isOpaque: false)
let transformers: [(String, Bitmap, any ImageTransformer)] = [
    ("resize automatic", opaque, .resize(width: 100, height: 75)),
    ("resize lanczos3", opaque, .resize(width: 320, height: 240, filter: .lanczos3)),
    ("enlarge catmullRom", opaque, .resize(width: 960, height: 720, filter: .catmullRom)),
    ("blur 2", opaque, .blur(radius: 2)), ("blur 20", opaque, .blur(radius: 20)),
    ("round corners", opaque, .roundCorners(radius: 40)), ("rotate 17", clear, .rotate(degrees: 17)),
    ("rotate 90", opaque, .rotate(degrees: 90)), ("tint multiply", clear, .tint(.red, mode: .multiply)),
    ("color controls", clear, .colorControls(saturation: 1.5)), ("overlay", clear, .overlay(.blue)),
]
for (name, picture, transformer) in transformers {
    try path(name) { _ = try picture.transformed(by: transformer) }
}
try path("thumb hash") { _ = try ThumbHash.bytes(for: opaque) }

let coders = CodersManager(BuiltInCoders.all)
let encoding = ImageEncoding(coders: coders)
let decoding = ImageDecoding(coders: coders)
let metadata = ImageMetadata(format: nil, originalSize: opaque.size)
for format in [ImageFormat.png, .qoi, .gif, .bmp] {
    let picture = DecodedImage.still(format == .png || format == .qoi ? clear : opaque, metadata)
    let bytes = try encoding.encode(picture, options: EncodeOptions(format: format)).bytes
    try path("decode \(format.identifier)") { _ = try decoding.decode(bytes, options: ResolvedDecodeOptions()) }
}
let jpeg = try encoding.encode(.still(opaque, metadata), options: EncodeOptions(format: .jpeg)).bytes
var small = DecodeOptions()
small.target = .size(.fit(100, 100))
try path("thumbnail jpeg") { _ = try decoding.decode(jpeg, options: ResolvedDecodeOptions(small)) }

let memory = MemoryCache()
let manager = ImageManager(
    configuration: ManagerConfiguration(
        memoryCache: memory, diskCache: nil, loaders: LoadersManager([LoadersManager.memoryLoader]), coders: coders))
let request = ImageRequest("https://example.org/picture.jpg", .fit(100, 100))
memory.store(CachedImage(image: .still(opaque, metadata)), for: CacheKey(try manager.cacheKey(for: request)))
guard manager.cachedImage(for: request) != nil else { fatalError("the picture is not in memory") }
path("memory hit") { for _ in 0..<100 where manager.cachedImage(for: request) == nil { fatalError("a miss") } }
try path("request key") { for _ in 0..<100 { _ = try manager.cacheKey(for: request) } }

// Without options a hit makes no keys.
let plain: ImageRequest = "https://example.org/photo.jpg"
memory.store(CachedImage(image: .still(opaque, metadata)), for: CacheKey(try manager.cacheKey(for: plain)))
guard manager.cachedImage(for: plain) != nil else { fatalError("the image is not in memory") }
path("memory hit, plain") { for _ in 0..<100 where manager.cachedImage(for: plain) == nil { fatalError("a miss") } }
