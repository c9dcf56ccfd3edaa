import GannetCodecs
import GannetCore

/// Every coder of this build.
enum AvailableCoders {
    static let all: [any ImageCoder] = {
        var coders: [any ImageCoder] = []
        #if GIF
            coders.append(GIFCoder())
        #endif
        #if WebP
            coders.append(WebPCoder())
        #endif
        #if JPEG
            coders.append(JPEGCoder())
        #endif
        return coders
    }()

    static func knows(_ format: String) -> Bool {
        all.contains { $0.formats.contains { $0.identifier == (format == "apng" ? "png" : format) } }
    }

    /// The coder that knows these bytes, asked in the order of ``all``.
    static func recognizing(_ bytes: [UInt8]) -> (coder: any ImageCoder, format: ImageFormat)? {
        for coder in all {
            if case .yes(let format) = coder.recognizes(Array(bytes.prefix(4096)).span) { return (coder, format) }
        }
        return nil
    }
}
