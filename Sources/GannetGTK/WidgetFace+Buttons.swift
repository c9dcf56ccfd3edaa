#if GTK
    public import GannetCore
    public import GannetViews

    @GTKActor extension WidgetFace {
        /// Shows the image of a source; nil: no image for this state. Otherwise like the call with a request.
        @_disfavoredOverload
        public func setImage(
            with source: (some ImageSourceConvertible)?, for state: ButtonState, layer: ButtonState.Layer = .foreground,
            placeholder: ImagePlaceholder? = nil,
            transition: ImageTransition = .inherited, options: PresentationOptions = PresentationOptions()
        ) {
            setImage(
                with: source, for: state, layer: layer, placeholder: placeholder, transition: transition, options: options,
                completion: nil)
        }

        /// Shows the image of a source, and calls back: `completion` exactly once and last.
        @_disfavoredOverload
        public func setImage(
            with source: (some ImageSourceConvertible)?, for state: ButtonState, layer: ButtonState.Layer = .foreground,
            placeholder: ImagePlaceholder? = nil,
            transition: ImageTransition = .inherited, options: PresentationOptions = PresentationOptions(),
            progress: ((LoadProgress) -> Void)? = nil, completion: ((Result<LoadedImage, ImageError>) -> Void)?
        ) {
            setImage(
                with: source.map { ImageRequest($0) }, for: state, layer: layer, placeholder: placeholder, transition: transition,
                options: options, progress: progress, completion: completion)
        }

        /// Sets an image for a state of a GtkButton, an ``ImageView`` or a GtkPicture. A state without an image shows the normal
        /// one, as does a state whose image is loading or has failed. The original child of a button, usually a label, stays over
        /// backgrounds; a foreground replaces it. - SDWebImage: sd_setHighlightedImageWithURL
        public func setImage(
            with request: ImageRequest?, for state: ButtonState, layer: ButtonState.Layer = .foreground,
            placeholder: ImagePlaceholder? = nil, transition: ImageTransition = .inherited,
            options: PresentationOptions = PresentationOptions()
        ) {
            setImage(
                with: request, for: state, layer: layer, placeholder: placeholder, transition: transition, options: options,
                completion: nil)
        }

        /// Sets an image for a state, and calls back: `completion` exactly once and last, with `misuse` if the widget has no images for
        /// states, or none behind it.
        public func setImage(
            with request: ImageRequest?, for state: ButtonState, layer: ButtonState.Layer = .foreground,
            placeholder: ImagePlaceholder? = nil, transition: ImageTransition = .inherited,
            options: PresentationOptions = PresentationOptions(), progress: ((LoadProgress) -> Void)? = nil,
            completion: ((Result<LoadedImage, ImageError>) -> Void)?
        ) {
            guard images.isAlive else { return images.refuse(completion) }
            switch images.widget.kind {
            case .button, .toggleButton: break
            case .picture where layer == .foreground: break
            case .other, .picture, .image:
                let message = "Images for states need a GtkButton, or the foreground of a GtkPicture; use setImage(with:slot:)."
                completion?(.failure(ImageError(.misuse, message)))
                return
            }
            images.states.slot(state, layer)?.presenter.setImage(
                request, options: options.with(placeholder, transition), progress: progress, completion: completion)
        }

        /// Cancels the load of this state only; the shown image stays. - SDWebImage: sd_cancelImageLoadForState:
        public func cancel(_ state: ButtonState, layer: ButtonState.Layer = .foreground) { cancel(slot: state.slot(layer)) }

        /// The source of the state itself, without the fallback.
        public func source(for state: ButtonState, layer: ButtonState.Layer = .foreground) -> ImageSource? {
            source(slot: state.slot(layer))
        }

        /// The source shown in the state: its own, or the normal one's.
        public func currentSource(for state: ButtonState, layer: ButtonState.Layer = .foreground) -> ImageSource? {
            source(for: state, layer: layer) ?? source(for: .normal, layer: layer)
        }

        /// The image of the state itself, without the fallback; nil while it has none.
        public func image(for state: ButtonState, layer: ButtonState.Layer = .foreground) -> DecodedImage? {
            images.existing(state.slot(layer))?.presenter.image
        }
    }
#endif
