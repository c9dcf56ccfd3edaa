import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Files by a caller's own encoder: one entry for each name, looked up without work, and confirmed where the caller has them.
@Suite struct FileEncoderTests {
    private let rig = EncodedRig()

    /// Writes what it is given: the image's size and red, and the bytes of the original.
    private static func encoder(_ name: String) -> FileEncoder {
        FileEncoder(name: name) { image, original in
            let text = "\(name) \(image.size.width) \(image.bitmap.row(0)[0]) \(original?.count ?? 0)"
            return EncodedImage(bytes: ByteRope(Array(text.utf8)), format: .png)
        }
    }

    private func file(
        _ process: EncodedRig.Process, _ name: String = "a", _ request: ImageRequest = EncodedRig.thumbnail(),
        holding held: EncodedImage? = nil
    ) async throws -> String {
        let file = try await process.manager.encoded(
            for: request, by: Self.encoder(name), holding: held, priority: LivePriority(.normal))
        return String(decoding: file.bytes.contiguous(), as: UTF8.self)
    }

    private func stored(
        _ process: EncodedRig.Process, _ name: String = "a", _ request: ImageRequest = EncodedRig.thumbnail()
    ) async throws -> (file: EncodedImage, isFresh: Bool)? {
        try await process.manager.storedFile(for: request, by: Self.encoder(name))
    }

    @Test func eachNameHasItsEntry() async throws {
        let first = rig.process()
        #expect(try await file(first) == "a 4 10 16")
        #expect(try await file(first, "b") == "b 4 10 16")
        // Neither an image's entry nor that of the options.
        _ = try await first.file(EncodedRig.thumbnail())
        #expect(rig.disk.keys.count == 4 && rig.loader.loadCount == 1)
        let second = rig.process()
        #expect(try await file(second) == "a 4 10 16" && second.work == [0, 0])
        let image = EncodedRig.thumbnail { $0.schedule.waitsForStore = true }
        #expect(try await second.manager.image(for: image).size == PixelSize(width: 4, height: 4))
        // Names are whole parts of keys, whatever is in them.
        _ = try await file(second, "a\u{1}encoded=by=b")
        #expect(try await file(second, "b") == "b 4 10 16")
        try await second.manager.cache.remove(ImageSource(ManagerFixture.url))
        #expect(rig.disk.keys.isEmpty)
    }

    @Test func theOriginalsPixelsMayBeInMemoryAndItsBytesAreNotThen() async throws {
        let process = rig.process()
        let request = EncodedRig.thumbnail {
            $0.cache.readOriginal = .all
            $0.cache.writeOriginal = .all
        }
        #expect(try await file(process, "a", request) == "a 4 10 16")
        #expect(try await file(process, "b", request) == "b 4 10 0" && process.work == [1, 0])
        #expect(try await file(process, "c") == "c 4 10 16" && process.work == [2, 0])
    }

    @Test func aLookAsksNobody() async throws {
        let process = rig.process()
        #expect(try await stored(process)?.isFresh == nil)
        rig.serve(freshness: Freshness(freshUntil: rig.time.now + .seconds(60)))
        _ = try await file(process)
        #expect(try await stored(process)?.isFresh == true)
        #expect(try await stored(process, "b")?.isFresh == nil)
        rig.time.advance(by: .seconds(100))
        let stale = try await stored(process)
        #expect(stale?.isFresh == false && stale?.file.bytes.contiguous() == Array("a 4 10 16".utf8))
        #expect(rig.loader.loadCount == 1 && process.work == [1, 0] && process.manager.isIdle)
    }

    @Test func aFileOfAnotherMachineIsFoundLikeOwnOnes() async throws {
        let process = rig.process()
        let other = EncodedImage(
            bytes: ByteRope([7]), format: .png, freshness: Freshness(freshUntil: rig.time.now + .seconds(60)))
        try await process.manager.store(other, for: EncodedRig.thumbnail(), by: Self.encoder("a"))
        let found = try await stored(rig.process())
        #expect(found?.isFresh == true && found?.file.bytes.contiguous() == [7] && found?.file.freshness == other.freshness)
        try await process.manager.store(other, for: EncodedRig.thumbnail { $0.cache.write = .none }, by: Self.encoder("b"))
        #expect(rig.disk.keys.count == 1)
    }

    // MARK: A file that the caller has

    /// What the server has: the image's red, and its entity tag.
    private final class Source: Sendable {
        let state = Mutex<(red: UInt8, tag: String, isDown: Bool)>((1, "\"a\"", false))
    }

    /// Nothing but memory: no cache has anything of it.
    @Test func aFileThatTheCallerHoldsIsConfirmed() async throws {
        let source = Source()
        let transport = ScriptedTransport { request, _ throws(ImageError) in
            let (red, tag, isDown) = source.state.withLock { $0 }
            if isDown { throw ImageError(.connectionFailed, stage: .load, "down") }
            return .fixed(
                request, headers: [("Cache-Control", "max-age=60"), ("ETag", tag)],
                body: FakeImageCoder.bytes(width: 8, height: 8, red: red))
        }
        let process = rig.process(HTTPLoader(transport: transport, time: rig.time))
        let request = EncodedRig.thumbnail {
            ($0.cache.read, $0.cache.write, $0.cache.readOriginal, $0.cache.writeOriginal) = (.none, .none, .none, .none)
            $0.schedule.retryFailedSources = true
        }
        let made = try await process.manager.encoded(for: request, by: Self.encoder("a"), priority: LivePriority(.normal))
        #expect(process.work == [1, 0] && rig.disk.keys.isEmpty)
        let held = EncodedImage(bytes: ByteRope([7]), freshness: made.freshness)
        // Fresh: nobody is asked.
        #expect(try await file(process, "a", request, holding: held) == "\u{7}" && transport.requests.count == 1)
        rig.time.advance(by: .seconds(100))
        let again = try await process.manager.encoded(
            for: request, by: Self.encoder("a"), holding: held, priority: LivePriority(.normal))
        #expect(again.bytes.contiguous() == [7] && again.freshness.freshUntil == rig.time.now + .seconds(60))
        #expect(transport.requests.count == 2 && process.work == [1, 0])
        // Its source cannot be reached.
        source.state.withLock { $0.isDown = true }
        #expect(try await file(process, "a", request, holding: held) == "\u{7}")
        let strict = EncodedImage(bytes: held.bytes, freshness: Freshness(freshUntil: made.freshness.freshUntil, etag: "\"a\""))
        #expect(await failureCode { try await file(process, "a", request, holding: strict) } == .connectionFailed)
        source.state.withLock { ($0.red, $0.tag, $0.isDown) = (2, "\"b\"", false) }
        #expect(try await file(process, "a", request, holding: held) == "a 4 2 15" && process.work == [2, 0])
    }

    @Test func storedBytesAreThoseThatNeedNoQuestion() async throws {
        let process = rig.process()
        let request = EncodedRig.whole()
        #expect(try await process.manager.storedBytes(for: request) == nil && rig.loader.loadCount == 0)
        _ = try await process.manager.fetchBytes(for: request)
        #expect(try await process.manager.storedBytes(for: request)?.encoded?.bytes.count == 16)
        let forced = EncodedRig.whole { $0.cache.lookup = .loaderOnly }
        #expect(try await process.manager.storedBytes(for: forced) == nil && rig.loader.loadCount == 1)
    }
}
