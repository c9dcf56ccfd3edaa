#if GTK
    import CGTK
    import CGannetShims
    import Gannet
    import GannetCore
    import GannetImages
    public import GannetViews

    /// The name of one image of a widget. - SDWebImage: setImageOperationKey
    public struct ImageSlotName: Hashable, Sendable, ExpressibleByStringLiteral {
        let text: String
        /// Equal texts name the same slot of a widget.
        public init(_ text: String) { self.text = text }
        public init(stringLiteral value: String) { text = value }

        /// The widget's main image.
        public static let main = ImageSlotName("main")
    }

    /// Defaults of all widgets.
    @GTKActor public enum GannetToolkit {
        /// `ImageManager.shared`, made on first use. Programs with another manager or a loader of another kind set it at their start.
        public static var loader: any ImageLoading {
            get { chosenLoader ?? ImageManager.shared }
            set { chosenLoader = newValue }
        }
        private static var chosenLoader: (any ImageLoading)?
        /// The library in which widgets made from now on share their decoded animations.
        public static var library = FrameLibrary.shared
        /// Views draw images in high range (`decode.dynamicRange`) with light brighter than white, where GTK (4.16 and later) and the
        /// display's compositor know of such colours, and a graphics card paints; elsewhere in standard range. False at first, because GTK
        /// cuts what the display does not show, where standard range rolls it off: switch it on for displays in HDR mode.
        ///
        /// - SwiftUI: allowedDynamicRange(.high). Applies to what is drawn from now on.
        public static var showsHighRange = false
    }

    /// The images of one widget. Lives as long as the widget.
    @GTKActor package final class WidgetImages {
        let widget: GTKWidget
        private var slots: [ImageSlotName: ImageSlot] = [:]
        private var isMapped = false
        private(set) var isAlive = true
        var loader: (any ImageLoading)?
        var defaults = ViewDefaults() {
            didSet {
                for slot in slots.values { slot.presenter.defaults = defaults }
                if defaults.retriesOnReconnect { NetworkNews.shared.add(self) }
            }
        }
        lazy var states = StateImages(self)
        /// Slots with images of the widget's states that are shown.
        private var stateful: Set<ImageSlotName> = []

        private static let key = "gannet-images"

        static func of(_ widget: GTKWidget) -> WidgetImages {
            if let found = Handed.object(g_object_get_data(widget.object, key), as: WidgetImages.self) { return found }
            let images = WidgetImages(widget)
            g_object_set_data_full(widget.object, key, Handed.retain(images), Handed.release)
            return images
        }

        private init(_ widget: GTKWidget) {
            self.widget = widget
            isMapped = gtk_widget_get_mapped(widget.widget) != 0
            widget.connect("map") { [weak self] in self?.setMapped(true) }
            widget.connect("unmap") { [weak self] in self?.setMapped(false) }
            widget.connect("destroy") { [weak self] in self?.destroy() }
            widget.connectPointer("notify::scale-factor") { [weak self] _ in
                for slot in self?.slots.values.map({ $0 }) ?? [] { slot.rescale() }
            }
        }

        private func setMapped(_ mapped: Bool) {
            isMapped = mapped
            update()
        }

        private func destroy() {
            isAlive = false
            isRefusing = true
            for slot in slots.values { slot.widgetDied() }
            isRefusing = false
        }

        /// Fails calls after the widget's end. Calls from such a completion get no answer: a caller that repeats each cancelled
        /// call would never return.
        func refuse(_ completion: Presenter.Completion?) {
            guard !isRefusing else { return }
            isRefusing = true
            completion?(.failure(.cancelled()))
            isRefusing = false
        }
        private var isRefusing = false

        func networkReturned() { for slot in slots.values.map({ $0 }) { slot.presenter.networkReturned() } }

        func showStates(_ names: Set<ImageSlotName>) {
            stateful = names
            update()
        }

        private func update() {
            for (name, slot) in slots {
                let isPlaced = slot.place == .fixed || slot.place == .byState && stateful.contains(name)
                slot.setShown(isMapped && isAlive && isPlaced)
            }
        }

        package func existing(_ name: ImageSlotName) -> ImageSlot? {
            if isNormalState(name) { return slots[Self.normal] }
            // The normal state of a picture is its main image.
            return slots[name == Self.normal && isAlive && widget.kind == .picture ? .main : name]
        }

        private static let normal = ButtonState.normal.slot(.foreground)

        /// Whether `name` is a button's normal state, which is its main image unless the program shows that paintable itself.
        private func isNormalState(_ name: ImageSlotName) -> Bool {
            guard name == .main, slots[.main] == nil, isAlive else { return false }
            switch widget.kind {
            case .button, .toggleButton: return true
            case .other, .picture, .image: return false
            }
        }

        /// The slot for a program that shows the paintable itself. Makes no place in a button for it.
        func displayed(_ name: ImageSlotName) -> ImageSlot {
            let slot = existing(name) ?? plain(name)
            slot.place = .fixed
            update()
            return slot
        }

        var all: [ImageSlotName: ImageSlot] { slots }

        /// Returns the slot; creates it on first use.
        package func slot(_ name: ImageSlotName) -> ImageSlot {
            if isNormalState(name), let slot = states.slot(.normal, .foreground) { return slot }
            return plain(name)
        }

        func plain(_ name: ImageSlotName) -> ImageSlot {
            let loader = loader ?? GannetToolkit.loader
            if let slot = slots[name] {
                // The program may have set its manager after the slot was created.
                slot.presenter.loader = loader
                if name == .main, isAlive { place(slot) }
                return slot
            }
            let slot = ImageSlot(widget, loader: loader, library: GannetToolkit.library)
            slot.presenter.defaults = defaults
            slot.onLoading = { [weak self, weak slot] isLoading in
                self?.announce()
                if isLoading { slot?.goWithoutPlace() }
            }
            slots[name] = slot
            if !isAlive { slot.widgetDied() } else if name == .main { place(slot) }
            return slot
        }

        /// Puts the main image into a widget that has a place for it; again, if the program has replaced it.
        private func place(_ slot: ImageSlot) {
            switch widget.kind {
            case .picture:
                let picture = OpaquePointer(widget.raw)
                let current = gtk_picture_get_paintable(picture)
                // Another state's image may be there.
                let isState = slots.values.contains { $0.place == .byState && OpaquePointer($0.paintable) == current }
                guard current != OpaquePointer(slot.paintable), !isState else { return }
                // The paintable positions the image itself, by its content mode.
                gtk_picture_set_content_fit(picture, GTK_CONTENT_FIT_FILL)
                gtk_picture_set_paintable(picture, OpaquePointer(slot.paintable))
                slot.place = .fixed
                update()
            case .image:
                guard gtk_image_get_paintable(OpaquePointer(widget.raw)) != OpaquePointer(slot.paintable) else { return }
                gtk_image_set_from_paintable(OpaquePointer(widget.raw), OpaquePointer(slot.paintable))
                slot.place = .fixed
                update()
            case .button, .toggleButton, .other: break
            }
        }

        /// The busy state last announced to screen readers.
        package private(set) var isAnnouncedBusy = false

        private func announce() {
            guard isAlive else { return }
            isAnnouncedBusy = slots.values.contains { $0.presenter.isLoading }
            gannet_gtk_set_busy(widget.raw, isAnnouncedBusy)
        }
    }
#endif
