#if GTK
    import CGTK
    import FoundationEssentials
    import Gannet
    import GannetGTK
    import Observation

    // The code of the page on declarative views, compiled; `SnippetTests` finds every line of it in here, and every call of its table.

    @GTKActor func anImageInOneExpression(_ box: UnsafeMutablePointer<GtkBox>) {
        let spinner = GTKView { GTKWidget(gtk_spinner_new()) }
        let image = GannetImage("https://example.org/gannet.jpg") { phase in
            switch phase {
            case .loading: spinner
            case .failure(let error): GTKView { GTKWidget(gtk_label_new(error.message)) }
            case .empty, .image: nil
            }
        }
        .resizable().scaledToFill()
        .frame(width: 320, height: 240)
        .transition(.fade(.milliseconds(250)))
        .alternativeText("A gannet in flight")
        gtk_box_append(box, image.widget.raw.assumingMemoryBound(to: GtkWidget.self))
    }

    @GTKActor func anImageAsAValue(
        url: URL, show: @escaping @GTKActor (ImagePhase) -> Void, redraw: @escaping @Sendable () -> Void
    ) {
        let load = ImageLoad(ImageRequest(url), loader: ImageManager.shared)
        withObservationTracking {
            show(load.phase)
        } onChange: {
            redraw()
        }
    }

    @GTKActor func theCallsOfTheTable(
        url: URL, placeholder image: DecodedImage, manager: ImageManager
    ) -> GannetImage {
        let described =
            anImage(url: url)
            .resizable()
            .resizable().scaledToFit()
            .resizable().scaledToFill()
            .frame(width: 320, height: 240)
            .expectedSize(width: 320, height: 240)
            .placeholder { GTKWidget(gtk_spinner_new()) }
            .placeholder(.color(.middleGray))
            .indicator(.activity)
            .failure(.image(image))
            .transition(.fade(.milliseconds(250)))
            .onSuccess { print($0.origin) }
            .onFailure { print($0.message) }
            .onProgress { print($0.fraction ?? 0) }
            .retryButton("Try again")
            .cancelOnDisappear()
            .onDisappear(.lowerPriority)
            .onDisappear(.keep)
            .priority(.high)
            .keepsCurrent()
            .loader(manager)
            .alternativeText("A gannet in flight")
        again(described, url: url)
        return described
    }

    @GTKActor private func again(_ image: GannetImage, url: URL) {
        image.load.retry()
        image.show(ImageRequest(url))
    }

    @GTKActor private func anImage(url: URL) -> GannetImage {
        GannetImage(url)
    }

    @GTKActor func byPhase(url: URL, cover: @escaping @GTKActor (ImagePhase) -> GTKView?) -> GannetImage {
        GannetImage(url) { phase in cover(phase) }
    }

    @GTKActor func blurred(url: URL) -> GannetImage {
        GannetImage(ImageRequest(url, .transform(.blur(radius: 10))))
    }

    @GTKActor func theValueOfTheTable(url: URL) -> ImageLoad {
        ImageLoad(ImageRequest(url), loader: ImageManager.shared)
    }
#endif
