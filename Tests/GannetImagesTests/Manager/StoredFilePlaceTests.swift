import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@testable import GannetCache

/// Files that are read where they are known to stand, without waiting and without the request.
@Suite(.enabled(if: POSIXFileSystem().statusInMemory("/") != nil, "The kernel does not tell what it has in its memory."))
struct StoredFilePlaceTests {
    private let rig = EncodedRig()
    private let folder = CacheFolder()
    private let disk: DiskCache
    private let process: EncodedRig.Process
    private let encoder = FileEncoder(name: "a") { image, _ in
        EncodedImage(bytes: ByteRope([UInt8(image.size.width), image.bitmap.row(0)[0]]), format: .png)
    }

    init() {
        disk = folder.cache(files: POSIXFileSystem())
        process = EncodedRig.Process(rig.loader, disk, folder.time)
    }

    private func make() async throws -> [UInt8] {
        let file = try await process.manager.encoded(
            for: EncodedRig.thumbnail(), by: encoder, priority: LivePriority(.normal))
        try await process.manager.waitForStores()
        try await disk.flush()
        return file.bytes.contiguous()
    }

    private func read(_ place: StoredFilePlace) -> [UInt8]? { process.manager.freshFile(at: place)?.bytes.contiguous() }

    @Test func aFreshFileIsThereAtOnce() async throws {
        rig.serve(freshness: Freshness(freshUntil: folder.time.now + .seconds(60)))
        let place = try #require(process.manager.place(of: EncodedRig.thumbnail(), by: encoder))
        #expect(read(place) == nil)
        #expect(try await make() == [4, 10])
        let loads = rig.loader.loadCount
        for _ in 1...3 { #expect(read(place) == [4, 10]) }
        #expect(process.manager.freshFile(at: place)?.freshness.freshUntil == folder.time.now + .seconds(60))
        #expect(process.observer.events.contains { if case .diskHit = $0 { true } else { false } })
        // Another encoder's is another one.
        let other = try #require(
            process.manager.place(of: EncodedRig.thumbnail(), by: FileEncoder(name: "b", encode: encoder.encode)))
        #expect(read(other) == nil)
        folder.time.advance(by: .seconds(100))
        #expect(read(place) == nil && rig.loader.loadCount == loads)
    }

    @Test func afterANewerResponseItIsNot() async throws {
        rig.serve()
        let place = try #require(process.manager.place(of: EncodedRig.thumbnail(), by: encoder))
        let made = try await make()
        #expect(read(place) == made)
        rig.serve(red: 20)
        folder.time.advance(by: .seconds(1))
        _ = try await process.manager.fetchBytes(for: EncodedRig.whole { $0.cache.lookup = .loaderOnly })
        try await process.manager.waitForStores()
        #expect(read(place) == nil)
        #expect(try await make() == [4, 20])
        #expect(read(place) == [4, 20])
        try await process.manager.cache.removeAll()
        #expect(read(place) == nil)
    }

    /// A look that may wait finds out who else writes there.
    @Test func whileAnotherProcessBeginsToUseTheFolderItIsNot() async throws {
        rig.serve()
        let place = try #require(process.manager.place(of: EncodedRig.thumbnail(), by: encoder))
        let made = try await make()
        #expect(read(place) == made)
        let other = folder.cache(files: POSIXFileSystem())
        _ = try await other.usage()
        #expect(disk.hasNewcomers)
        #expect(read(place) == nil && disk.hasNewcomers)
        #expect(try await make() == made)
        #expect(!disk.hasNewcomers)
        withExtendedLifetime(other) {}
    }

    /// Those that ask for a file's state, and those that name a cache, a look-up or conditions.
    @Test func someRequestsHaveNone() throws {
        let manager = process.manager
        func hasPlace(_ change: (inout ImageRequest) -> Void) -> Bool {
            manager.place(of: EncodedRig.thumbnail(change), by: encoder) != nil
        }
        #expect(hasPlace { _ in })
        #expect(!hasPlace { $0.source = .file("/tmp/a.fake") })
        #expect(!hasPlace { $0.cache.store = disk })
        #expect(!hasPlace { $0.cache.originalStore = disk })
        #expect(!hasPlace { $0.cache.read = .none })
        #expect(!hasPlace { $0.cache.lookup = .loaderOnly })
        #expect(!hasPlace { $0.download.method = "POST" })
        #expect(!hasPlace { $0.download.headers = ["Cache-Control": "max-age=0"] })
    }
}
