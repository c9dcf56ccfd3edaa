import GannetCore
import GannetFetch
import GannetPlatform

/// The previews of one transfer, decoded of what has arrived and published by the job. One task uses it.
final class JobPreviews {
    private let image: ImageJob
    private let job: Job<LoadSnapshot>
    private let decoding: ImageDecoding
    private var session: PreviewSession
    private var attempt = 1
    /// The small copy inside of the file was shown: its upper rows alone would be a step back.
    private var hasThumbnail = false
    private var newest = LoadSnapshot()
    /// When the next one may be decoded.
    private var next: Duration

    init(_ image: ImageJob, _ job: Job<LoadSnapshot>, _ count: Int) {
        (self.image, self.job) = (image, job)
        decoding = image.pipeline.decoding(image.request.decode, image.request.context)
        session = Self.session(image, decoding)
        newest.previewNumber = count
        next = image.configuration.time.uptime
    }

    private static func session(_ image: ImageJob, _ decoding: ImageDecoding) -> PreviewSession {
        // Animations are not transformed before all their frames have arrived: previews show the first frame.
        let (policy, transform) = (image.request.decode.previews, image.request.transform)
        let playsClips = !policy.transforms || transform.transformers.isEmpty || !transform.appliesTo.contains(.animated)
        return PreviewSession(decoding: decoding, options: image.request.decode, playsClips: playsClips)
    }

    /// Previews so far.
    var count: Int { newest.previewNumber }

    func arrived(_ progress: FetchProgress) async {
        newest.progress = LoadProgress(progress)
        if progress.attempt != attempt {
            // Begun again with other bytes: what was decoded so far is void, also for those who join from now on.
            attempt = progress.attempt
            session = Self.session(image, decoding)
            (newest.preview, hasThumbnail) = (nil, false)
        }
        let clock = image.configuration.time
        if clock.uptime >= next, !progress.bytes.isComplete {
            if let preview = await preview(progress.bytes) {
                newest.preview = preview
                newest.previewNumber += 1
            }
            next = clock.uptime + image.request.decode.previews.minimumInterval
        }
        job.publish(newest)
    }

    /// All bytes are here, and no preview was shown: the small copy inside of the file takes a fraction of the decode's time.
    func arrivedWhole(_ bytes: ByteRope) async {
        guard newest.preview == nil, bytes.count > DecodeSession.briefBytes, let thumbnail = await thumbnail(bytes) else {
            return
        }
        newest.preview = thumbnail
        newest.previewNumber += 1
        job.publish(newest)
    }

    private func preview(_ bytes: ByteRope) async -> DecodedImage? {
        if newest.preview == nil, let thumbnail = await thumbnail(bytes) {
            hasThumbnail = true
            return thumbnail
        }
        return await made { [session, hasThumbnail] in session.preview(from: bytes, onlyWhole: hasThumbnail) }
    }

    private func thumbnail(_ bytes: ByteRope) async -> DecodedImage? {
        let options = image.request.decode
        if options.usesEmbeddedThumbnail == .never { return nil }
        return await made { [decoding] in decoding.embeddedThumbnail(of: bytes, options, mayBeSmaller: true) }
    }

    /// A preview that fails is no preview; the final image tells what is wrong. Where all slots are taken, one that transformers change
    /// is none either: the bytes that come meanwhile may be the last, and they must not wait for it.
    private func made(_ preview: @escaping @Sendable () -> DecodedImage?) async -> DecodedImage? {
        let work = image.pipeline.work
        guard image.request.decode.previews.transforms, !image.request.transform.transformers.isEmpty else {
            return (try? await work.executor.run { preview() }) ?? nil
        }
        let changed = try? await work.gate.withSlotAtOnce { () throws(ImageError) -> DecodedImage? in
            guard let made = try await work.executor.run({ preview() }) else { return nil }
            return try await image.transformedAtOnce(made)
        }
        return changed ?? nil
    }
}
