#if GTK
    import CGTK
    import CGannetShims
    public import GannetCore
    public import GannetImages
    public import GannetViews

    /// An image and the widgets over it, described in one expression.
    ///
    /// ```swift
    /// let image = GannetImage("https://example.org/gannet.jpg") { phase in
    ///     switch phase {
    ///     case .loading: spinner
    ///     case .failure(let error): GTKView { label(error.message) }
    ///     case .empty, .image: nil
    ///     }
    /// }
    /// .scaledToFill()
    /// .transition(.fade)
    /// gtk_box_append(box, image.widget.raw…)
    /// ```
    ///
    /// The load begins when the widget is first shown. In a GtkScrolledWindow, an image more than half a page outside of its page
    /// counts as hidden. ``load`` is the observable face: phase, retry, priority. The image itself is drawn as by an ``ImageView``,
    /// with its placeholder, indicator, transition and animation.
    @GTKActor public final class GannetImage {
        /// A GtkOverlay with a floating reference: the container that takes it keeps it alive, and it keeps this object alive.
        public let widget: GTKWidget
        /// Phase, retry, cancel and priority of the load. Empty until the widget is shown.
        public let load: ImageLoad
        package let picture: GTKWidget
        private let images: WidgetImages
        private let embedder: ViewEmbedder
        private let content: (@GTKActor (ImagePhase) -> GTKView?)?
        private var request: ImageRequest?
        private var options = PresentationOptions()
        private var hasBegun = false
        /// The phase that `content` has seen last, and its view.
        private var covered: (phase: ImagePhase, view: GTKView?)?
        private var text: String?
        private var retryLabel: String?
        private var onSuccess: (@GTKActor (LoadedImage) -> Void)?
        private var onFailure: (@GTKActor (ImageError) -> Void)?

        private static let key = "gannet-declared"

        /// Traps if GTK is not initialised. `content` answers the view over the image in each phase, such as a spinner, or nil for the
        /// image alone. It is called when a phase begins and for each new preview, not for progress, which goes to the view's `update`.
        /// A view that is answered again stays; make those that are to stay outside of the closure.
        public convenience init(
            _ source: (some ImageSourceConvertible)?, content: (@GTKActor (ImagePhase) -> GTKView?)? = nil
        ) {
            self.init(source.map { ImageRequest($0) }, content: content)
        }

        /// The image of a request with its own size, transformers and cache policies.
        @_disfavoredOverload
        public init(_ request: ImageRequest?, content: (@GTKActor (ImagePhase) -> GTKView?)? = nil) {
            let view = ImageView()
            (widget, picture, embedder) = (view.widget, view.picture, view.embedder)
            (self.request, self.content) = (request, content)
            images = view.gannet.images
            load = ImageLoad(view.gannet.presenter())
            // The view ends here and takes its own reference along.
            g_object_ref(widget.raw)
            g_object_force_floating(widget.object)
            g_object_set_data_full(widget.object, Self.key, Handed.retain(self), Handed.release)
            face.contentMode = .scaleDown
            let presenter = load.presenter
            presenter.onPhase = { [weak self] in self?.phaseChanged() }
            presenter.onOutcome = { [weak self] in self?.ended($0) }
            picture.connect("map") { [weak self] in self?.begin() }
            ScrollSight.watch(picture) { [weak self] in self?.load.setVisible($0) }
        }

        /// Shows another image, if it is another one: see ``ImageLoad/load(_:options:isolation:)``.
        public func show(_ request: ImageRequest?) {
            self.request = request
            if hasBegun, isAlive { load.load(request, options: options) }
        }

        private var face: WidgetFace { WidgetFace(images) }
        private var isAlive: Bool { images.isAlive }

        private func begin() {
            guard !hasBegun else { return }
            hasBegun = true
            // The manager may have been set since.
            _ = images.slot(.main)
            load.load(request, options: options)
            phaseChanged()
        }

        // MARK: Phases

        private func phaseChanged() {
            guard isAlive else { return }
            let phase = load.phase
            if covered?.phase != phase.withoutProgress {
                covered = (phase.withoutProgress, content?(phase) ?? retryButton(phase))
                nameImage(phase)
            }
            embedder.cover(with: covered?.view, progress: phase.progress)
        }

        private func retryButton(_ phase: ImagePhase) -> GTKView? {
            guard let retryLabel, let error = phase.error else { return nil }
            return GTKView { [weak self] in
                guard let button = gtk_button_new_with_label(retryLabel) else { fatalError("GTK is not initialised") }
                gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
                gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
                gtk_widget_set_tooltip_text(button, error.message)
                GTKWidget(button).connect("clicked") { [weak self] in self?.load.retry() }
                return GTKWidget(button)
            }
        }

        /// Screen readers say what is shown, or why it is not.
        private func nameImage(_ phase: ImagePhase) {
            let name = text ?? request?.source.shortName
            picture.setAlternativeText(phase.error.map { [name, $0.message].compactMap { $0 }.joined(separator: ": ") } ?? text)
        }

        private func ended(_ result: Result<LoadedImage, ImageError>) {
            switch result {
            case .success(let loaded): onSuccess?(loaded)
            case .failure(let error): onFailure?(error)
            }
        }
    }

    // Each changes the image and answers it, so that they can be written in a row, before or after it is shown.
    @GTKActor extension GannetImage {
        private func with(_ change: () -> Void) -> GannetImage {
            if isAlive { change() }
            return self
        }

        /// The image takes the whole place, without keeping its proportions; follow it with ``scaledToFit()`` or ``scaledToFill()`` to
        /// keep them. Without any of the three it is fitted and never enlarged.
        @discardableResult public func resizable() -> GannetImage { with { face.contentMode = .stretch } }

        /// The whole image, as large as its place allows.
        @discardableResult public func scaledToFit() -> GannetImage { with { face.contentMode = .fit } }

        /// The image fills its place, and the excess is cut off evenly.
        @discardableResult public func scaledToFill() -> GannetImage { with { face.contentMode = .fill } }

        /// The size of the place, in points.
        @discardableResult public func frame(width: Int, height: Int) -> GannetImage {
            with { gtk_widget_set_size_request(widget.widget, Int32(clamping: width), Int32(clamping: height)) }
        }

        /// The size that the image will have, in points, where no frame is set: nothing moves when it comes.
        @discardableResult public func expectedSize(width: Double, height: Double) -> GannetImage {
            with { options.expectedSize = LayoutSize(width: width, height: height) }
        }

        /// Shown until there is an image.
        @discardableResult public func placeholder(_ placeholder: ImagePlaceholder) -> GannetImage {
            with { face.placeholder = placeholder }
        }

        /// A widget shown until there is an image, made each time.
        @discardableResult public func placeholder(_ make: @escaping @GTKActor @Sendable () -> GTKWidget) -> GannetImage {
            placeholder(.view(GTKView(make)))
        }

        /// Shows that a load runs.
        @discardableResult public func indicator(_ indicator: LoadIndicator) -> GannetImage {
            with { face.indicator = indicator }
        }

        /// How the image replaces what was there.
        @discardableResult public func transition(_ transition: ImageTransition) -> GannetImage {
            with { face.transition = transition }
        }

        /// Shown when the load fails.
        @discardableResult public func failure(_ failure: ImagePlaceholder) -> GannetImage { with { face.failure = failure } }

        /// A button over an image that failed, which loads it again by click and by key; where `content` answers no view.
        @discardableResult public func retryButton(_ label: String = "Try again") -> GannetImage { with { retryLabel = label } }

        /// Called each time an image was loaded and is on screen.
        @discardableResult public func onSuccess(_ call: @escaping @GTKActor (LoadedImage) -> Void) -> GannetImage {
            with { onSuccess = call }
        }

        /// Called each time a load has failed; not for cancelled ones.
        @discardableResult public func onFailure(_ call: @escaping @GTKActor (ImageError) -> Void) -> GannetImage {
            with { onFailure = call }
        }

        /// Called with the progress of each load.
        @discardableResult public func onProgress(_ call: @escaping @GTKActor (LoadProgress) -> Void) -> GannetImage {
            with { load.presenter.onProgress = { progress in call(progress) } }
        }

        /// The action for the load when the widget is hidden; without this it is less urgent.
        @discardableResult public func onDisappear(_ action: HiddenAction) -> GannetImage {
            with { face.defaults.whenHidden = action }
        }

        /// Cancels the load when the widget is hidden, and begins it again when it is shown.
        @discardableResult public func cancelOnDisappear() -> GannetImage { onDisappear(.cancel) }

        /// The priority of the loads.
        @discardableResult public func priority(_ priority: LoadPriority) -> GannetImage { with { load.priority = priority } }

        /// The image stays until the next one comes.
        @discardableResult public func keepsCurrent() -> GannetImage { with { options.keepsCurrent = true } }

        /// The manager that loads; without this ``GannetToolkit/loader``.
        @discardableResult public func loader(_ loader: any ImageLoading) -> GannetImage { with { face.loader = loader } }

        /// The text for screen readers.
        @discardableResult public func alternativeText(_ text: String) -> GannetImage {
            with {
                self.text = text
                nameImage(load.phase)
            }
        }
    }
#endif
