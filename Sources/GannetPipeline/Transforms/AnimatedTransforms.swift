public import GannetCore

extension DecodedImage {
    /// Stills at once; animations frame by frame when they are shown (frame 0 at once), times, loops and metadata stay.
    /// `scope` says whether animations and drawings are transformed at all; those left out come back as they are.
    ///
    /// - SDWebImage: transformAnimatedImage, transformVectorImage, animationTransformer
    public func transformed(
        by transformers: [any ImageTransformer], context: TransformContext, scope: TransformScope = [.animated, .vector]
    ) throws(ImageError) -> DecodedImage {
        let isLeftOut = isAnimated && !scope.contains(.animated) || metadata.isVector && !scope.contains(.vector)
        if isLeftOut || transformers.isEmpty { return self }
        return try Transforming(transformers: transformers, pool: context.pool, limits: context.limits, load: context.load)
            .apply(to: self)
    }
}
