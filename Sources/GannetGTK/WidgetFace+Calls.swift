#if GTK
    public import GannetCore
    public import GannetViews

    // Each source has two calls: without closures, and with a completion that has no default. With a default, a closure behind
    // the call would be taken for `progress`. Literals mean the source, and nil a request.

    @GTKActor extension WidgetFace {
        /// Shows the image of `source`; see ``Presenter/setImage(_:options:isolation:)``. A button shows it in its normal state. A
        /// slot that is not shown loads the whole image: one with a custom name, or of a widget without a place for images. Use
        /// ``display(slot:_:)`` to show it. `placeholder` and `transition` go before those in `options`.
        public func setImage(
            with source: (some ImageSourceConvertible)?, placeholder: ImagePlaceholder? = nil,
            transition: ImageTransition = .inherited,
            slot: ImageSlotName = .main, options: PresentationOptions = PresentationOptions()
        ) {
            setImage(
                with: source, placeholder: placeholder, transition: transition, slot: slot, options: options, completion: nil)
        }

        /// The same, and calls back: `completion` exactly once and last, see
        /// ``Presenter/setImage(_:options:progress:completion:isolation:)``.
        public func setImage(
            with source: (some ImageSourceConvertible)?, placeholder: ImagePlaceholder? = nil,
            transition: ImageTransition = .inherited,
            slot: ImageSlotName = .main, options: PresentationOptions = PresentationOptions(),
            progress: ((LoadProgress) -> Void)? = nil, completion: ((Result<LoadedImage, ImageError>) -> Void)?
        ) {
            setImage(
                with: source.map { ImageRequest($0) }, placeholder: placeholder, transition: transition, slot: slot,
                options: options, progress: progress, completion: completion)
        }

        /// Shows the image of a request with its own size, transformers and cache policies. Nil: the placeholder.
        @_disfavoredOverload
        public func setImage(
            with request: ImageRequest?, placeholder: ImagePlaceholder? = nil, transition: ImageTransition = .inherited,
            slot: ImageSlotName = .main, options: PresentationOptions = PresentationOptions()
        ) {
            setImage(
                with: request, placeholder: placeholder, transition: transition, slot: slot, options: options, completion: nil)
        }

        /// Shows the image of a request, and calls back: `completion` exactly once and last.
        @_disfavoredOverload
        public func setImage(
            with request: ImageRequest?, placeholder: ImagePlaceholder? = nil, transition: ImageTransition = .inherited,
            slot: ImageSlotName = .main, options: PresentationOptions = PresentationOptions(),
            progress: ((LoadProgress) -> Void)? = nil, completion: ((Result<LoadedImage, ImageError>) -> Void)?
        ) {
            guard images.isAlive else { return images.refuse(completion) }
            images.slot(slot).presenter.setImage(
                request, options: options.with(placeholder, transition), progress: progress, completion: completion)
        }
    }

    extension PresentationOptions {
        /// These options with the placeholder and the transition that a call names.
        func with(_ placeholder: ImagePlaceholder?, _ transition: ImageTransition) -> PresentationOptions {
            var options = self
            if let placeholder { options.placeholder = placeholder }
            if case .inherited = transition.kind { return options }
            options.transition = transition
            return options
        }
    }
#endif
