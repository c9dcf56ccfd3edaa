public import GannetCore

/// Several transformers in sequence. - SDWebImage: SDImagePipelineTransformer. Kingfisher: `|>`.
public struct PipelineTransformer: ImageTransformer {
    /// The transformers in order; each receives the previous one's result. An empty list changes nothing.
    public var transformers: [any ImageTransformer]

    /// The context is that of the whole pipeline: `TransformContext.metadata` is the original's for every transformer.
    public init(_ transformers: [any ImageTransformer]) { self.transformers = transformers }

    /// The parts' identifiers in order, joined by `|`; nil if one of them has none.
    public var identifier: String? {
        let parts = transformers.map(\.identifier)
        return parts.contains(nil) ? nil : parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "|")
    }

    public var needsWholeImage: Bool { transformers.contains(where: \.needsWholeImage) }

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

    /// `identifier` names the effect of `body`, parameters included; closures with the same identifier must do the same. Nil:
    /// results are neither stored nor shared. Errors of `body` become `transformFailed` with the underlying error, unless they
    /// are ``ImageError``.
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

/// Changes nothing. - Kingfisher: DefaultImageProcessor, whose identifier is empty too.
public struct IdentityTransformer: ImageTransformer, Hashable {
    /// Has no options.
    public init() {}
    public var identifier: String? { "" }
    public func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap { bitmap }
}

extension ImageTransformer {
    /// This transformer, then `next`.
    public func then(_ next: any ImageTransformer) -> PipelineTransformer {
        PipelineTransformer(((self as? PipelineTransformer)?.transformers ?? [self]) + [next])
    }
}

extension ImageTransformer where Self == PipelineTransformer {
    /// Transformers in sequence.
    public static func pipeline(_ transformers: [any ImageTransformer]) -> Self { PipelineTransformer(transformers) }

    /// Transformers in sequence.
    public static func pipeline(_ transformers: any ImageTransformer...) -> Self { PipelineTransformer(transformers) }
}

extension ImageTransformer where Self == ClosureTransformer {
    /// A closure as a transformer; see ``ClosureTransformer/init(identifier:_:)`` about the identifier.
    public static func custom(
        _ identifier: String?, _ body: @escaping @Sendable (Bitmap, TransformContext) throws -> Bitmap
    ) -> Self {
        ClosureTransformer(identifier: identifier, body)
    }
}

extension ImageTransformer where Self == IdentityTransformer {
    /// Changes nothing: cache entries stay those of the original.
    public static var identity: Self { IdentityTransformer() }
}
