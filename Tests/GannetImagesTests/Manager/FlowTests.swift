import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@Suite struct FlowTests {
    @Test func aMemoryHitNeedsNoSuspension() async throws {  // MC-04, OP-13, MG-04
        let fixture = ManagerFixture()
        fixture.serve()
        let request = ImageRequest(ImageSource(ManagerFixture.url))
        #expect(fixture.manager.cachedImage(for: request) == nil)
        _ = try await fixture.manager.image(for: request)
        let hit = fixture.manager.cachedImage(for: request)
        #expect(hit?.origin == .memory)
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func aTransformedPictureNeverStandsUnderTheOriginalsKey() async throws {  // TR-09, S3-24, CX-07
        let fixture = ManagerFixture()
        fixture.serve(red: 10)
        let plain = ImageRequest(ImageSource(ManagerFixture.url))
        let changed = ImageRequest(ImageSource(ManagerFixture.url), .transform(AddTransformer(amount: 5)))
        #expect(red(try await fixture.manager.image(for: changed)) == 15)
        #expect(red(try await fixture.manager.image(for: plain)) == 10)
        #expect(red(try await fixture.manager.image(for: changed)) == 15)
    }

    @Test func aFailingTransformerIsAnErrorAndNothingIsStored() async {  // MG-17
        struct Failing: ImageTransformer {
            var identifier: String? { "failing" }
            func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
                throw ImageError(.transformFailed, "no")
            }
        }
        let fixture = ManagerFixture()
        fixture.serve()
        let request = ImageRequest(ImageSource(ManagerFixture.url), .transform(Failing()))
        do throws(ImageError) {
            _ = try await fixture.manager.image(for: request)
            Issue.record("the untransformed picture was delivered")
        } catch {
            #expect(error.code == .transformFailed)
            #expect(error.stage == .transform)
        }
        #expect(fixture.manager.cachedImage(for: request) == nil)
        #expect(fixture.observer.isBalanced)
    }

    @Test func cacheOnlyNeverAsksTheSource() async {  // OP-15, MG-14
        let fixture = ManagerFixture()
        fixture.serve()
        do throws(ImageError) {
            _ = try await fixture.manager.image(for: ImageSource(ManagerFixture.url), .lookup(.cacheOnly))
            Issue.record("a picture came from nowhere")
        } catch { #expect(error.code == .cacheMiss) }
        #expect(fixture.loader.loadCount == 0)
    }

    @Test func loaderOnlyNeverAsksTheCache() async throws {  // OP-16
        let fixture = ManagerFixture()
        fixture.serve()
        for _ in 0..<2 { _ = try await fixture.manager.image(for: ImageSource(ManagerFixture.url), .lookup(.loaderOnly)) }
        #expect(fixture.loader.loadCount == 2)
    }

    @Test func aTransformerWithoutIdentifierIsNeverStored() async throws {
        struct Anonymous: ImageTransformer {
            var identifier: String? { nil }
            func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap { bitmap }
        }
        let fixture = ManagerFixture()
        fixture.serve()
        let request = ImageRequest(ImageSource(ManagerFixture.url), .transform(Anonymous()))
        _ = try await fixture.manager.image(for: request)
        #expect(fixture.manager.cachedImage(for: request) == nil)
        #expect(fixture.memory.usage.count == 0)
    }

    @Test func notAnImageIsAnErrorWithStageAndRemedy() async {
        let fixture = ManagerFixture()
        fixture.loader.answer(ManagerFixture.url, with: .bytes(Array("<html>".utf8)))
        do throws(ImageError) {
            _ = try await fixture.manager.image(for: ImageSource(ManagerFixture.url))
            Issue.record("a page became a picture")
        } catch {
            #expect(error.code == .notAnImage && error.stage == .decode)
            #expect(error.source == ManagerFixture.url)
        }
    }

    @Test func anEmptySourceIsMisuse() async {  // ER-1000
        let fixture = ManagerFixture()
        do throws(ImageError) {
            _ = try await fixture.manager.image(for: ImageRequest(""))
            Issue.record("nothing became a picture")
        } catch { #expect(error.code == .misuse && error.stage == .resolve) }
    }

    @Test func revalidateShowsTheStoredPictureFirst() async throws {  // MG-15, OP-03
        let fixture = ManagerFixture()
        fixture.serve(red: 1)
        _ = try await fixture.manager.image(for: ImageSource(ManagerFixture.url))
        fixture.serve(red: 2)
        let task = fixture.manager.task(for: ImageSource(ManagerFixture.url), .lookup(.revalidate))
        var stale: UInt8?
        var final: UInt8?
        for await event in task.events {
            switch event {
            case .stale(let picture): stale = red(picture)
            case .finished(let result): final = red(try result.get())
            default: break
            }
        }
        #expect(stale == 1)
        #expect(final == 2)
    }

    // CG-01
    @Test func interceptorsStandAroundTheLoad() async throws {
        struct Replacing: LoadInterceptor {
            func intercept(_ request: ResolvedRequest, next: LoadInterceptor.Next) async throws(ImageError) -> LoadedImage {
                var result = try await next(request)
                result.origin = .data
                return result
            }
        }
        let fixture = ManagerFixture { $0.interceptors = [Replacing()] }
        fixture.serve()
        #expect(try await fixture.manager.image(for: ImageSource(ManagerFixture.url)).origin == .data)
    }
}
