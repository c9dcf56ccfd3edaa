import GannetCore
import GannetFetch

// Chains of transformers with equal first transformers share these: a running chain is joined at each transformer, and an image
// that memory has of a shorter chain is not made again.

extension ImageManager {
    /// The image, in memory, of the longest shorter chain with the same first transformers, and how many it has been through. Nil if there
    /// is none; the original itself is not looked up here.
    func cachedBeginning(_ prepared: PreparedRequest) -> (picture: DecodedOriginal, count: Int)? {
        let options = prepared.request.cache
        let transformers = prepared.request.transform.transformers
        guard transformers.count > 1, options.read.contains(.memory), prepared.keys.allowsStoring else { return nil }
        for count in (1..<transformers.count).reversed() {
            var request = prepared.request
            request.transform.transformers = Array(transformers[..<count])
            let key = keys(of: request, like: prepared).variant
            guard let picture = relative(at: prepared.memoryKey(key), prepared) else { continue }
            let original = DecodedOriginal(image: picture.image, origin: .memory, freshness: picture.freshness)
            return (original, count)
        }
        return nil
    }

    /// Through the transformers from `count` on. Each step is one running job for all chains that came the same way from the same
    /// pixels; it takes a slot only while it works.
    func stepwise(
        _ image: DecodedImage, _ prepared: PreparedRequest, after count: Int, _ job: AnyJob
    ) async throws(ImageError) -> DecodedImage {
        guard changes(image, prepared) else { return image }
        return try await observer.stage(.transform, prepared.id) { () throws(ImageError) in
            try await through(prepared.request.transform.transformers.count, from: image, after: count, prepared, job)
        }
    }

    /// Through the transformers from `count` on, up to `number` of the whole chain.
    private func through(
        _ number: Int, from image: DecodedImage, after count: Int, _ prepared: PreparedRequest, _ job: AnyJob
    ) async throws(ImageError) -> DecodedImage {
        guard number > count else { return image }
        let transformers = prepared.request.transform.transformers
        guard prepared.keys.allowsJoining else {
            return try await apply(Array(transformers[count..<number]), to: image, prepared, job.priority)
        }
        let key = chainKey(transformers[count..<number], image, prepared)
        let (result, _) = try await chains.step(key, of: job) { [self] inner throws(ImageError) in
            let base = try await through(number - 1, from: image, after: count, prepared, inner)
            return try await apply([transformers[number - 1]], to: base, prepared, inner.priority)
        }
        return result
    }

    /// The pixels themselves are part of it: a source that changed in the meantime gives others. They live as long as the job, so
    /// nothing else can have their identity.
    private func chainKey(
        _ transformers: ArraySlice<any ImageTransformer>, _ image: DecodedImage, _ prepared: PreparedRequest
    ) -> CacheKey {
        let names = transformers.map { $0.identifier?.keyPart("|") ?? "?" }.joined(separator: "|")
        let context = prepared.request.context.variantInfluence.joined(separator: "\u{1}")
        return CacheKey(
            "\(UInt(bitPattern: image.bitmap.identity))\u{1}\(image.isAnimated)\u{1}\(prepared.request.transform.appliesTo.rawValue)\u{1}"
                + "\(names)\u{1}\(context)\u{1}\(prepared.keys.decode.text)")
    }
}
