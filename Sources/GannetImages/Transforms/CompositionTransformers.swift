public import GannetCore

/// Several transformers in sequence. - SDWebImage: SDImagePipelineTransformer. Kingfisher: `|>`.
package struct PipelineTransformer: GainMapTransformer {
    /// The transformers in order; each receives the previous one's result. An empty list changes nothing.
    package var transformers: [any ImageTransformer]

    /// The context is that of the whole pipeline: `TransformContext.metadata` is the original's for every transformer.
    package init(_ transformers: [any ImageTransformer]) { self.transformers = transformers }

    /// The parts' identifiers in order, each with its length; that of a single part is the part's own. Nil if a part has none.
    package var identifier: String? {
        let parts = transformers.map(\.identifier)
        if parts.contains(nil) { return nil }
        let names = parts.compactMap { $0 }.filter { !$0.isEmpty }
        if names.count < 2 { return names.first ?? "" }
        return "pipeline(" + names.map { "\($0.utf8.count):\($0)" }.joined() + ")"
    }

    package var needsWholeImage: Bool { transformers.contains(where: \.needsWholeImage) }

    package var keepsGainMap: Bool { transformers.dropsGainMap == nil }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        var result = bitmap
        for transformer in transformers {
            try ImageError.checkCancellation(stage: .transform)
            result = try transformer.transform(result, context: context)
        }
        return result
    }
}

/// A closure as a transformer. - Nuke: ImageProcessors.Anonymous. SDWebImage: filter transformers.
package struct ClosureTransformer: ImageTransformer {
    private let name: String?
    private let body: @Sendable (Bitmap, TransformContext) throws -> Bitmap

    package init(identifier: String?, _ body: @escaping @Sendable (Bitmap, TransformContext) throws -> Bitmap) {
        name = identifier
        self.body = body
    }

    package var identifier: String? { name.map { TransformIdentifier.make("custom", [TransformIdentifier.escaped($0)]) } }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        do { return try body(bitmap, context) } catch {
            throw ImageError(error, code: .transformFailed, stage: .transform, "The transformer failed: \(error)")
        }
    }
}

/// Changes nothing. - Kingfisher: DefaultImageProcessor, whose identifier is empty too.
package struct IdentityTransformer: GainMapTransformer, Hashable {
    /// Has no options.
    package init() {}
    package var identifier: String? { "" }
    package var keepsGainMap: Bool { true }
    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap { bitmap }
}

extension ImageTransformer {
    /// This transformer, then `next`.
    public func then(_ next: any ImageTransformer) -> StandardTransformer {
        let pipeline = (self as? StandardTransformer)?.base as? PipelineTransformer
        return StandardTransformer(PipelineTransformer((pipeline?.transformers ?? [self]) + [next]))
    }
}

extension ImageTransformer where Self == StandardTransformer {
    /// Transformers in sequence; each receives the previous one's result. An empty list changes nothing. The context's metadata is
    /// the original's for every transformer.
    public static func pipeline(_ transformers: [any ImageTransformer]) -> Self { Self(PipelineTransformer(transformers)) }

    /// Transformers in sequence.
    public static func pipeline(_ transformers: any ImageTransformer...) -> Self { Self(PipelineTransformer(transformers)) }

    /// A closure as a transformer. `identifier` names the effect of `body`, parameters included; closures with the same identifier
    /// must do the same. Nil: results are neither stored nor shared. Errors of `body` become `transformFailed` with the underlying
    /// error, unless they are ``ImageError``.
    public static func custom(
        _ identifier: String?, _ body: @escaping @Sendable (Bitmap, TransformContext) throws -> Bitmap
    ) -> Self {
        Self(ClosureTransformer(identifier: identifier, body))
    }

    /// Changes nothing: cache entries stay those of the original.
    public static var identity: Self { Self(IdentityTransformer()) }
}
