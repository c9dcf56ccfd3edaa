import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// DL-41, NK-01: a transfer that a program leaves unfinished in a real folder is continued by the next one.
@Suite struct RestartedTransferTests {
    // U-16, S3-14
    @Test func `Another run with the same folder asks for the rest`() async throws {
        let folder = CacheFolder()
        let transport = ScriptedTransport(ResumeTests.server())
        // Nothing of the first run is there in the second but the folder.
        func run() async -> (Result<FetchedBytes, ImageError>, DiskCache) {
            let loader = HTTPLoader(transport: transport, time: folder.time)
            let disk = folder.cache()
            let fetcher = ByteFetcher(
                loaders: LoadersManager([loader]), cache: disk, time: folder.time, slots: loader.slots,
                failedSources: FailedSources(age: .zero, time: folder.time))
            let resolved = ResolvedRequest(ImageRequest(source: ImageSource(DownloadRig.url)))
            let request = FetchRequest(resolved, keys: RequestKeys(resolved, nonce: 1))
            do throws(ImageError) { return (.success(try await fetcher.fetch(request)), disk) } catch {
                return (.failure(error), disk)
            }
        }
        let (first, one) = await run()
        #expect(first.failureCode == .network)
        try await one.flush()
        #expect(try folder.entryFiles().count == 1)

        let (second, two) = await run()
        let fetched = try second.get()
        #expect(fetched.encoded?.bytes.contiguous() == ResumeTests.whole)
        #expect(transport.requests.count == 2)
        #expect(transport.requests[1].headers["Range"] == "bytes=\(ResumeTests.cut)-")
        #expect(transport.requests[1].headers["If-Range"] == "\"v1\"")
        try await two.flush()
        // The whole alone, for the run after that.
        #expect(try folder.entryFiles().count == 1)
        let (third, _) = await run()
        #expect(try third.get().origin == .disk && transport.requests.count == 2)
    }
}
