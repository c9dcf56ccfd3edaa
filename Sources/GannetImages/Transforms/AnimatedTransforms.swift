public import GannetCore

extension DecodedImage {
    /// Transforms stills at once, and animations frame by frame when shown (frame 0 at once). Times, loops and metadata stay.
    /// `scope` selects whether animations and drawings are transformed; others are returned unchanged.
    ///
    /// - SDWebImage: transformAnimatedImage, transformVectorImage, animationTransformer
    public func transformed(
        by transformers: [any ImageTransformer], context: TransformContext, scope: TransformScope = [.animated, .vector]
    ) throws(ImageError) -> DecodedImage {
        let isLeftOut = isAnimated && !scope.contains(.animated) || metadata.isVector && !scope.contains(.vector)
        if isLeftOut || transformers.isEmpty { return self }
        return try TransformChain(transformers: transformers, pool: context.pool, limits: context.limits, load: context.load)
            .apply(to: self)
    }
}
