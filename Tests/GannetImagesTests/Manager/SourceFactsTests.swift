import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@testable import GannetImages

/// The facts of a file besides its pixels.
@Suite struct SourceFactsTests {
    private let loader = FakeImageLoader()
    private let coder = FakeImageCoder()
    private let file = FakeImageCoder.bytes(width: 8, height: 8, red: 10)
    private let manager: ImageManager

    init() {
        manager = ImageManager(
            configuration: ManagerConfiguration(
                memoryCache: nil, diskCache: nil, loaders: LoadersManager([loader]), coders: CodersManager([coder])))
        loader.answer(ManagerFixture.url, with: .bytes(FakeImageCoder.bytes(width: 4, height: 400, red: 10)))
    }

    @Test func `A file that the load had to read is asked of nobody, and its pixels are not decoded`() async throws {
        let known = EncodedImage(bytes: ByteRope(file))
        let facts = try await manager.sourceFacts(for: ImageRequest(ImageSource(ManagerFixture.url)), of: known)
        #expect(facts?.byteCount == file.count && facts?.exif == nil)
        #expect(loader.loadCount == 0 && coder.decodeCount == 0)
    }

    @Test func `Without the file no connection is opened for facts`() async throws {
        let facts = try? await manager.sourceFacts(for: ImageRequest(ImageSource(ManagerFixture.url)), of: nil)
        #expect(facts == nil && loader.loadCount == 0)
    }

    @Test func `A known file that is no image is an error, and is not read again`() async throws {
        let known = EncodedImage(bytes: ByteRope(Array("no image".utf8)))
        let code = await codeOfFacts(known)
        #expect(code == .notAnImage && loader.loadCount == 0)
    }

    private func codeOfFacts(_ known: EncodedImage) async -> ImageError.Code? {
        do throws(ImageError) {
            _ = try await manager.sourceFacts(for: ImageRequest(ImageSource(ManagerFixture.url)), of: known)
            return nil
        } catch { return error.code }
    }
}
