#if GTK
    import CGTK
    import CGannetShims
    public import FoundationEssentials
    public import GannetCore
    public import GannetPipeline

    /// What a widget can do with pictures: `widget.gannet.setImage(with: "https://…")`.
    @GTKActor public struct WidgetFace {
        package let images: WidgetImages

        init(_ widget: GTKWidget) { images = WidgetImages.of(widget) }

        // MARK: What stays with the widget

        /// What tells that a load runs, for calls that do not say; nothing by default. - SDWebImage: sd_imageIndicator
        public var indicator: LoadIndicator {
            get { images.defaults.indicator }
            nonmutating set { images.defaults.indicator = newValue }
        }
        /// For calls that do not say; none by default. - SDWebImage: sd_imageTransition
        public var transition: ImageTransition {
            get { images.defaults.transition }
            nonmutating set { images.defaults.transition = newValue }
        }
        /// For calls that do not say; nil: the widget is empty until its picture is there.
        public var placeholder: ImagePlaceholder? {
            get { images.defaults.placeholder }
            nonmutating set { images.defaults.placeholder = newValue }
        }
        /// Shown when a load fails; nil: whatever is there stays.
        public var failure: ImagePlaceholder? {
            get { images.defaults.failure }
            nonmutating set { images.defaults.failure = newValue }
        }
        /// Another one counts at once; `fit` by default.
        public var contentMode: ContentMode {
            get { images.defaults.contentMode }
            nonmutating set { images.defaults.contentMode = newValue }
        }
        /// All of it at once.
        public var defaults: ViewDefaults {
            get { images.defaults }
            nonmutating set { images.defaults = newValue }
        }
        /// Instead of ``GannetToolkit/loader``, for calls from now on.
        public var loader: (any ImageLoading)? {
            get { images.loader }
            nonmutating set { images.loader = newValue }
        }

        // MARK: Calls

        /// Shows the picture of `source`; see ``Presenter/setImage(_:options:completion:progress:isolation:)``. A button shows it in its normal
        /// state. In a slot that nobody shows, of a widget without a place for pictures or with a name of its own, all of the picture is
        /// loaded: ``display(slot:_:)`` shows it.
        public func setImage(
            with source: ImageSource?, placeholder: ImagePlaceholder? = nil, slot: PictureSlotName = .main,
            options: PresentationOptions = PresentationOptions(), completion: Presenter.Completion? = nil,
            progress: Presenter.ProgressHandler? = nil
        ) {
            setImage(
                with: source.map { ImageRequest(source: $0) }, placeholder: placeholder, slot: slot, options: options,
                completion: completion, progress: progress)
        }

        /// The same for what stands at a URL, of this machine or of the network.
        @_disfavoredOverload
        public func setImage(
            with url: URL?, placeholder: ImagePlaceholder? = nil, slot: PictureSlotName = .main,
            options: PresentationOptions = PresentationOptions(), completion: Presenter.Completion? = nil,
            progress: Presenter.ProgressHandler? = nil
        ) {
            setImage(
                with: url.map { ImageSource($0) }, placeholder: placeholder, slot: slot, options: options, completion: completion,
                progress: progress)
        }

        // Literals and nil mean the source.
        /// The same with options of the request's own: size, transformers, cache policies. Nil: the placeholder.
        @_disfavoredOverload
        public func setImage(
            with request: ImageRequest?, placeholder: ImagePlaceholder? = nil, slot: PictureSlotName = .main,
            options: PresentationOptions = PresentationOptions(), completion: Presenter.Completion? = nil,
            progress: Presenter.ProgressHandler? = nil
        ) {
            guard images.isAlive else { return images.refuse(completion) }
            var options = options
            if let placeholder { options.placeholder = placeholder }
            images.slot(slot).presenter.setImage(request, options: options, completion: completion, progress: progress)
        }

        /// The picture, as soon as it is there and on screen. Cancelling the caller's task cancels the load.
        @discardableResult
        public func image(
            with request: ImageRequest, slot: PictureSlotName = .main, options: PresentationOptions = PresentationOptions()
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
                    // Not a call that has taken this one's place meanwhile.
                    guard let presenter = images.existing(slot)?.presenter, presenter.callNumber == call.number else { return }
                    presenter.cancel()
                }
            }
            return try result.get()
        }

        /// Shows this picture.
        public func show(_ image: DecodedImage?, slot: PictureSlotName = .main) { images.slot(slot).presenter.show(image) }

        /// Ends the slot's loads; what is on screen stays. - SDWebImage: sd_cancelCurrentImageLoad
        public func cancel(slot: PictureSlotName = .main) { images.existing(slot)?.presenter.cancel() }

        /// Ends the load and shows the placeholder: what a cell does before it is used again.
        public func reset(slot: PictureSlotName = .main) { images.existing(slot)?.presenter.setImage(nil) }

        /// All that can be set and asked of one slot; made when it is asked for first.
        public func presenter(slot: PictureSlotName = .main) -> Presenter { images.slot(slot).presenter }

        /// Hands the slot's GdkPaintable to whatever shows it: a map marker, a custom widget, a text buffer. It draws the picture,
        /// the placeholder, the indicator and the transitions.
        public func display(slot: PictureSlotName, _ place: (UnsafeMutableRawPointer) -> Void) {
            place(images.displayed(slot).paintable)
        }

        /// Whether the animation of the main picture plays. False for stills, and while the widget is hidden.
        public var isPlaying: Bool {
            get { images.existing(.main)?.presenter.player?.isPlaying ?? false }
            nonmutating set { images.existing(.main)?.setPlaying(newValue) }
        }

        // MARK: What is known

        /// Of the newest call.
        public func source(slot: PictureSlotName = .main) -> ImageSource? { images.existing(slot)?.presenter.source }
        /// The main picture, if it is on screen; nil while a placeholder is there.
        public var picture: DecodedImage? { images.existing(.main)?.presenter.picture }
        /// Of any slot.
        public var isLoading: Bool { images.all.values.contains { $0.presenter.isLoading } }
        /// Of the main picture's newest load; zero before there is one. - SDWebImage: sd_imageProgress
        public var progress: LoadProgress { images.existing(.main)?.presenter.progress ?? LoadProgress() }
    }

    /// Which call of a slot a task waits for.
    @GTKActor private final class CallNumber { var number: Int? }

    extension GTKWidget {
        /// Pictures for this widget, whatever it is. Kept with the widget, so that each call gives the same.
        @GTKActor public var gannet: WidgetFace { WidgetFace(self) }
    }
#endif
