public import GannetCore

/// Several transformers, one after the other. - SDWebImage: SDImagePipelineTransformer. Kingfisher: `|>`.
public struct PipelineTransformer: ImageTransformer {
    /// In order; each is handed what the one before made. None: nothing is changed.
    public var transformers: [any ImageTransformer]

    /// In order. The context they see is that of the whole, so `TransformContext.metadata` is the original's for all of them.
    public init(_ transformers: [any ImageTransformer]) { self.transformers = transformers }

    /// The parts' identifiers in order, joined by `|`; nil if one of them has none.
    public var identifier: String? {
        let parts = transformers.map(\.identifier)
        return parts.contains(nil) ? nil : parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "|")
    }

    public var needsWholePicture: Bool { transformers.contains(where: \.needsWholePicture) }

    public func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        var result = bitmap
        for transformer in transformers {
            try ImageError.checkCancellation(stage: .transform)
            result = try transformer.transform(result, context: context)
        }
        return result
    }
}

/// A closure as a transformer. - Nuke: ImageProcessors.Anonymous. SDWebImage: filter transformers.
public struct ClosureTransformer: ImageTransformer {
    private let name: String?
    private let body: @Sendable (Bitmap, TransformContext) throws -> Bitmap

    /// `identifier` names what `body` does, parameters included; two closures with one name must do the same. Nil: results are
    /// neither stored nor shared. What `body` throws becomes `transformFailed` with the error beneath, unless it is an ``ImageError``.
    public init(identifier: String?, _ body: @escaping @Sendable (Bitmap, TransformContext) throws -> Bitmap) {
        name = identifier
        self.body = body
    }

    public var identifier: String? { name.map { TransformIdentifier.make("custom", [TransformIdentifier.escaped($0)]) } }

    public func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        do { return try body(bitmap, context) } catch {
            throw ImageError(error, code: .transformFailed, stage: .transform, "The transformer failed: \(error)")
        }
    }
}

/// Nothing. - Kingfisher: DefaultImageProcessor, whose identifier is empty too.
public struct IdentityTransformer: ImageTransformer, Hashable {
    /// Has no settings.
    public init() {}
    public var identifier: String? { "" }
    public func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap { bitmap }
}

extension ImageTransformer {
    /// This one, then `next`.
    public func then(_ next: any ImageTransformer) -> PipelineTransformer {
        PipelineTransformer(((self as? PipelineTransformer)?.transformers ?? [self]) + [next])
    }
}

extension ImageTransformer where Self == PipelineTransformer {
    /// One after the other.
    public static func pipeline(_ transformers: [any ImageTransformer]) -> Self { PipelineTransformer(transformers) }

    /// One after the other.
    public static func pipeline(_ transformers: any ImageTransformer...) -> Self { PipelineTransformer(transformers) }
}

extension ImageTransformer where Self == ClosureTransformer {
    /// A closure; see ``ClosureTransformer/init(identifier:_:)`` for what the identifier has to say.
    public static func custom(
        _ identifier: String?, _ body: @escaping @Sendable (Bitmap, TransformContext) throws -> Bitmap
    ) -> Self {
        ClosureTransformer(identifier: identifier, body)
    }
}

extension ImageTransformer where Self == IdentityTransformer {
    /// Changes nothing: the picture stays in the caches what it was.
    public static var identity: Self { IdentityTransformer() }
}
