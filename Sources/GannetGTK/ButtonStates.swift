#if GTK
    import CGTK
    import CGannetShims
    public import GannetCore
    public import GannetPipeline

    /// The states of a button that can have pictures of their own. - SDWebImage: UIControlState
    public enum ButtonState: String, Hashable, Sendable, CaseIterable {
        case normal
        /// The pointer is over it.
        case hover
        /// Pressed.
        case active
        case insensitive
        /// A toggle button that is on: its alternate image. - SDWebImage: alternateImage
        case checked

        /// In the foreground or behind it.
        public enum Layer: String, Hashable, Sendable, CaseIterable { case foreground, background }

        package func slot(_ layer: Layer) -> PictureSlotName { PictureSlotName("button-\(layer.rawValue)-\(rawValue)") }
    }

    /// Shows the pictures of a button by its state.
    @GTKActor final class ButtonStates {
        private weak var images: WidgetImages?
        private var pictures: [ButtonState.Layer: UnsafeMutablePointer<GtkWidget>] = [:]
        private var size: LayoutSize?

        init(_ images: WidgetImages) { self.images = images }

        func slot(_ state: ButtonState, _ layer: ButtonState.Layer) -> PictureSlot? {
            guard let images else { return nil }
            prepare(images)
            let slot = images.slot(state.slot(layer))
            if slot.onSize == nil {
                // The pictures of the other states load for the same size before they are seen.
                slot.onSize = { [weak self] in self?.spread($0) }
                if let size { slot.setSize(size) }
            }
            update()
            return slot
        }

        private func spread(_ size: LayoutSize) {
            guard self.size != size else { return }
            self.size = size
            for slot in images?.all.values.map({ $0 }) ?? [] { slot.setSize(size) }
        }

        private func prepare(_ images: WidgetImages) {
            guard pictures.isEmpty, let overlay = gtk_overlay_new(), let back = gtk_picture_new(), let front = gtk_picture_new()
            else { return }
            gtk_picture_set_content_fit(OpaquePointer(back), GTK_CONTENT_FIT_FILL)
            gtk_picture_set_content_fit(OpaquePointer(front), GTK_CONTENT_FIT_FILL)
            gtk_overlay_set_child(OpaquePointer(overlay), back)
            gtk_overlay_add_overlay(OpaquePointer(overlay), front)
            gtk_overlay_set_measure_overlay(OpaquePointer(overlay), front, 1)
            gtk_button_set_child(images.widget.raw.assumingMemoryBound(to: GtkButton.self), overlay)
            pictures = [.background: back, .foreground: front]
            images.widget.connectInt("state-flags-changed") { [weak self] _ in self?.update() }
            images.widget.connect("destroy") { [weak self] in self?.pictures = [:] }
        }

        /// The most telling state first.
        private var states: [ButtonState] {
            guard let images else { return [.normal] }
            let flags = gtk_widget_get_state_flags(images.widget.widget).rawValue
            var states: [ButtonState] = []
            if flags & GTK_STATE_FLAG_INSENSITIVE.rawValue != 0 { states.append(.insensitive) }
            if flags & GTK_STATE_FLAG_ACTIVE.rawValue != 0 { states.append(.active) }
            if flags & GTK_STATE_FLAG_CHECKED.rawValue != 0 { states.append(.checked) }
            if flags & GTK_STATE_FLAG_PRELIGHT.rawValue != 0 { states.append(.hover) }
            return states + [.normal]
        }

        private func update() {
            guard let images else { return }
            var shown: Set<PictureSlotName> = []
            for (layer, picture) in pictures {
                let name = states.lazy.map { $0.slot(layer) }.first { images.existing($0) != nil }
                if let name { shown.insert(name) }
                let paintable = name.flatMap { images.existing($0) }.map { OpaquePointer($0.paintable) }
                if gtk_picture_get_paintable(OpaquePointer(picture)) != paintable {
                    gtk_picture_set_paintable(OpaquePointer(picture), paintable)
                }
            }
            images.show(only: shown)
        }
    }

    @GTKActor extension WidgetFace {
        /// For GtkButton and its heirs. A state without a picture shows the normal one's.
        public func setImage(
            with request: ImageRequest?, for state: ButtonState, layer: ButtonState.Layer = .foreground,
            placeholder: ImagePlaceholder? = nil, options: PresentationOptions = PresentationOptions(),
            completion: Presenter.Completion? = nil, progress: Presenter.ProgressHandler? = nil
        ) {
            switch images.widget.kind {
            case .button, .toggleButton: break
            case .other, .picture, .image:
                completion?(.failure(ImageError(.misuse, "Pictures for states need a GtkButton; use setImage(with:slot:).")))
                return
            }
            var options = options
            if let placeholder { options.placeholder = placeholder }
            images.button.slot(state, layer)?.presenter.setImage(
                request, options: options, completion: completion, progress: progress)
        }

        public func cancel(_ state: ButtonState, layer: ButtonState.Layer = .foreground) { cancel(slot: state.slot(layer)) }

        /// Of the state itself, not of the one it falls back to.
        public func source(for state: ButtonState, layer: ButtonState.Layer = .foreground) -> ImageSource? {
            source(slot: state.slot(layer))
        }

        /// What is shown for the state: its own, or the normal one's.
        public func currentSource(for state: ButtonState, layer: ButtonState.Layer = .foreground) -> ImageSource? {
            source(for: state, layer: layer) ?? source(for: .normal, layer: layer)
        }

        public func picture(for state: ButtonState, layer: ButtonState.Layer = .foreground) -> DecodedImage? {
            images.existing(state.slot(layer))?.presenter.picture
        }
    }
#endif
