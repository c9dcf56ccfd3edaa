#if GTK
    import CGTK
    import FoundationEssentials
    import Gannet
    import GannetGTK

    // The calls of views on the coming-from pages, compiled; `SnippetTests` finds every line of the pages in here.

    @GTKActor func comingFromAny(_ view: ImageView, _ button: GTKWidget, url: URL, image: DecodedImage) async throws {
        view.gannet.setImage(with: url)
        view.gannet.setImage(with: url, placeholder: .image(image), transition: .fade(.milliseconds(200)))
        view.gannet.setImage(with: url, progress: { print($0.fraction ?? 0) }, completion: { result in print(result) })
        view.gannet.setImage(with: url) { result in
            switch result {
            case .success(let loaded): print(loaded.size, loaded.origin)
            case .failure(let error): print(error.code, error.message)
            }
        }
        view.gannet.indicator = .activity
        view.gannet.failure = .image(image)
        view.gannet.transition = .fade(.milliseconds(250))
        view.gannet.setImage(with: ImageRequest(url, .forceRefresh, .priority(.high)))
        view.gannet.setImage(with: ImageRequest(url, .previews))
        view.gannet.setImage(with: ImageRequest(url, .transform(.roundCorners(radius: 12))))
        view.gannet.setImage(with: ImageRequest(url, .fit(200, 200), .transform(.roundCorners(radius: 12))))
        button.gannet.setImage(with: url, for: .normal)
        button.gannet.setImage(with: url, for: .normal, layer: .background)
        view.gannet.cancel()
        view.gannet.isPlaying = false
        let loaded = try await view.gannet.image(with: ImageRequest(url))
        print(loaded.origin)
    }
#endif
