import GannetCore
import GannetFetch
import GannetPlatform

// While decodes wait for a slot, those of one file wait together, and one pass over its bytes makes all their sizes.

extension ImagePipeline {
    /// Whether a decode has to wait for a slot, and others can wait with it.
    func gathers(_ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ load: LoadContext) -> Bool {
        guard bytes.count > DecodeSession.briefBytes, work.gate.isFull, load.isEmpty, options.coder == nil,
            options.scaleDownToBytes == nil, !options.previews.isEnabled, !options.allowsPartial,
            options.usesEmbeddedThumbnail != .ifLargeEnough, options.frames == .all || options.frames == .first
        else { return false }
        return (try? decoding(options).coder(for: bytes, options).0) is any MultiSizeCoder
    }

    /// Nil: it is decoded alone.
    func decodedWithOthers(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ priority: LivePriority, _ origin: ImageOrigin?
    ) async throws(ImageError) -> DecodedImage? {
        try await gatherings.image(bytes, options, origin, priority) { gathering, priority throws(ImageError) in
            try await self.decode(gathering, priority)
        }
    }

    /// In a slot, once. What it cannot make, each member makes alone, and learns there what is wrong.
    private func decode(_ gathering: SizeGathering, _ priority: LivePriority) async throws(ImageError) {
        try await work.gate.withSlot(priority: priority) { () throws(ImageError) in
            guard let members = gathering.close(), let first = members.first else { return }
            let decoding = decoding(gathering.options, of: gathering.kind.origin)
            if members.count == 1 {
                await decode(first.target, at: first.place, of: gathering, decoding, priority)
                return
            }
            let targets = members.map(\.target)
            let images = try? await work.executor.run { () throws(ImageError) -> [DecodedImage]? in
                try decoding.shared.decodeSizes(gathering.bytes, gathering.options, at: targets, priority: priority.current)
            }
            guard let images else { return }
            for (member, image) in zip(members, images) { gathering.put(.success(image), at: member.place) }
            gatherings.count(images.count)
        }
    }

    private func decode(
        _ target: DecodeTarget, at place: Int, of gathering: SizeGathering, _ decoding: ImageDecoding, _ priority: LivePriority
    ) async {
        do throws(ImageError) {
            let attempt = try await work.executor.run { () throws(ImageError) -> Attempt? in
                try Self.attempt(decoding, gathering.bytes, gathering.options.with(target), nil, priority.current)
            }
            if case .done(let image) = attempt { gathering.put(.success(image), at: place) }
        } catch { gathering.put(.failure(error), at: place) }
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
