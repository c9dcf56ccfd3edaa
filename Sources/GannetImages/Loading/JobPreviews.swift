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
            newest.preview = nil
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

    /// A preview that fails is no preview; the final image tells what is wrong. Where all slots are taken, one that transformers change
    /// is none either: the bytes that come meanwhile may be the last, and they must not wait for it.
    private func preview(_ bytes: ByteRope) async -> DecodedImage? {
        let (work, session) = (image.pipeline.work, session)
        guard image.request.decode.previews.transforms, !image.request.transform.transformers.isEmpty else {
            return (try? await work.executor.run { session.preview(from: bytes) }) ?? nil
        }
        let preview = try? await work.gate.withSlotAtOnce { () throws(ImageError) -> DecodedImage? in
            guard let preview = try await work.executor.run({ session.preview(from: bytes) }) else { return nil }
            return try await image.transformedAtOnce(preview)
        }
        return preview ?? nil
    }
}
