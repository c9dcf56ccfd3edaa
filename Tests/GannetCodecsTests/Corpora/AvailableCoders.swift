import GannetCodecs
import GannetCore
import GannetImages

/// Every coder of this build, as the library registers them.
enum AvailableCoders {
    static let manager = CodersManager(BuiltInCoders.all)

    static func knows(_ format: String) -> Bool {
        manager.formats.contains { $0.identifier == (format == "apng" ? "png" : format) }
    }

    /// The coder that is chosen for these bytes.
    static func recognizing(_ bytes: ByteRope) -> (coder: any ImageCoder, format: ImageFormat)? {
        guard case .found(let coder, let format) = manager.match(bytes) else { return nil }
        return (coder, format)
    }
}
