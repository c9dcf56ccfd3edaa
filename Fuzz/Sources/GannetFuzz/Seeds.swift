import GannetCore
import GannetTesting
import Glibc

/// Small files of a format, made by its own encoder when they are needed: none is kept in the project.
enum Seeds {
    static func write(format: String, folder: String) -> Bool {
        guard let target = FuzzTarget(format: format) else {
            print("No coder of this build knows \(format).")
            return false
        }
        var written = 0
        for (index, image) in images().enumerated() {
            for (variant, options) in variants.enumerated() {
                do {
                    guard let encoder = try target.coder.makeEncoder(for: target.format, options: options) else { continue }
                    let bytes = try encoder.encode(image)
                    guard let file = fopen("\(folder)/\(format)-\(index)-\(variant)", "wb") else { return false }
                    defer { fclose(file) }
                    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { return false }
                    written += 1
                } catch {
                    print("seed \(index), variant \(variant): \(error)")
                    return false
                }
            }
        }
        print("\(written) seeds of \(format)")
        return true
    }

    private static let variants = [
        EncodeOptions(), EncodeOptions(quality: 20, progressive: true), EncodeOptions(firstFrameOnly: true, effort: 0),
    ]

    private static func images() -> [DecodedImage] {
        let stills = [
            try? TestImages.gradient(width: 17, height: 11), try? TestImages.discs(width: 16, height: 12),
            try? TestImages.flat(width: 12, height: 9), try? TestImages.flat(width: 12, height: 9, isOpaque: false),
            try? TestImages.noise(width: 5, height: 4),
        ]
        let animations = [try? TestImages.animation(frames: 3), try? TestImages.animation(frames: 3, clears: true)]
        return stills.compactMap { $0.map(TestImages.still) } + animations.compactMap { $0.map(DecodedImage.animated) }
    }
}
