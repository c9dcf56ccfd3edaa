import CGTK
import GannetGTK

/// Dark or light: follows the desktop until a button or Ctrl+D says otherwise.
@GTKActor final class Appearance {
    let button: GTKWidget
    private static let property = "gtk-application-prefer-dark-theme"

    init() {
        guard let button = gtk_toggle_button_new() else { fatalError("GTK is not initialised") }
        self.button = GTKWidget(button)
        gtk_button_set_icon_name(
            UnsafeMutableRawPointer(button).assumingMemoryBound(to: GtkButton.self), "weather-clear-night-symbolic")
        self.button.setLabel("Dark")
        gtk_toggle_button_set_active(toggle, isDark ? 1 : 0)
        self.button.on("toggled") { [weak self] in
            guard let self else { return }
            self.isDark = gtk_toggle_button_get_active(self.toggle) != 0
        }
    }

    func change(to isDark: Bool) { gtk_toggle_button_set_active(toggle, isDark ? 1 : 0) }
    func change() { change(to: !isDark) }

    private var toggle: UnsafeMutablePointer<GtkToggleButton> { button.raw.assumingMemoryBound(to: GtkToggleButton.self) }

    private var isDark: Bool {
        get {
            withSetting { value, settings in
                g_object_get_property(settings, Self.property, &value)
                return g_value_get_boolean(&value) != 0
            }
        }
        set {
            withSetting { value, settings in
                g_value_set_boolean(&value, newValue ? 1 : 0)
                g_object_set_property(settings, Self.property, &value)
            }
        }
    }

    private func withSetting<T>(_ body: (inout GValue, UnsafeMutablePointer<GObject>) -> T) -> T {
        guard let settings = gtk_settings_get_default() else { fatalError("GTK is not initialised") }
        var value = GValue()
        g_value_init(&value, g_type_from_name("gboolean"))
        defer { g_value_unset(&value) }
        return body(&value, UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self))
    }
}
