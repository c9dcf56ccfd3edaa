#if GTK
    import Gannet
    import GannetGTK

    // The code of the article on views, compiled; `SnippetTests` finds every line of it in here.

    @GTKActor func onePicture() {
        let view = PictureView(alternativeText: "A gannet in flight")
        view.gannet.placeholder = .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
        view.gannet.indicator = .activity
        view.gannet.transition = .fade
        view.gannet.failure = .color(.middleGray)
        view.gannet.setImage(with: "https://example.org/gannet.jpg")
    }

    @GTKActor func wall(urls: [ImageSource], _ manager: ImageManager) {
        let cells = PictureCells(width: 160, height: 160) { ImageRequest(urls[$0]) }
        cells.onSetup = { view in
            view.gannet.contentMode = .fill
            view.gannet.placeholder = .color(.middleGray)
            view.gannet.transition = .fade(.milliseconds(150))
        }
        cells.prefetches(48, with: ImagePrefetcher(manager: .shared))
        let grid = cells.makeGridView(count: urls.count) { print("chosen:", urls[$0]) }
        _ = grid
    }
#endif
