import GannetCore
import GannetPlatform

extension FetchJob {
    var mayResume: Bool {
        fetcher.resumesTransfers && isGet && request.writesCache && request.download.decryptor == nil
            && request.download.responseModifier == nil && !request.download.headers.contains("Range")
    }

    /// Finds the part that an earlier run left on disk.
    @inline(never) func keptPart(_ load: LoadRequest) async -> BrokenTransfer? {
        guard mayResume, request.readsCache, facts.original != .unread else { return nil }
        return await responses?.part(loader.requestHeaders(for: load))
    }

    func dropPart() async { await responses?.dropPart() }

    /// Keeps the bytes before the failure, in this job for a retry and on disk for later ones.
    @inline(never) func keep(_ rope: ByteRope, head: HTTPResponseHead?, _ expected: Int?, after error: ImageError) async {
        broken = nil
        guard BrokenTransfer.mayContinue(after: error) else { return }
        broken = await keepPart(rope, head: head, expected)
    }

    func beginKeeping(at began: Duration) { keeping = mayResume && cache != nil ? PartTimes(since: began) : nil }

    /// Stores the bytes of a long transfer while it runs.
    @inline(never) func keepSoFar(_ rope: ByteRope, head: HTTPResponseHead?, _ expected: Int?) async {
        if await keepPart(rope, head: head, expected) != nil { hasKept = true }
    }

    /// Nil: it cannot be continued.
    private func keepPart(_ rope: ByteRope, head: HTTPResponseHead?, _ expected: Int?) async -> BrokenTransfer? {
        guard mayResume, let head,
            let part = BrokenTransfer(bytes: rope, head: head, total: expected, from: StoredPlace(head.url))
        else { return nil }
        await responses?.keep(
            part, loader.requestHeaders(for: plainLoad), sent: sent(loader.requestHeaders(for: plainLoad)),
            expiration: request.expiration, now: time.now)
        return part
    }

    /// Requests the rest. Nil: the server cannot or will not continue, or the image has changed.
    @inline(never) func continued(_ load: LoadRequest, _ part: BrokenTransfer) async throws(ImageError) -> Transfer? {
        var rest = load
        rest.stored = nil
        rest.partOf = part.place
        rest.download.headers.set("Range", "bytes=\(part.bytes.count)-")
        rest.download.headers.set("If-Range", part.validator)
        do throws(ImageError) {
            let whole = try await drained(rest, resuming: part)
            await dropPart()
            return whole
        } catch {
            switch error.code {
            case .protocolViolation: break
            case .httpStatus where error.httpStatus == 416: break
            default: throw error
            }
            broken = nil
            return nil
        }
    }
}
