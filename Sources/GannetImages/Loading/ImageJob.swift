import GannetCore
import GannetFetch
import GannetPlatform

/// Makes one image, and is the only code that carries out the plan of a load from beginning to end:
///
///     stored image → bytes → decode → transform → keep
///
/// Memory is looked up before, on the caller's thread: ``ImagePipeline/lookUpMemory(_:)``. A running job delivers a
/// ``MadeImage``.
///
/// A class, so that no waiting step keeps a copy of its state; one task uses it.
final class ImageJob {
    let pipeline: ImagePipeline
    let prepared: PreparedRequest
    let keys: ImageJobKeys
    /// The facts that the plan decides by.
    var facts: LoadFacts
    /// The first image that was found, whose source must be asked.
    var held: Held?

    /// An image whose source must be asked.
    struct Held {
        var picture: CachedImage
        var tier: LoadTier
        /// The decoded original that the image was made of, where that alone was stored.
        var original: DecodedImage?
    }

    /// `memory`: what the request found there, to be confirmed by its source.
    init(_ pipeline: ImagePipeline, _ prepared: PreparedRequest, _ keys: ImageJobKeys, memory: CachedImage?) {
        (self.pipeline, self.prepared, self.keys) = (pipeline, prepared, keys)
        facts = LoadFacts(prepared, now: pipeline.configuration.time.now)
        facts.memory = LoadFinding(memory)
        held = memory.map { Held(picture: $0, tier: .memory) }
    }

    var request: ResolvedRequest { prepared.request }
    var configuration: ManagerConfiguration { _read { yield pipeline.configuration } }
    var observer: ObserverList { pipeline.observer }
    var transformers: [any ImageTransformer] { request.transform.transformers }

    // MARK: The way of an image

    func run(in job: Job<LoadSnapshot>) async throws(ImageError) -> MadeImage {
        let start = configuration.time.uptime
        facts.disk = tiers.images == nil ? .nothing : .unread
        facts.original = .unread
        if mayHaveStored, let found = try await stored(job) { return found }
        let looked = configuration.time.uptime - start

        var bytes: FetchedBytes?
        if let held {
            switch try await answer(about: held.picture.freshness, job) {
            case .confirmed(let bytes, let keeping): return await confirmed(held, bytes, keeping)
            case .fallback: return MadeImage(held.picture, origin: held.tier == .memory ? .memory : .disk)
            case .bytes(let other): bytes = other
            }
        }
        var made = try await made(transformers.count, of: bytes, job)
        made.timings.cache = looked
        facts.answer = .arrived(LoadArrival(made.freshness, made.image, isOfOtherSource: made.otherSource != nil))
        if case .make(let keeping) = LoadPlan.next(facts) { await keep(made, keeping) }
        return made
    }

    /// False: no cache on disk is read before the source is asked, as for most images that are not in memory.
    private var mayHaveStored: Bool {
        switch LoadPlan.next(facts) {
        case .ask(_, nil): false
        case .read(.original): facts.showsStored
        default: true
        }
    }

    /// The image after the first `count` transformers. Each of these images is one running job for all requests that begin alike, and
    /// takes a slot only while it works. `bytes`: of a source that was asked already.
    func made(
        _ count: Int, of bytes: FetchedBytes?, _ job: Job<LoadSnapshot>
    ) async throws(ImageError) -> MadeImage {
        let beginning = beginning(count)
        return try await pipeline.images.step(
            beginning.key, of: job, onProgress: { job.publish($0) },
            work: { inner throws(ImageError) in
                if bytes == nil, let kept = beginning.memory, let picture = pipeline.relative(at: kept, prepared) {
                    return MadeImage(picture)
                }
                guard count > 0 else { return try await decoded(bytes, inner) }
                return try await transformed(made(count - 1, of: bytes, inner), by: transformers[count - 1], inner.priority)
            }
        ).value
    }

    /// The key of the job that makes the image after the first `count` transformers, and where memory may have it, if this request
    /// reads that.
    private func beginning(_ count: Int) -> (key: CacheKey, memory: CacheKey?) {
        let (options, own) = (request.cache, prepared.keys)
        if count == 0 {
            let reads = options.readOriginal.contains(.memory) && own.allowsStoring
            return (keys.original, reads ? prepared.memoryKey(own.decode) : nil)
        }
        // Memory was asked for the whole image.
        if count == transformers.count { return (keys.made(own, count), nil) }
        var part = request
        part.transform.transformers.removeLast(transformers.count - count)
        let partKeys = pipeline.keys(of: part, like: prepared)
        let reads = options.read.contains(.memory) && own.allowsStoring
        return (keys.made(partKeys, count), reads ? prepared.memoryKey(partKeys.variant) : nil)
    }

    // MARK: An image whose source is asked

    /// The source's word on an image that is held.
    enum Answer {
        /// It is still right.
        case confirmed(FetchedBytes, LoadKeeping)
        /// Nothing, and the image is delivered in place of the failure.
        case fallback
        /// Another image is made of these.
        case bytes(FetchedBytes)
    }

    func answer(about held: Freshness, _ job: Job<LoadSnapshot>) async throws(ImageError) -> Answer {
        let bytes: FetchedBytes
        do throws(ImageError) { bytes = try await fetched(job) } catch {
            // Of several sources it is the image's own that decides.
            let own = (error.underlying as? SourcesExhausted)?.errors.first ?? error
            facts.now = configuration.time.now
            facts.answer = .failed(LoadFailure(own))
            if pipeline.generations.happened(.changed, to: prepared.keys.variant, since: prepared.begun) {
                facts.demands.insert(.changesSource)
            }
            guard case .fallback = LoadPlan.next(facts) else { throw error }
            return .fallback
        }
        var arrival = LoadArrival(bytes.freshness, isOfOtherSource: bytes.isFromOtherSource(than: request))
        if held.matches(bytes.freshness, isSentAgain: bytes.origin == .network) { arrival.insert(.matches) }
        facts.answer = .arrived(arrival)
        guard case .renew(_, let keeping) = LoadPlan.next(facts) else { return .bytes(bytes) }
        observer.note(prepared.id, .revalidated(prepared.keys.variant))
        return .confirmed(bytes, keeping)
    }

    /// The source says that what is stored is still right: no decoding, only a new date.
    private func confirmed(_ held: Held, _ bytes: FetchedBytes, _ keeping: LoadKeeping) async -> MadeImage {
        var made = MadeImage(held.picture, origin: bytes.wasRevalidated ? .revalidated : bytes.origin)
        made.freshness = bytes.freshness
        made.stored = bytes.copy
        made.encoded = bytes.encoded(as: held.original ?? made.image)
        if keeping == .keep { await renew(held.picture, made.freshness) } else { await forget() }
        // Nothing but the original was stored.
        if held.original != nil { await keep(made, keeping) }
        // The stored image may have another format than its original.
        if transformers.isEmpty, let original = made.encoded?.bytes {
            made.encoded?.format = configuration.coders.format(of: original)
        }
        return made
    }
}
