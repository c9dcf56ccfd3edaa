#if GTK
    import CGTK
    import CGannetShims
    import GannetCore
    import GannetViews

    /// A state of a button or an image view that can have its own image. - SDWebImage: UIControlState
    public enum ButtonState: String, Hashable, Sendable, CaseIterable {
        /// Also shown in every state without an image.
        case normal
        /// The pointer is over it.
        case hover
        /// Pressed; for an image view: highlighted by the program, see ``ImageView/isHighlighted``.
        case active
        /// The button is disabled. - SDWebImage: UIControlState, disabled
        case insensitive
        /// A toggle button that is on: its alternate image. - SDWebImage: alternateImage
        case checked

        /// The place of an image in a button: in the foreground or behind it. An image view has only a foreground.
        public enum Layer: String, Hashable, Sendable, CaseIterable {
            /// The button's own image. - SDWebImage: setImage
            case foreground
            /// Behind the button's content, as large as the button. - SDWebImage: setBackgroundImage
            case background
        }

        package func slot(_ layer: Layer) -> ImageSlotName { ImageSlotName("button-\(layer.rawValue)-\(rawValue)") }
    }

    /// Shows the images of a button or a picture by its state.
    @GTKActor final class StateImages {
        private weak var images: WidgetImages?
        private var pictures: [ButtonState.Layer: UnsafeMutablePointer<GtkWidget>] = [:]
        /// The widget whose size the images are made for: a button's overlay, or the picture itself.
        private var place: UnsafeMutablePointer<GtkWidget>?
        private var isPicture = false
        /// The button's original child, usually a label: stays over a background, and is replaced by a foreground.
        private var ownChild: UnsafeMutablePointer<GtkWidget>?
        private var isListening = false
        /// Nil: not known yet. Some(nil): the button takes the size of its image.
        private var size: LayoutSize??
        /// Frames waited for the layout; nil: not waiting.
        private var framesWaited: Int?

        init(_ images: WidgetImages) { self.images = images }

        func slot(_ state: ButtonState, _ layer: ButtonState.Layer) -> ImageSlot? {
            guard let images else { return nil }
            prepare(images)
            if isPicture, state == .normal { return images.slot(.main) }
            if layer == .foreground, let place, let own = ownChild {
                ownChild = nil
                gtk_overlay_remove_overlay(OpaquePointer(place), own)
            }
            let slot = images.plain(state.slot(layer))
            if slot.onSize == nil {
                // Images of other states load at the same size before they are shown.
                slot.place = .byState
                slot.room = { [weak self] in self?.room }
                slot.onSize = { [weak self] in self?.spread($0) }
                slot.onContent = { [weak self] in self?.contentChanged() }
                if let size { slot.setSize(size) }
            }
            update()
            measure()
            return slot
        }

        private func spread(_ size: LayoutSize?) {
            guard self.size != .some(size) else { return }
            self.size = .some(size)
            for slot in images?.all.values.map({ $0 }) ?? [] where slot.place == .byState { slot.setSize(size) }
        }

        /// Takes the size from the layout when no visible state has an image whose drawing would report it.
        private func measure() {
            guard size == nil, framesWaited == nil, let place, gtk_widget_get_mapped(place) != 0 else { return }
            framesWaited = 0
            gtk_widget_add_tick_callback(
                place,
                { _, _, data in
                    guard let waiting = Handed.object(data, as: LayoutWait.self) else { return 0 }
                    return GTKActor.assumeIsolated { waiting.images?.frameCame() ?? false } ? 1 : 0
                }, Handed.retain(LayoutWait(self)), Handed.release)
        }

        /// True: the size is still unknown.
        private func frameCame() -> Bool {
            let waited = (framesWaited ?? 0) + 1
            let isLaidOut = place.map { gtk_widget_get_width($0) > 0 && gtk_widget_get_height($0) > 0 } ?? false
            framesWaited = size == nil && !isLaidOut && waited < 3 ? waited : nil
            if framesWaited != nil { return true }
            if size == nil, place != nil { spread(room) }
            return false
        }

        /// The space for an image; nil: the image's own size. A button at its theme's minimum without a size request grows to
        /// its image, as GTK's own image buttons do.
        private var room: LayoutSize? {
            guard let images, images.isAlive, let place else { return nil }
            let room = LayoutSize(width: Double(gtk_widget_get_width(place)), height: Double(gtk_widget_get_height(place)))
            guard room.width > 0, room.height > 0 else { return nil }
            // Images of a button are drawn behind the original child.
            if isPicture || ownChild != nil { return room }
            return isGiven(GTK_ORIENTATION_HORIZONTAL) && isGiven(GTK_ORIENTATION_VERTICAL) ? room : nil
        }

        private func isGiven(_ orientation: GtkOrientation) -> Bool {
            guard let button = images?.widget.widget else { return false }
            var (width, height, least) = (gint(-1), gint(-1), gint(0))
            gtk_widget_get_size_request(button, &width, &height)
            gtk_widget_measure(button, orientation, -1, &least, nil, nil, nil)
            var bounds = graphene_rect_t()
            guard gtk_widget_compute_bounds(button, button, &bounds) != 0 else { return false }
            // The measured size includes margins.
            if orientation == GTK_ORIENTATION_HORIZONTAL {
                least -= gtk_widget_get_margin_start(button) + gtk_widget_get_margin_end(button)
                return width > 0 || bounds.size.width > Float(least)
            }
            least -= gtk_widget_get_margin_top(button) + gtk_widget_get_margin_bottom(button)
            return height > 0 || bounds.size.height > Float(least)
        }

        private func prepare(_ images: WidgetImages) {
            guard pictures.isEmpty else { return }
            isPicture = images.widget.kind == .picture
            if isPicture {
                place = images.widget.widget
                pictures = [.foreground: images.widget.widget]
                images.slot(.main).onSize = { [weak self] in self?.spread($0) }
            } else {
                fill(images)
            }
            guard let place else { return }
            // Destroyed with the widget, or because the program replaced a button's child.
            GTKWidget(place).connect("destroy") { [weak self] in
                guard let self else { return }
                (self.place, self.ownChild, self.pictures, self.framesWaited) = (nil, nil, [:], nil)
            }
            if isListening { return }
            isListening = true
            images.widget.connectInt("state-flags-changed") { [weak self] _ in self?.update() }
            images.widget.connect("map") { [weak self] in self?.measure() }
        }

        /// Puts an overlay with two pictures into a button.
        private func fill(_ images: WidgetImages) {
            guard let overlay = gtk_overlay_new(), let back = gtk_picture_new(), let front = gtk_picture_new()
            else { return }
            gtk_picture_set_content_fit(OpaquePointer(back), GTK_CONTENT_FIT_FILL)
            gtk_picture_set_content_fit(OpaquePointer(front), GTK_CONTENT_FIT_FILL)
            gtk_overlay_set_child(OpaquePointer(overlay), back)
            gtk_overlay_add_overlay(OpaquePointer(overlay), front)
            gtk_overlay_set_measure_overlay(OpaquePointer(overlay), front, 1)
            let button = images.widget.raw.assumingMemoryBound(to: GtkButton.self)
            let own = gtk_button_get_child(button)
            if let own { g_object_ref(own) }
            gtk_button_set_child(button, overlay)
            if let own {
                gtk_overlay_add_overlay(OpaquePointer(overlay), own)
                gtk_overlay_set_measure_overlay(OpaquePointer(overlay), own, 1)
                g_object_unref(own)
                GTKWidget(own).connect("destroy") { [weak self] in self?.ownChild = nil }
            }
            (place, ownChild) = (overlay, own)
            pictures = [.background: back, .foreground: front]
        }

        private func contentChanged() {
            guard ImageSlot.isDrawing else { return update() }
            // A toolkit edge: one hop to the actor of GTK; ends at once. An image may not change while another one is drawn.
            Task { @GTKActor [weak self] in self?.update() }
        }

        /// States in order of precedence.
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
            guard let images, images.isAlive else { return }
            var shown: Set<ImageSlotName> = []
            for (layer, picture) in pictures {
                let names = states.map { $0.slot(layer) }.filter { images.existing($0) != nil }
                // A picture that is not drawn would get no size: without any content it is the normal one.
                let name =
                    names.first { images.existing($0)?.presenter.hasContent == true } ?? (isPicture ? names.last : names.first)
                if let name { shown.insert(name) }
                let paintable = name.flatMap { images.existing($0) }.map { OpaquePointer($0.paintable) }
                if gtk_picture_get_paintable(OpaquePointer(picture)) != paintable {
                    gtk_picture_set_paintable(OpaquePointer(picture), paintable)
                }
            }
            images.showStates(shown)
        }
    }

    /// Held by C for a widget that waits for its layout.
    @GTKActor private final class LayoutWait {
        weak var images: StateImages?
        init(_ images: StateImages) { self.images = images }
    }
#endif
