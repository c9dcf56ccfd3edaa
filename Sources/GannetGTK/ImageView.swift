#if GTK
    import CGTK
    import CGannetShims
    public import GannetViews

    /// A GTK widget made on demand: for placeholders and indicators that are widgets.
    public struct GTKView: PresentableView {
        let make: @GTKActor @Sendable () -> GTKWidget
        let update: (@GTKActor @Sendable (GTKWidget, LoadProgress) -> Void)?
        private let token = Token()
        var identity: ObjectIdentifier { ObjectIdentifier(token) }

        private final class Token: Sendable {}

        /// `make` answers a new widget with a floating reference, as constructors do. Called each time it is shown.
        ///
        /// `update`: for indicators. Called with that widget and how far the load is, once it is shown and at most once a frame when that
        /// has changed.
        public init(
            _ make: @escaping @GTKActor @Sendable () -> GTKWidget,
            update: (@GTKActor @Sendable (GTKWidget, LoadProgress) -> Void)? = nil
        ) {
            self.make = make
            self.update = update
        }
    }

    /// A widget that shows an image: GtkPicture, plus placeholders and indicators that are widgets themselves.
    ///
    /// ```swift
    /// let view = ImageView(alternativeText: "A gannet in flight")
    /// view.gannet.indicator = .activity
    /// view.gannet.setImage(with: "https://example.org/gannet.jpg")
    /// gtk_box_append(box, view.widget.raw…)
    /// ```
    @GTKActor public final class ImageView {
        /// The widget to put into a container (a GtkOverlay). The container keeps it alive, and it keeps its loads alive.
        public let widget: GTKWidget
        /// The GtkPicture inside.
        public let picture: GTKWidget

        /// The widgets over the picture.
        let embedder: ViewEmbedder

        /// Traps if GTK is not initialised. With `alternativeText` nil, screen readers announce only an image.
        public init(alternativeText: String? = nil) {
            guard let overlay = gtk_overlay_new(), let picture = gtk_picture_new() else { fatalError("GTK is not initialised") }
            g_object_ref_sink(overlay)
            widget = GTKWidget(overlay)
            self.picture = GTKWidget(picture)
            gtk_overlay_set_child(OpaquePointer(overlay), picture)
            gtk_widget_set_overflow(overlay, GTK_OVERFLOW_HIDDEN)
            embedder = ViewEmbedder(widget)
            if let alternativeText { self.picture.setAlternativeText(alternativeText) }
            images.slot(.main).onViews = { [embedder] in embedder.show($0) }
        }

        isolated deinit { g_object_unref(widget.raw) }

        private var images: WidgetImages { WidgetImages.of(picture) }

        /// Loads and shows images here: `view.gannet.setImage(with: "https://…")`.
        public var gannet: WidgetFace { picture.gannet }

        /// The text for screen readers. In a list it also names the row.
        public var alternativeText: String? {
            get { picture.alternativeText }
            set {
                picture.setAlternativeText(newValue)
                onText?()
            }
        }

        /// Called when ``alternativeText`` is set.
        var onText: (() -> Void)?

        /// Shows the image of ``ButtonState/active`` instead of the normal one, if there is one:
        /// `view.gannet.setImage(with: url, for: .active)`.
        public var isHighlighted: Bool {
            get { gtk_widget_get_state_flags(picture.widget).rawValue & GTK_STATE_FLAG_ACTIVE.rawValue != 0 }
            set {
                if newValue {
                    gtk_widget_set_state_flags(picture.widget, GTK_STATE_FLAG_ACTIVE, 0)
                } else {
                    gtk_widget_unset_state_flags(picture.widget, GTK_STATE_FLAG_ACTIVE)
                }
            }
        }

        /// Points; −1 is the natural size.
        public func setSizeRequest(width: Int, height: Int) {
            gtk_widget_set_size_request(widget.widget, Int32(width), Int32(height))
        }
    }

    /// Of a GtkPicture.
    @GTKActor extension GTKWidget {
        var alternativeText: String? {
            gtk_picture_get_alternative_text(OpaquePointer(raw)).map { String(cString: $0) }
        }

        /// GTK 4.8 makes a description of the text, and names the image by its type.
        func setAlternativeText(_ text: String?) {
            gtk_picture_set_alternative_text(OpaquePointer(raw), text)
            gannet_gtk_set_label(raw, text)
        }
    }
#endif
