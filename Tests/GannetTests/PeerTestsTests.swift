import FoundationEssentials
import Testing

/// Documentation/PeerTests.md names tests; they must exist, and every row says something.
@Suite struct PeerTestsTests {
    private func rows() throws -> [(theirs: Substring, here: Substring)] {
        let page = try String(
            contentsOf: ParityTests.root.appending(path: "Documentation/PeerTests.md"), encoding: .utf8)
        return page.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| "), line != "| theirs | here |" else { return nil }
            let cells = line.dropFirst(2).dropLast(2).split(separator: " | ")
            return cells.count == 2 ? (cells[0], cells[1]) : (line, "")
        }
    }

    @Test func `Every test that the page names exists`() throws {
        let existing = try ParityTests.existing()
        let rows = try rows()
        #expect(rows.count > 400)
        for row in rows {
            let tests = row.here.split(separator: "`").filter { $0.contains("Tests.") }
            for test in tests { #expect(existing.contains(String(test)), "\(row.theirs): \(test)") }
            let isAnswered =
                !tests.isEmpty || ["n/a: ", "missing: ", "deviates: ", "the thread"].contains { row.here.hasPrefix($0) }
            #expect(isAnswered, "\(row.theirs): \(row.here)")
        }
    }

    @Test func `The sums are right`() throws {
        let page = try String(
            contentsOf: ParityTests.root.appending(path: "Documentation/PeerTests.md"), encoding: .utf8)
        let named = try rows().filter { $0.theirs.hasPrefix("`test") }
        func count(_ state: (Substring) -> Bool) -> Int {
            named.filter { state($0.here) }.reduce(0) { $0 + $1.theirs.split(separator: ", ").count }
        }
        let missing = count { $0.hasPrefix("missing") }
        let without = count { $0.hasPrefix("n/a") }
        let shown = count { $0.hasPrefix("`") }
        #expect(page.contains("\(shown) shown, \(without) n/a ") && page.contains(", \(missing) missing."))
    }

    private static let options = """
        RetryFailed LowPriority ProgressiveLoad RefreshCached ContinueInBackground HandleCookies
        AllowInvalidSSLCertificates HighPriority DelayPlaceholder TransformAnimatedImage AvoidAutoSetImage
        ScaleDownLargeImages QueryMemoryData QueryMemoryDataSync QueryDiskDataSync FromCacheOnly FromLoaderOnly
        ForceTransition AvoidDecodeImage DecodeFirstFrameOnly PreloadAllFrames MatchAnimatedImageClass WaitStoreCache
        TransformVectorImage AvoidAutoCancelImage WaitTransition
        """

    private static let contextKeys = """
        SetImageOperationKey CustomManager CallbackQueue ImageCache ImageLoader ImageCoder ImageTransformer
        ImageForceDecodePolicy ImageDecodeOptions ImageScaleFactor ImagePreserveAspectRatio ImageThumbnailPixelSize
        ImageTypeIdentifierHint ImageScaleDownLimitBytes ImageDecodeToHDR ImageEncodeOptions QueryCacheType
        StoreCacheType OriginalQueryCacheType OriginalStoreCacheType OriginalImageCache AnimatedImageClass
        DownloadRequestModifier DownloadResponseModifier DownloadDecryptor CacheKeyFilter CacheSerializer
        LoaderCachedImage
        """

    private static let kingfisherOptions = """
        targetCache originalCache downloader transition downloadPriority forceRefresh fromMemoryCacheOrRefresh
        forceTransition cacheMemoryOnly waitForCache onlyFromCache backgroundDecode callbackQueue scaleFactor
        preloadAllAnimationData requestModifier redirectHandler processor cacheSerializer imageModifier
        keepCurrentImageWhileLoading onlyLoadFirstFrame cacheOriginalImage onFailureImage alsoPrefetchToMemory
        loadDiskFileSynchronously asyncCacheTypeCheck diskStoreWriteOptions memoryCacheExpiration
        memoryCacheAccessExtendingExpiration diskCacheExpiration diskCacheAccessExtendingExpiration processingQueue
        progressiveJPEG alternativeSources retryStrategy lowDataMode forcedCacheFileExtension
        """

    /// SDWebImage's options and context keys and Kingfisher's options, each with its line on the page for those who come from there.
    @Test(arguments: [("sdwebimage", options, 26), ("sdwebimage", contextKeys, 28), ("kingfisher", kingfisherOptions, 38)])
    func everyOptionHasItsLine(_ peer: String, _ names: String, _ count: Int) throws {
        let page = try String(
            contentsOf: ParityTests.root.appending(path: "Documentation/coming-from-\(peer).md"), encoding: .utf8)
        let names = names.split { $0 == " " || $0 == "\n" }
        #expect(names.count == count)
        for name in names { #expect(page.contains("`\(name)`"), "\(name)") }
    }
}
