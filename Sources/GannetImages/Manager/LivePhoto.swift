import FoundationEssentials
public import GannetCore
import GannetPlatform

/// One file of a live photo. - Kingfisher: LivePhotoResource
public struct LivePhotoResource: Hashable, Sendable {
    /// The kind of a file; decides which part is the still and which is the video.
    package enum FileType: Hashable, Sendable {
        /// The still.
        case heic
        /// The video.
        case mov
        /// Anything else, by its file extension without a dot; empty: not known by its name.
        case other(String)

        /// The extension without a dot; empty if it is not known.
        package var fileExtension: String {
            switch self {
            case .heic: "heic"
            case .mov: "mov"
            case .other(let name): name
            }
        }

        init(fileExtension: String) {
            switch fileExtension.lowercased() {
            case "heic": self = .heic
            case "mov": self = .mov
            default: self = .other(fileExtension)
            }
        }
    }

    /// Where the file comes from.
    public var source: ImageSource
    /// The key in the caches; nil: the source's own.
    public var cacheKey: String?
    /// The type as given, or by the source's name.
    package var fileType: FileType

    /// `fileExtension` (without a dot) nil: what the end of the source's name says. `heic` is the still, `mov` the video.
    public init(_ source: ImageSource, cacheKey: String? = nil, fileExtension: String? = nil) {
        self.init(source, cacheKey: cacheKey, fileType: fileExtension.map { FileType(fileExtension: $0) })
    }

    package init(_ source: ImageSource, cacheKey: String? = nil, fileType: FileType?) {
        self.source = source
        self.cacheKey = cacheKey
        self.fileType = fileType ?? FileType(fileExtension: Self.fileExtension(of: source))
    }

    /// A type that was given or is known by the name counts; else what the bytes say: the brand of their first box.
    package func determinedFileType(of bytes: ByteRope) -> FileType {
        guard fileType == .other("") else { return fileType }
        let head = bytes.prefix(12)
        guard head.count == 12, String(decoding: head[4..<8], as: UTF8.self) == "ftyp" else { return fileType }
        switch String(decoding: head[8..<12], as: UTF8.self) {
        case "heic", "heix", "hevc", "hevx", "mif1": return .heic
        case "qt  ": return .mov
        default: return fileType
        }
    }

    private static func fileExtension(of source: ImageSource) -> String {
        let text: Substring
        switch source {
        case .url(let url): text = url.parts.path
        case .file(let path): text = Substring(path)
        case .data, .provider: return ""
        }
        let name = text.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return String(name[name.index(after: dot)...])
    }
}

/// A live photo that is here: each of its files, in the order of its source.
public struct LivePhoto: Sendable {
    /// One file of the live photo, as its source has it.
    public struct Part: Sendable {
        /// The resource that this file was loaded for.
        public var resource: LivePhotoResource
        package var fileType: LivePhotoResource.FileType
        /// `heic`, `mov` or another, as it was given or by the source's name, else by the bytes. Without a dot; empty: unknown.
        public var fileExtension: String { fileType.fileExtension }
        /// The whole file; nothing is decoded.
        public var bytes: ByteRope
        /// Where the bytes came from.
        public var origin: LoadedImage.Origin
    }

    /// The files in the order of the resources, none missing.
    public var parts: [Part]

    /// The first file that is not a video; nil if there is none.
    public var still: Part? { parts.first { $0.fileType != .mov } }
    /// The first `mov`; nil if there is none.
    public var video: Part? { parts.first { $0.fileType == .mov } }

    /// Writes each part as `folder/name.extension` and returns the paths; files of that name are replaced. **Blocks.**
    ///
    /// Parts of one extension get numbers from the second one on. Throws `io`.
    public func write(toFolder folder: String, named name: String) throws(ImageError) -> [String] {
        let files = POSIXFileSystem()
        var paths: [String] = []
        for part in parts {
            let ending = part.fileType.fileExtension.isEmpty ? "" : "." + part.fileType.fileExtension
            var path = "\(folder)/\(name)\(ending)"
            var number = 1
            while paths.contains(path) {
                number += 1
                path = "\(folder)/\(name)-\(number)\(ending)"
            }
            let new = path + ".part"
            try? files.remove(new)
            try files.write([part.bytes.contiguous()], toNew: new, sync: false)
            try files.rename(new, to: path)
            paths.append(path)
        }
        return paths
    }
}
