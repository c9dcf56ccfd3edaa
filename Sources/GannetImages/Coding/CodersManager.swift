public import GannetCore
import Synchronization

/// The registered coders. The last one added is tried first; by content, never by name.
///
/// Can change at run time; running decodes keep their coder.
public final class CodersManager: Sendable {
    private struct State {
        var coders: [any ImageCoder] {
            didSet { (acceptHeader, version) = (nil, version + 1) }
        }
        var version = 0
        /// Every load asks for it.
        var acceptHeader: String?
        var readable: Set<ImageFormat>? {
            didSet { (acceptHeader, version) = (nil, version + 1) }
        }
    }

    private let state: Mutex<State>

    /// - Parameter coders: in the order of adding: the last one is tried first. Duplicate identifiers are kept.
    public init(_ coders: [any ImageCoder] = []) { state = Mutex(State(coders: coders)) }

    /// The coders in the order of adding.
    public var coders: [any ImageCoder] { state.withLock { $0.coders } }

    /// Replaces a coder with the same identifier, in its place; otherwise adds the coder last, so that it is tried first.
    public func add(_ coder: any ImageCoder) {
        state.withLock { state in
            if let index = state.coders.firstIndex(where: { $0.identifier == coder.identifier }) {
                state.coders[index] = coder
            } else {
                state.coders.append(coder)
            }
        }
    }

    /// Does nothing for an unknown identifier.
    public func remove(identifier: String) { state.withLock { $0.coders.removeAll { $0.identifier == identifier } } }

    /// Replaces the list atomically. The last coder is tried first.
    public func replaceAll(with coders: [any ImageCoder]) { state.withLock { $0.coders = coders } }

    /// The only formats that are decoded; nil: all of the coders'. Others are recognised and written as before, and no decoder
    /// is opened for them.
    package var readableFormats: Set<ImageFormat>? {
        get { state.withLock { $0.readable } }
        set { state.withLock { $0.readable = newValue } }
    }

    /// Throws `unsupported` for a format that is switched off.
    package func checkReadable(_ format: ImageFormat) throws(ImageError) {
        guard let readable = readableFormats, !readable.contains(format) else { return }
        throw ImageError(.unsupported, stage: .decode, "The image is \(format), which is switched off here.")
    }

    /// All decodable formats without repetition, in the order in which coders are tried.
    public var formats: [ImageFormat] {
        var seen: Set<ImageFormat> = []
        let readable = readableFormats
        return coders.reversed().flatMap(\.formats).filter { readable?.contains($0) != false && seen.insert($0).inserted }
    }

    /// The `Accept` header: the types of all coders, then anything. Videos are left out: a server with a choice would send one
    /// instead of an animation.
    public var acceptHeader: String {
        let (known, version) = state.withLock { ($0.acceptHeader, $0.version) }
        if let known { return known }
        // Without the lock: the formats are those of the user's coders.
        let header = makeAcceptHeader()
        state.withLock { if $0.version == version { $0.acceptHeader = header } }
        return header
    }

    private func makeAcceptHeader() -> String {
        let types = formats.compactMap(\.mimeTypes.first).filter { !$0.hasPrefix("video/") }
        return (types + ["image/*;q=0.8", "*/*;q=0.5"]).joined(separator: ",")
    }

    package enum Match: Sendable {
        case found(any ImageCoder, ImageFormat)
        /// The number of bytes from the start that are needed to decide.
        case needsMoreBytes(Int)
        case none
    }

    /// The coder of these bytes. The hint counts only if no coder recognises them.
    package func match(_ bytes: ByteRope, hint: ImageFormat? = nil) -> Match {
        bytes.withPrefix(4096) { match($0, of: bytes, hint) }
    }

    private func match(_ head: Span<UInt8>, of bytes: ByteRope, _ hint: ImageFormat?) -> Match {
        var needed: Int?
        let coders = coders
        for coder in coders.reversed() {
            switch coder.recognizes(head) {
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
        let coders = options.coder.map { [$0] } ?? coders
        for coder in coders.reversed() where coder.formats.contains(format) {
            if let encoder = try coder.makeEncoder(for: format, options: options) { return encoder }
        }
        return nil
    }
}
