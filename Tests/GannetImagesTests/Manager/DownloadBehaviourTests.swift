import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// SDWebImage's and Kingfisher's tests of their downloaders, as seen by a user of the manager, under their names.
@Suite struct DownloadBehaviourTests {
    private let url = ImageSource(ManagerFixture.url)

    private static func urls(_ count: Int) -> [String] { (0..<count).map { "https://example.org/\($0).fake" } }

    @Test func `test14ThatPNGWorks, testDownloadAnImage, testSessionDelegate`() async throws {  // MG-03
        let fixture = ManagerFixture()
        fixture.serve(width: 5, height: 3)
        let loaded = try await fixture.manager.image(for: url)
        #expect(loaded.size == PixelSize(width: 5, height: 3) && loaded.origin == .network)
        #expect(loaded.encoded?.bytes.contiguous() == FakeImageCoder.bytes(width: 5, height: 3, red: 10))
    }

    @Test func testDownloadMultipleImages() async throws {
        let fixture = ManagerFixture()
        for (index, url) in Self.urls(3).enumerated() { fixture.serve(url, red: UInt8(index)) }
        for (index, url) in Self.urls(3).enumerated() {
            #expect(red(try await fixture.manager.image(for: ImageSource(url))) == UInt8(index))
        }
        #expect(fixture.loader.loadCount == 3)
    }

