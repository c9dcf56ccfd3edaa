#if GTK
    import CGTK

    extension GalleryWindow {
        func listenToKeys() {
            guard let keys = gtk_event_controller_key_new() else { return }
            gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
            gtk_widget_add_controller(window.widget, keys)
            GTKWidget(keys).connectKey { [weak self] press in
                guard let self else { return false }
                // Space presses a focused button.
                if press.key == GDK_KEY_space, let focus = gtk_window_get_focus(self.asWindow) {
                    switch GTKWidget(focus).kind {
                    case .button, .toggleButton: return false
                    case .other, .picture, .image: break
                    }
                }
                return self.press(Int32(press.key), withControl: press.modifiers & GDK_CONTROL_MASK.rawValue != 0)
            }
        }

        /// Returns true if the key had an effect.
        package func press(_ key: Int32, withControl: Bool = false) -> Bool {
            if isClosed { return false }
            switch (key, withControl) {
            case (GDK_KEY_F11, _): toggleFullScreen()
            case (GDK_KEY_Escape, _) where isFullScreen: toggleFullScreen()
            case (GDK_KEY_w, true), (GDK_KEY_W, true), (GDK_KEY_q, true), (GDK_KEY_Q, true): gtk_window_close(asWindow)
            default: return pressOnImage(key, withControl: withControl)
            }
            return true
        }

        private func pressOnImage(_ key: Int32, withControl: Bool) -> Bool {
            guard let index = openIndex else { return false }
            switch key {
            case GDK_KEY_plus, GDK_KEY_KP_Add, GDK_KEY_equal: zoom.zoom(by: 1.25)
            case GDK_KEY_minus, GDK_KEY_KP_Subtract: zoom.zoom(by: 0.8)
            case GDK_KEY_0, GDK_KEY_KP_0: zoom.setZoom(nil)
            case GDK_KEY_1, GDK_KEY_KP_1: zoom.setZoom(1)
            // Others with Ctrl belong to the text in the panel.
            case _ where withControl: return false
            case GDK_KEY_Escape, GDK_KEY_BackSpace: close()
            case GDK_KEY_Page_Up: open(index - 1)
            case GDK_KEY_Page_Down: open(index + 1)
            // As the buttons at both sides, and the wall, run.
            case GDK_KEY_Left: open(index + (isRightToLeft ? 1 : -1))
            case GDK_KEY_Right: open(index + (isRightToLeft ? -1 : 1))
            case GDK_KEY_space: zoom.view.gannet.isPlaying.toggle()
            case GDK_KEY_i: togglePanel()
            default: return false
            }
            return true
        }

        private var isRightToLeft: Bool { gtk_widget_get_direction(window.widget) == GTK_TEXT_DIR_RTL }

        private func toggleFullScreen() {
            isFullScreen.toggle()
            if isFullScreen { gtk_window_fullscreen(asWindow) } else { gtk_window_unfullscreen(asWindow) }
        }
    }
#endif
