import GannetCore
import GannetFetch
import GannetPlatform

// While decodes wait for a slot, those of one file wait together, and one pass over its bytes makes all their sizes.

extension ImagePipeline {
    /// Whether a decode has to wait for a slot, and others can wait with it.
    func canBatch(_ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ load: LoadContext) -> Bool {
        guard bytes.count > DecodeSession.briefBytes, work.gate.isFull, load.isEmpty, options.coder == nil,
            options.scaleDownToBytes == nil, options.region == nil, !options.usesLinearLight, !options.previews.isEnabled,
            !options.allowsPartial,
            options.usesEmbeddedThumbnail != .ifLargeEnough, options.frames == .all || options.frames == .first
        else { return false }
        return (try? decoding(options).coder(for: bytes, options).0) is any MultiSizeCoder
    }

    /// Nil: it is decoded alone.
    func decodedInBatch(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ priority: LivePriority, _ origin: ImageOrigin?
    ) async throws(ImageError) -> DecodedImage? {
        try await batches.image(bytes, options, origin, priority) { batch, priority throws(ImageError) in
            try await self.decode(batch, priority)
        }
    }

    /// In a slot, once. Members without a result decode alone, and get their own errors.
    private func decode(_ batch: DecodeBatch, _ priority: LivePriority) async throws(ImageError) {
        try await work.gate.withSlot(priority: priority) { () throws(ImageError) in
            guard let members = batch.close(), let first = members.first else { return }
            let decoding = decoding(batch.options, of: batch.kind.origin)
            if members.count == 1 {
                await decode(first.target, at: first.place, of: batch, decoding, priority)
                return
            }
            let targets = members.map(\.target)
            let images = try? await work.executor.run { () throws(ImageError) -> [DecodedImage]? in
                try decoding.shared.decodeSizes(batch.bytes, batch.options, at: targets, priority: priority.current)
            }
            guard let images else { return }
            for (member, image) in zip(members, images) { batch.put(.success(image), at: member.place) }
            batches.count(images.count)
        }
    }

    private func decode(
        _ target: DecodeTarget, at place: Int, of batch: DecodeBatch, _ decoding: ImageDecoding, _ priority: LivePriority
    ) async {
        do throws(ImageError) {
            let attempt = try await work.executor.run { () throws(ImageError) -> Attempt? in
                try Self.attempt(decoding, batch.bytes, batch.options.with(target), nil, priority.current)
            }
            if case .done(let image) = attempt { batch.put(.success(image), at: place) }
        } catch { batch.put(.failure(error), at: place) }
    }
}

extension ImageDecoding {
    /// Within a part of the budget, so that its own parts count together.
    fileprivate var shared: ImageDecoding {
        var decoding = self
        decoding.environment.budget = environment.budget.part()
        return decoding
    }
}