    @Test func `testDownloadAnImageWithMultipleCallback, testConcurrentDownloadSameURL`() async throws {  // DL-31, MG-22
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.gate.close()
        let tasks = (0..<5).map { _ in fixture.manager.task(for: url) }
        #expect(await eventually { fixture.manager.waiterCount >= 5 })
        fixture.loader.gate.open()
        for task in tasks { #expect(red(try await task.value) == 10) }
        #expect(fixture.loader.loadCount == 1)
    }

    @Test(arguments: [true, false])
    func `test31ThatMultipleRequestForSameURLNeverSkipCallback, test31ThatMultipleRequestForSameURLFailedCallback`(
        _ succeeds: Bool
    ) async {
        let fixture = ManagerFixture()
        if succeeds { fixture.serve() }
        let (good, bad) = (CallCount(), CallCount())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        fixture.manager.load(ImageRequest(self.url)) { result in
                            if case .success = result { good.add() } else { bad.add() }
                            continuation.resume()
                        }
                    }
                }
            }
        }
        #expect(good.count == (succeeds ? 200 : 0) && bad.count == (succeeds ? 0 : 200))
    }

    @Test func `test20ThatDownloadingSameURLTwiceAndCancellingFirstWorks, testCancelOneDownloadTask`() async throws {  // DL-32
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.gate.close()
        let first = fixture.manager.task(for: url)
        let second = fixture.manager.task(for: url)
        #expect(await eventually { fixture.manager.waiterCount >= 2 })
        first.cancel()
        await #expect(throws: ImageError.self) { try await first.value }
        fixture.loader.gate.open()
        #expect(red(try await second.value) == 10)
        #expect(fixture.loader.loadCount == 1 && fixture.loader.cancelledCount == 0)
    }

    @Test func `test21ThatCancelingDownloadThenRequestingAgainWorks, testCancelThenRestartSameDownload`() async throws {  // DL-34
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.gate.close()
        let first = fixture.manager.task(for: url)
        await fixture.loader.gate.waitForArrivals(1)
        first.cancel()
        #expect(await failureCode { try await first.value } == .cancelled)
        let second = fixture.manager.task(for: url)
        await fixture.loader.gate.waitForArrivals(2)
        fixture.loader.gate.open()
        #expect(red(try await second.value) == 10)
        #expect(first.result?.failureCode == .cancelled)
    }

    @Test func `test27DownloadShouldCallbackWhenURLSessionRunning, testCancelDownloadTask, testCancelDownloadTaskForURL`() async {
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.gate.close()
        let task = fixture.manager.task(for: url)
        await fixture.loader.gate.waitForArrivals(1)
        task.cancel()
        #expect(await failureCode { try await task.value } == .cancelled)
        #expect(await eventually { fixture.loader.cancelledCount >= 1 })
        #expect(fixture.manager.isIdle && fixture.memory.usage.count == 0)
    }

    @Test func testCancelAllDownloadTasks() async {  // DL-34
        let fixture = ManagerFixture()
        for url in Self.urls(3) { fixture.serve(url) }
        fixture.loader.gate.close()
        let tasks = Self.urls(3).map { fixture.manager.task(for: ImageSource($0)) }
        await fixture.loader.gate.waitForArrivals(3)
        fixture.manager.cancelAll()
        for task in tasks { #expect(await failureCode { try await task.value } == .cancelled) }
        #expect(await eventually { fixture.manager.isIdle })
        #expect(fixture.manager.runningCount == 0)
    }

    @Test func `testForceCancelConcurrentWithAddCallbackIsThreadSafe, testSessionDataTaskConcurrentAccessIsThreadSafe`() async {
        let fixture = ManagerFixture()
        fixture.serve()
        let ends = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<100 {
                group.addTask {
                    let task = fixture.manager.task(for: ImageRequest(self.url, .lookup(.loaderOnly)))
                    if index % 3 == 0 { fixture.manager.cancelAll() }
                    if index % 2 == 0 { task.cancel() }
                    for await event in task.events { if case .finished = event { return true } }
                    return false
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(ends == 100)
    }

    @Test func test22ThatCustomDecoderWorksForImageDownload() async throws {  // CX-06, LD-03
        let fixture = ManagerFixture()
        fixture.serve()
        let own = FakeImageCoder(identifier: "own")
        var request = ImageRequest(url)
        request.decode.coder = own
        _ = try await fixture.manager.image(for: request)
        #expect(own.decodeCount == 1 && fixture.coder.decodeCount == 0)
    }

    @Test func `test30ThatDifferentThumbnailLoadShouldCallbackDifferentSize, testDownloadWithDifferentProcessors`() async throws {
        let fixture = ManagerFixture()
        fixture.serve(width: 64, height: 64)
        fixture.loader.gate.close()
        let requests = [
            ImageRequest(url, .fit(8, 8)), ImageRequest(url, .fit(16, 16)),
            ImageRequest(url, .transform(AddTransformer(amount: 1))), ImageRequest(url, .transform(AddTransformer(amount: 2))),
        ]
        let tasks = requests.map { fixture.manager.task(for: $0) }
        // Four loads; two thumbnails have an original each, the two transformed images one together.
        await eventually { fixture.manager.imageWaiterCount == 10 && fixture.manager.transferWaiterCount == 3 }
        fixture.loader.gate.open()
        var results: [LoadedImage] = []
        for task in tasks { results.append(try await task.value) }
        #expect(results.map(\.size.width) == [8, 16, 64, 64])
        #expect(results.map { red($0) } == [10, 10, 11, 12])
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func testDownloadWithProcessor() async throws {
        let fixture = ManagerFixture()
        fixture.serve()
        #expect(red(try await fixture.manager.image(for: url, .transform(AddTransformer(amount: 5)))) == 15)
    }

    @Test func testModifierShouldOnlyApplyForFinalResultWhenDownload() async throws {  // KF-12
        struct Marked: ImageModifier {
            func modify(_ image: DecodedImage) -> DecodedImage {
                var metadata = image.metadata
                metadata.scale = 9
                return .still(image.bitmap, metadata)
            }
        }
        let fixture = ManagerFixture()
        fixture.serve()
        #expect(try await fixture.manager.image(for: ImageRequest(url, .modifier(Marked()))).image.metadata.scale == 9)
        #expect(fixture.manager.cachedImage(for: ImageRequest(url))?.image.metadata.scale == 1)
    }

    @Test func testDownloadTaskProperty() async throws {
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.gate.close()
        let task = fixture.manager.task(for: ImageRequest(url, .priority(.high)))
        #expect(task.request.source == url && task.priority == .high && task.result == nil && !task.isCancelled)
        fixture.loader.gate.open()
        _ = try await task.value
        #expect(task.result?.failureCode == nil)
    }

    @Test func testDownloadTaskTakePriorityOption() async throws {  // OP-11, DL-35
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.gate.close()
        let task = fixture.manager.task(for: ImageRequest(url, .priority(.veryHigh)))
        await fixture.loader.gate.waitForArrivals(1)
        #expect(fixture.loader.loads.first?.priority == .veryHigh)
        fixture.loader.gate.open()
        _ = try await task.value
    }

    @Test func `testDownloadEmptyURL, testDownloadTaskNilWithNilURL`() async {  // ER-1000
        let fixture = ManagerFixture()
        let task = fixture.manager.task(for: ImageSource(""))
        #expect(task.result?.failureCode == .misuse)
        #expect(await failureCode { try await task.value } == .misuse)
        #expect(fixture.loader.loadCount == 0)
    }

    @Test func testDownloadResultErrorAndRetry() async throws {
        let fixture = ManagerFixture()
        #expect(await failureCode { try await fixture.manager.image(for: url) } == .notFound)
        fixture.serve()
        #expect(red(try await fixture.manager.image(for: ImageRequest(url, .retryingFailed))) == 10)
    }

    @Test
    func
        `testDidFinishDownloadingDelegateCalledOncePerSuccessfulDownload, testDidFinishDownloadingDelegateCalledOncePerFailedDownload`()
        async
    {
        let fixture = ManagerFixture()
        fixture.serve()
        _ = try? await fixture.manager.image(for: url)
        _ = try? await fixture.manager.image(for: "https://example.org/missing.fake")
        #expect(fixture.observer.loadsStarted == 2 && fixture.observer.loadsEnded == 2)
        #expect(fixture.observer.started(.load) == 2 && fixture.observer.ended(.load) == 2)
        #expect(fixture.observer.isBalanced)
    }

    @Test func `testDidFinishDownloadingDelegateCalledOncePerErroredDownload, test28ProgressiveDownloadShouldUseSameCoder`()
        async throws
    {
        // Bytes that come in pieces are one load; those that break off end it once.
        let fixture = ManagerFixture()
        let bytes = FakeImageCoder.bytes(width: 8, height: 4, red: 7)
        fixture.loader.answer(ManagerFixture.url, with: .pieces([Array(bytes[..<6]), Array(bytes[6...])]))
        #expect(red(try await fixture.manager.image(for: ImageRequest(url, .previews))) == 7)
        fixture.loader.answer("https://example.org/cut.fake", with: .pieces([Array(bytes[..<6])]))
        #expect(await failureCode { try await fixture.manager.image(for: "https://example.org/cut.fake") } == .truncated)
        #expect(fixture.observer.loadsEnded == 2 && fixture.observer.isBalanced)
        #expect(fixture.coder.decodeCount == 1)
    }

    /// The bytes given out while a transfer runs are a snapshot, and cost no copy.
    @Test
    func
        `testSessionDataTaskMutableDataGetterDoesNotShareStorage, testSessionDataTaskSharedDataIsZeroCopyAndUnaffectedByLaterAppends`()
    {
        var rope = ByteRope()
        let first = [UInt8](repeating: 1, count: 4096)
        rope.append(first)
        let early = rope
        rope.append([2, 2])
        #expect(early.count == 4096 && early.contiguous() == first && rope.count == 4098)
        let shares = early.chunks[0].withUnsafeBufferPointer { left in
            rope.chunks[0].withUnsafeBufferPointer { right in left.baseAddress == right.baseAddress }
        }
        #expect(shares)
    }

    @Test func `Nobody else's work, nobody else's session: test06ThatUsingACustomDownloaderOperationWorks`() async throws {
        // Also test12ThatWeCanUseAnotherSessionForEachDownloadOperation: a request may bring its own loader.
        let fixture = ManagerFixture()
        fixture.serve(red: 1)
        let own = FakeImageLoader(identifier: "own")
        own.answer(ManagerFixture.url, with: .bytes(FakeImageCoder.bytes(width: 2, height: 2, red: 2)))
        var request = ImageRequest(url)
        request.download.loader = own
        #expect(red(try await fixture.manager.image(for: request)) == 2)
        #expect(red(try await fixture.manager.image(for: url)) == 1)
        #expect(own.loadCount == 1 && fixture.loader.loadCount == 1)
    }
}

/// The part of it that is about HTTP.
@Suite struct DownloadExchangeTests {
    private struct Modifier: RequestModifier {
        var identifier: String? { "m" }
        var answer: @Sendable (HTTPRequest) async throws -> HTTPRequest?
        func modify(_ request: HTTPRequest) async throws -> HTTPRequest? { try await answer(request) }
    }

    @Test func `testDownloadWithModifyingRequest, testDownloadWithAsyncModifyingRequest`() async throws {  // DL-20
        let rig = DownloadRig(answer: DownloadRig.always())
        let modifier = Modifier { request in
            await Task.yield()
            var request = request
            request.headers.set("X-Sign", "1")
            return request
        }
        #expect(try await rig.text { $0.download.requestModifier = modifier } == "picture")
        #expect(rig.sent().headers["X-Sign"] == "1")
    }

    @Test func testDownloadWithModifyingRequestToNil() async {
        let rig = DownloadRig(answer: DownloadRig.always())
        #expect(await rig.fetch { $0.download.requestModifier = Modifier { _ in nil } }.failureCode == .hookRefused)
        #expect(rig.transport.requests.isEmpty)
    }

    @Test func testServerInvalidStatusCode() async {
        let rig = DownloadRig(answer: DownloadRig.always(status: 404))
        guard case .failure(let error) = await rig.fetch() else {
            Issue.record("a picture")
            return
        }
        #expect(error.code == .httpStatus && error.httpStatus == 404)
    }

    private struct Whole: DataDecryptor {
        var identifier: String? { "w" }
        var answer: [UInt8]?
        func decrypt(_ data: [UInt8], response: HTTPResponseHead?) async throws -> [UInt8]? { answer }
    }

    @Test func `testDownloadedDataCouldBeModified, testDownloadedDataCouldBeModifiedWithTask`() async throws {  // DL-22
        let rig = DownloadRig(answer: DownloadRig.always())
        #expect(try await rig.text { $0.download.decryptor = Whole(answer: Array("other".utf8)) } == "other")
    }

    @Test func testDidFinishDownloadingDelegateConsistentWhenDataModifyingFails() async {
        let rig = DownloadRig(answer: DownloadRig.always())
        #expect(await rig.fetch { $0.download.decryptor = Whole(answer: nil) }.failureCode == .hookRefused)
        #expect(rig.cache.keys.isEmpty)
    }

    private struct Judge: ResponseModifier {
        var identifier: String? { "j" }
        var passes: Bool
        func modify(_ head: HTTPResponseHead) async throws -> HTTPResponseHead? { passes ? head : nil }
    }

    @Test func `testDownloaderReceiveResponsePass, testDownloaderReceiveResponseFailure`() async throws {  // DL-21
        let rig = DownloadRig(answer: DownloadRig.always())
        #expect(try await rig.text { $0.download.responseModifier = Judge(passes: true) } == "picture")
        #expect(
            await rig.fetch("https://example.org/b") { $0.download.responseModifier = Judge(passes: false) }.failureCode
                == .hookRefused)
    }
}
