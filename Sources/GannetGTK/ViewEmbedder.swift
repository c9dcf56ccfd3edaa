#if GTK
    import CGTK
    import GannetImages
    import GannetViews

    /// Puts widgets over an image: those of its scene, and the one of its phase above them. Lives as long as the image, even after the
    /// ``ImageView`` is gone.
    @GTKActor final class ViewEmbedder {
        private struct Child {
            var identity: ObjectIdentifier
            var widget: UnsafeMutablePointer<GtkWidget>
            /// The progress that its update got last.
            var told: LoadProgress?
        }

        /// Nil after the overlay is destroyed: the program may keep the image longer.
        private var overlay: OpaquePointer?
        private var children: [Child] = []
        private var cover: Child?

        init(_ overlay: GTKWidget) {
            self.overlay = OpaquePointer(overlay.raw)
            overlay.connect("destroy") { [weak self] in
                guard let self else { return }
                (self.overlay, self.children, self.cover) = (nil, [], nil)
            }
        }

        /// Shows the views of a scene.
        func show(_ layers: [Scene.Layer]) {
            let wanted = layers.compactMap { layer -> (view: GTKView, progress: LoadProgress?)? in
                guard case .view(let view as GTKView) = layer.content else { return nil }
                return (view, layer.progress)
            }
            replace(by: wanted.map(\.view))
            for (index, (view, progress)) in wanted.enumerated() {
                // The update may end the overlay.
                guard children.indices.contains(index), let progress, children[index].told != progress else { continue }
                children[index].told = progress
                view.update?(GTKWidget(children[index].widget), progress)
            }
        }

        private func replace(by views: [GTKView]) {
            guard let overlay, views.map(\.identity) != children.map(\.identity) else { return }
            for child in children { gtk_overlay_remove_overlay(overlay, child.widget) }
            children = views.map { embed($0, in: overlay) }
            // Last is on top.
            if let cover { gtk_widget_insert_before(cover.widget, gtk_widget_get_parent(cover.widget), nil) }
        }

        private func embed(_ view: GTKView, in overlay: OpaquePointer) -> Child {
            let widget = view.make().widget
            gtk_overlay_add_overlay(overlay, widget)
            return Child(identity: view.identity, widget: widget)
        }

        /// Shows a view above all others, whose size counts for the image's place. The same view stays, and gets the progress.
        func cover(with view: GTKView?, progress: LoadProgress?) {
            guard let overlay else { return }
            if cover?.identity != view?.identity {
                if let cover { gtk_overlay_remove_overlay(overlay, cover.widget) }
                cover = view.map { embed($0, in: overlay) }
                if let cover { gtk_overlay_set_measure_overlay(overlay, cover.widget, 1) }
            }
            guard let cover, let progress, cover.told != progress else { return }
            self.cover?.told = progress
            view?.update?(GTKWidget(cover.widget), progress)
        }
    }
#endif
