import GannetCore

/// A chain of transformers over a still or, frame by frame when they are shown, over an animation.
struct TransformChain: Sendable {
    let transformers: [any ImageTransformer]
    let pool: PixelPool
    let limits: DecodeLimits
    let load: LoadContext

    func apply(to image: DecodedImage) throws(ImageError) -> DecodedImage {
        switch image {
        case .still(let bitmap, let metadata):
            return .still(try apply(to: bitmap, metadata, frame: 0), metadata)
        case .animated(let animation):
            return .animated(
                AnimatedImage(
                    metadata: animation.metadata,
                    poster: try apply(to: animation.poster, animation.metadata, frame: 0, isAnimated: true),
                    loopCount: animation.loopCount, delays: animation.delays,
                    source: TransformedFrames(base: animation, chain: self)))
        }
    }

    func apply(to bitmap: Bitmap, _ metadata: ImageMetadata, frame: Int, isAnimated: Bool = false) throws(ImageError) -> Bitmap {
        var bitmap = bitmap
        var context = TransformContext(metadata: metadata, pool: pool, limits: limits, load: load, frame: frame)
        context.isAnimated = isAnimated
        for transformer in transformers {
            try ImageError.checkCancellation(stage: .transform)
            let before = bitmap.dynamicRange
            bitmap = try transformer.transform(bitmap, context: context)
            // Whoever makes new pixels of 16 bits from others has left their meaning as it was.
            if before.isHigh, !bitmap.dynamicRange.isHigh, bitmap.layout.format == .rgba16 {
                var copy = try bitmap.mutableCopy(pool: pool)
                copy.setDynamicRange(before)
                bitmap = copy.freeze()
            }
        }
        return bitmap
    }
}

/// Frames that are transformed on demand; times stay.
private struct TransformedFrames: WaitingFrameSource {
    let base: AnimatedImage
    let chain: TransformChain

    func frame(at index: Int) throws(ImageError) -> Bitmap {
        try chain.apply(to: try base.blockingFrame(at: index), base.metadata, frame: index, isAnimated: true)
    }

    var byteCount: Int { base.byteCount }

    func rest() { base.source.rest() }

    func enter() { (base.source as? any WaitingFrameSource)?.enter() }

    func leave() { if let shared = base.source as? any WaitingFrameSource { shared.leave() } else { base.source.rest() } }

    func waitForRoom(after error: ImageError) async throws(ImageError) -> Bool {
        guard let waiting = base.source as? any WaitingFrameSource else { return false }
        return try await waiting.waitForRoom(after: error)
    }
}
