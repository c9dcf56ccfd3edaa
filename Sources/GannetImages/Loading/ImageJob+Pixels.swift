import GannetCore
import GannetFetch
import GannetKernels
import GannetPlatform

// Decode and transform, in slots of the line for pixels.

extension ImageJob {
    func decoded(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ priority: LivePriority, _ load: LoadContext,
        of origin: ImageOrigin? = nil
    ) async throws(ImageError) -> DecodedImage {
        try await observer.stage(.decode, prepared.id) { () throws(ImageError) in
            let image = try await pipeline.decodeInTurn(bytes, options, priority, load, of: origin)
            observer.note(prepared.id, .decoded(prepared.keys.decode))
            return image
        }
    }

    /// A loader's finished image at the size of the request. Animations and vectors keep theirs.
    func sized(_ image: DecodedImage, _ priority: LivePriority) async throws(ImageError) -> DecodedImage {
        guard case .size(let target) = request.decode.target, case .still(let bitmap, let metadata) = image, !metadata.isVector
        else { return image }
        let plan = target.plan(for: bitmap.size)
        guard plan.output != bitmap.size else { return image }
        let (pool, part) = (configuration.pool, plan.output == plan.scaled ? nil : plan.crop)
        return try await pipeline.work.run(priority: priority) { () throws(ImageError) in
            let pixels = try premultiplied(bitmap, pool: pool)
            return .still(try resample(pixels, to: plan.scaled, keeping: part, pool: pool), metadata)
        }
    }

    /// Through one transformer; a failure is an error, never the wrong image under the right key.
    func transformed(
        _ base: MadeImage, by transformer: any ImageTransformer, _ priority: LivePriority
    ) async throws(ImageError) -> MadeImage {
        let start = configuration.time.uptime
        var made = base
        made.image = try await transformed(base.image, by: [transformer], priority)
        made.timings.transform += configuration.time.uptime - start
        return made
    }

    /// Through all transformers.
    func transformed(_ image: DecodedImage, _ priority: LivePriority) async throws(ImageError) -> DecodedImage {
        try await transformed(image, by: request.transform.transformers, priority)
    }

    private func transformed(
        _ image: DecodedImage, by transformers: [any ImageTransformer], _ priority: LivePriority
    ) async throws(ImageError) -> DecodedImage {
        guard request.transform.changes(image) else { return image }
        let chain = pipeline.chain(transformers, request)
        return try await observer.stage(.transform, prepared.id) { () throws(ImageError) in
            try await pipeline.work.run(priority: priority) { () throws(ImageError) in try chain.apply(to: image) }
        }
    }

    /// Through all transformers, within a slot of the caller's.
    func transformedAtOnce(_ image: DecodedImage) async throws(ImageError) -> DecodedImage {
        guard request.transform.changes(image) else { return image }
        let chain = pipeline.chain(request.transform.transformers, request)
        return try await observer.stage(.transform, prepared.id) { () throws(ImageError) in
            try await pipeline.work.executor.run { () throws(ImageError) -> DecodedImage in try chain.apply(to: image) }
        }
    }
}

extension ResolvedTransformOptions {
    /// False: there are no transformers, or they are not for images of this kind.
    func changes(_ image: DecodedImage) -> Bool {
        if transformers.isEmpty { return false }
        if image.isAnimated, !appliesTo.contains(.animated) { return false }
        return !image.metadata.isVector || appliesTo.contains(.vector)
    }
}

extension ImagePipeline {
    func chain(_ transformers: [any ImageTransformer], _ request: ResolvedRequest) -> TransformChain {
        TransformChain(
            transformers: transformers, pool: configuration.pool, limits: request.decode.limits, load: request.context)
    }
}
