import Gannet
import GannetCore
import GannetImages
import GannetTesting
import GannetViews
import Testing

// The code of the article on tests of view models, compiled and run; `SnippetTests` finds every line of it in here.

@MainActor final class PhotoModel {
    enum State: Equatable {
        case empty
        case loading(fraction: Double?)
        case shown
        case failed(String)
    }

    private(set) var state = State.empty
    private(set) var image: DecodedImage?
    /// The newest load. It ends with its result, and tests wait for it.
    private(set) var work: Task<Void, Never>?
    private let loader: any ImageLoading
    private var load: PresentedLoad?
    private var number = 0

    init(loader: any ImageLoading = ImageManager.shared) { self.loader = loader }

    func show(_ source: ImageSource) {
        load?.cancel()
        let load = loader.startLoad(ImageRequest(source, .fit(800, 600)))
        self.load = load
        number += 1
        state = .loading(fraction: nil)
        work = Task { [number] in
            for await event in load.events {
                // A load that was replaced may still have an answer.
                if number == self.number { receive(event) }
            }
        }
    }

    private func receive(_ event: ImageTaskEvent) {
        switch event {
        case .progress(let progress): state = .loading(fraction: progress.fraction)
        case .preview(let preview): image = preview
        case .stale(let stored): image = stored.image
        case .finished(.success(let loaded)):
            image = loaded.image
            state = .shown
        case .finished(.failure(let error)): state = .failed(error.message)
        }
    }
}

@MainActor @Suite struct PhotoModelTests {
    @Test func showsTheImage() async throws {
        let loader = ManualLoader()
        let model = PhotoModel(loader: loader)
        model.show("https://example.org/a.jpg")
        #expect(model.state == .loading(fraction: nil))
        loader.first.succeed(TestImages.still(try TestImages.gradient(width: 8, height: 4)))
        await model.work?.value
        #expect(model.state == .shown)
        #expect(model.image?.size == PixelSize(width: 8, height: 4))
    }

    @Test func saysWhatFailed() async {
        let loader = ManualLoader()
        let model = PhotoModel(loader: loader)
        model.show("https://example.org/a.jpg")
        loader.first.send(.finished(.failure(ImageError(.notFound, stage: .load, "There is no such photo."))))
        await model.work?.value
        #expect(model.state == .failed("There is no such photo."))
    }

    @Test func dropsALateAnswer() async throws {
        // Its loads answer although they are cancelled, as loads do that are cancelled too late.
        let loader = ManualLoader(answersAfterCancelling: true)
        let model = PhotoModel(loader: loader)
        model.show("https://example.org/first.jpg")
        let first = model.work
        model.show("https://example.org/second.jpg")
        #expect(loader.first.isCancelled)
        loader.load(1).succeed(TestImages.still(try TestImages.gradient(width: 8, height: 4)))
        loader.first.succeed(TestImages.still(try TestImages.gradient(width: 2, height: 2)))
        await model.work?.value
        await first?.value
        #expect(model.image?.size == PixelSize(width: 8, height: 4))
    }
}
