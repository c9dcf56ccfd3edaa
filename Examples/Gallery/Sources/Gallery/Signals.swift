import CGTK
import GannetGTK

extension GTKWidget {
    var widget: UnsafeMutablePointer<GtkWidget> { raw.assumingMemoryBound(to: GtkWidget.self) }
}

/// A closure for a signal, retained for as long as the signal is connected.
private final class Handler {
    let body: @GTKActor (UInt32, UInt32) -> Bool
    init(_ body: @escaping @GTKActor (UInt32, UInt32) -> Bool) { self.body = body }

    static let end: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { data, _ in
        if let data { Unmanaged<Handler>.fromOpaque(data).release() }
    }
}

@GTKActor extension GTKWidget {
    /// Of a signal without arguments, such as `clicked`.
    func on(_ signal: String, _ body: @escaping @GTKActor () -> Void) {
        let call: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { _, data in
            guard let data else { return }
            let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
            GTKActor.assumeIsolated { _ = handler.body(0, 0) }
        }
        connect(signal, unsafeBitCast(call, to: GCallback.self)) { _, _ in
            body()
            return true
        }
    }

    /// Of keys that are pressed anywhere in a window, with the Ctrl key: true if `body` did something.
    func onKeyWithControl(_ body: @escaping @GTKActor (_ key: Int32) -> Bool) {
        guard let keys = gtk_event_controller_key_new() else { return }
        gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
        gtk_widget_add_controller(widget, keys)
        typealias Press =
            @convention(c) (
                UnsafeMutableRawPointer?, UInt32, UInt32, UInt32, UnsafeMutableRawPointer?
            ) -> gboolean
        let call: Press = { _, key, _, modifiers, data in
            guard let data else { return 0 }
            let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
            return GTKActor.assumeIsolated { handler.body(key, modifiers) } ? 1 : 0
        }
        GTKWidget(keys).connect("key-pressed", unsafeBitCast(call, to: GCallback.self)) { key, modifiers in
            modifiers & GDK_CONTROL_MASK.rawValue != 0 && body(Int32(key))
        }
    }

    private func connect(
        _ signal: String, _ call: @escaping GCallback, _ body: @escaping @GTKActor (UInt32, UInt32) -> Bool
    ) {
        g_signal_connect_data(
            raw, signal, call, Unmanaged.passRetained(Handler(body)).toOpaque(),
            unsafeBitCast(Handler.end, to: GClosureNotify.self), GConnectFlags(rawValue: 0))
    }

    /// The name of a button for its tooltip and for screen readers.
    func setLabel(_ text: String) {
        gtk_widget_set_tooltip_text(widget, text)
        var value = GValue()
        g_value_init(&value, g_type_from_name("gchararray"))
        defer { g_value_unset(&value) }
        g_value_set_string(&value, text)
        var property = GTK_ACCESSIBLE_PROPERTY_LABEL
        gtk_accessible_update_property_value(OpaquePointer(raw), 1, &property, &value)
    }
}
