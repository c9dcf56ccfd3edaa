#if GTK
    import CGTK
    import CGannetShims
    public import GannetCore
    public import GannetViews

    /// A widget's image calls: `widget.gannet.setImage(with: "https://…")`.
    @GTKActor public struct WidgetFace {
        package let images: WidgetImages

        init(_ widget: GTKWidget) { images = WidgetImages.of(widget) }

        init(_ images: WidgetImages) { self.images = images }

        // MARK: Defaults of the widget

        /// Default indicator of running loads; none at first. - SDWebImage: sd_imageIndicator
        public var indicator: LoadIndicator {
            get { images.defaults.indicator }
            nonmutating set { images.defaults.indicator = newValue }
        }
        /// Default transition; none at first. - SDWebImage: sd_imageTransition
        public var transition: ImageTransition {
            get { images.defaults.transition }
            nonmutating set { images.defaults.transition = newValue }
        }
        /// Default placeholder; nil: the widget is empty until its image is loaded.
        public var placeholder: ImagePlaceholder? {
            get { images.defaults.placeholder }
            nonmutating set { images.defaults.placeholder = newValue }
        }
        /// Shown when a load fails; nil: the current content stays.
        public var failure: ImagePlaceholder? {
            get { images.defaults.failure }
            nonmutating set { images.defaults.failure = newValue }
        }
        /// A change applies at once; `fit` by default.
        public var contentMode: ContentMode {
            get { images.defaults.contentMode }
            nonmutating set { images.defaults.contentMode = newValue }
        }
        /// All defaults in one value.
        public var defaults: ViewDefaults {
            get { images.defaults }
            nonmutating set { images.defaults = newValue }
        }
        /// The loader for later calls; nil: ``GannetToolkit/loader``.
        public var loader: (any ImageLoading)? {
            get { images.loader }
            nonmutating set { images.loader = newValue }
        }

        // MARK: Calls

        /// Returns the image once it is loaded and on screen. Cancelling the caller's task cancels the load.
        @discardableResult
        public func image(
            with request: ImageRequest, slot: ImageSlotName = .main, options: PresentationOptions = PresentationOptions()
        ) async throws(ImageError) -> LoadedImage {
            guard images.isAlive else { throw ImageError.cancelled() }
            let presenter = images.slot(slot).presenter
            let images = images
            let call = CallNumber()
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    presenter.setImage(request, options: options) { continuation.resume(returning: $0) }
                    call.number = presenter.callNumber
                }
            } onCancel: {
                // A toolkit edge: one hop to the actor of GTK; ends at once.
                Task { @GTKActor in
                    // Do not cancel a newer call.
                    guard let presenter = images.existing(slot)?.presenter, presenter.callNumber == call.number else { return }
                    presenter.cancel()
                }
            }
            return try result.get()
        }

        /// Shows an image that is already decoded.
        public func show(_ image: DecodedImage?, slot: ImageSlotName = .main) { images.slot(slot).presenter.show(image) }

        /// Cancels the slot's loads; the shown image stays. - SDWebImage: sd_cancelCurrentImageLoad
        public func cancel(slot: ImageSlotName = .main) { images.existing(slot)?.presenter.cancel() }

        /// Cancels the load and shows the placeholder, as a cell does before reuse.
        public func reset(slot: ImageSlotName = .main) { images.existing(slot)?.presenter.setImage(nil) }

        /// The presenter of one slot, with all its settings and state; created on first use.
        public func presenter(slot: ImageSlotName = .main) -> Presenter { images.slot(slot).presenter }

        /// Passes the slot's GdkPaintable to a closure that shows it: a map marker, a custom widget, a text buffer. The
        /// paintable draws the image, the placeholder, the indicator and the transitions.
        public func display(slot: ImageSlotName, _ place: (UnsafeMutableRawPointer) -> Void) {
            place(images.displayed(slot).paintable)
        }

        /// Whether the main image's animation or video plays. False for stills, and while the widget is hidden.
        public var isPlaying: Bool {
            get { images.existing(.main)?.isPlaying ?? false }
            nonmutating set { images.existing(.main)?.setPlaying(newValue) }
        }

        // MARK: State

        /// The source of the newest call.
        public func source(slot: ImageSlotName = .main) -> ImageSource? { images.existing(slot)?.presenter.source }
        /// The main image, if it is on screen; nil while a placeholder is shown.
        public var image: DecodedImage? { images.existing(.main)?.presenter.image }
        /// Whether any slot is loading.
        public var isLoading: Bool { images.all.values.contains { $0.presenter.isLoading } }
        /// Progress of the main image's newest load; zero before there is one. - SDWebImage: sd_imageProgress
        public var progress: LoadProgress { images.existing(.main)?.presenter.progress ?? LoadProgress() }
    }

    /// The number of the call that a task waits for.
    @GTKActor private final class CallNumber { var number: Int? }

    extension GTKWidget {
        /// Images for this widget, of whatever type. Kept with the widget, so that each call returns the same.
        @GTKActor public var gannet: WidgetFace { WidgetFace(self) }
    }
#endif
