public import GannetCore
import Synchronization

/// The registered coders. The last one added is asked first; by content, never by name.
///
/// May be changed at run time; running decodes keep the coder they found.
public final class CodersManager: Sendable {
    private let registered: Mutex<[any ImageCoder]>

    /// In the order they would be added: the last one is asked first. Equal identifiers are not sorted out.
    public init(_ coders: [any ImageCoder] = []) { registered = Mutex(coders) }

    /// In the order they were added.
    public var coders: [any ImageCoder] { registered.withLock { $0 } }

    /// Replaces a coder of the same identifier, in its place; otherwise adds it last, so that it is asked first.
    public func add(_ coder: any ImageCoder) {
        registered.withLock { coders in
            if let index = coders.firstIndex(where: { $0.identifier == coder.identifier }) {
                coders[index] = coder
            } else {
                coders.append(coder)
            }
        }
    }

    /// Does nothing if there is none.
    public func remove(identifier: String) { registered.withLock { $0.removeAll { $0.identifier == identifier } } }

    /// In one step: no decode sees half of the list. The last one is asked first.
    public func replaceAll(with coders: [any ImageCoder]) { registered.withLock { $0 = coders } }

    /// All formats that can be decoded, without repetition, the first coder asked first.
    public var formats: [ImageFormat] {
        var seen: Set<ImageFormat> = []
        return coders.reversed().flatMap(\.formats).filter { seen.insert($0).inserted }
    }

    /// What to send as `Accept`: the types of all coders, then anything. Films are not asked for: a server that may choose would send
    /// one in place of an animation.
    public var acceptHeader: String {
        let types = formats.compactMap(\.mimeTypes.first).filter { !$0.hasPrefix("video/") }
        return (types + ["image/*;q=0.8", "*/*;q=0.5"]).joined(separator: ",")
    }

    package enum Match: Sendable {
        case found(any ImageCoder, ImageFormat)
        /// So many bytes from the start are needed to say.
        case needsMoreBytes(Int)
        case none
    }

    /// Who decodes these bytes. The hint counts only where nobody recognises them.
    package func match(_ bytes: ByteRope, hint: ImageFormat? = nil) -> Match {
        let head = bytes.prefix(4096)
        var needed: Int?
        let coders = coders
        for coder in coders.reversed() {
            switch coder.recognizes(head.span) {
            case .yes(let format): return needed == nil || bytes.isComplete ? .found(coder, format) : .needsMoreBytes(needed ?? 0)
            case .needsMoreBytes(let count): if !bytes.isComplete, count > bytes.count { needed = min(needed ?? count, count) }
            case .no: break
            }
        }
        if let needed { return .needsMoreBytes(needed) }
        if let hint, let coder = coders.last(where: { $0.formats.contains(hint) }) { return .found(coder, hint) }
        return .none
    }

    /// The format of these bytes by their content; nil if no coder knows it.
    public func format(of bytes: ByteRope) -> ImageFormat? {
        if case .found(_, let format) = match(bytes) { format } else { nil }
    }

    package func encoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
        for coder in coders.reversed() where coder.formats.contains(format) {
            if let encoder = try coder.makeEncoder(for: format, options: options) { return encoder }
        }
        return nil
    }
}
