// The parts of GTK 4 that Swift cannot use directly: GObject subclasses, macros, variadic calls. No GTK types here, so that the
// header can be read without GTK; pointers are GObjects.
#ifndef GANNET_GTK_H
#define GANNET_GTK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Draws into a GtkSnapshot; width and height in layout points.
typedef void (*gannet_gtk_draw)(void *context, void *snapshot, double width, double height);
typedef void (*gannet_gtk_release)(void *context);

/// A GdkPaintable that calls `draw` for its contents. Returns one reference. `release` runs when the object ends.
void *gannet_gtk_paintable_new(void *context, gannet_gtk_draw draw, gannet_gtk_release release);
/// Sets the natural size in points; 0 means none. Notifies its users if it changes.
void gannet_gtk_paintable_set_size(void *paintable, double width, double height);
void gannet_gtk_paintable_invalidate(void *paintable);

/// A GdkTexture over the caller's pixels, without a copy. `release` runs when GTK is done with them, on any thread, and
/// not necessarily before the process ends. `format`: 0 RGBA 8 bit premultiplied, 1 straight, 2 opaque; 4, 5, 6 with 16 bit.
void *gannet_gtk_texture_new(
    const uint8_t *pixels, size_t count, int width, int height, size_t stride, int format, void *context,
    gannet_gtk_release release);

/// Whether this GTK has textures whose numbers are not sRGB: 4.16 and later.
bool gannet_gtk_has_color_states(void);
/// The same of 16 bits that are PQ with the primaries of BT.2020. NULL, and nothing is released, if there are no colour states.
void *gannet_gtk_pq_texture_new(
    const uint8_t *pixels, size_t count, int width, int height, size_t stride, int format, void *context,
    gannet_gtk_release release);
bool gannet_gtk_is_pq(void *texture);
/// Whether the display's compositor is told what colours mean. GTK gives others sRGB, and cuts what is brighter than white.
bool gannet_gtk_manages_colors(void);
/// Writes the texture as PQ of BT.2020, four premultiplied channels of 16 bits. Nothing if there are no colour states.
void gannet_gtk_download_pq(void *texture, uint8_t *pixels, size_t stride);

enum gannet_gtk_kind {
    gannet_gtk_kind_widget,
    gannet_gtk_kind_picture,
    gannet_gtk_kind_image,
    gannet_gtk_kind_button,
    gannet_gtk_kind_toggle_button,
};
enum gannet_gtk_kind gannet_gtk_kind_of(void *widget);

/// Connects signals without arguments, with one pointer, and with one integer.
unsigned long gannet_gtk_connect(
    void *instance, const char *signal, void (*callback)(void *instance, void *data), void *data, gannet_gtk_release release);
unsigned long gannet_gtk_connect_pointer(
    void *instance, const char *signal, void (*callback)(void *instance, void *argument, void *data), void *data,
    gannet_gtk_release release);
unsigned long gannet_gtk_connect_int(
    void *instance, const char *signal, void (*callback)(void *instance, unsigned argument, void *data), void *data,
    gannet_gtk_release release);

/// Connects signals with one double (pinches) and with two (drags). Handlers of keys and of the wheel return whether they handled
/// the event.
unsigned long gannet_gtk_connect_double(
    void *instance, const char *signal, void (*callback)(void *instance, double x, void *data), void *data,
    gannet_gtk_release release);
unsigned long gannet_gtk_connect_doubles(
    void *instance, const char *signal, void (*callback)(void *instance, double x, double y, void *data), void *data,
    gannet_gtk_release release);
unsigned long gannet_gtk_connect_key(
    void *instance, int (*callback)(void *instance, unsigned key, unsigned code, unsigned state, void *data), void *data,
    gannet_gtk_release release);
unsigned long gannet_gtk_connect_scroll(
    void *instance, int (*callback)(void *instance, double x, double y, void *data), void *data, gannet_gtk_release release);

/// A GListModel of `count` empty objects, created on first access. Returns one reference.
void *gannet_gtk_index_list_new(unsigned count);
/// Replaces `removed` items at `position` by `added` new ones.
void gannet_gtk_index_list_change(void *list, unsigned position, unsigned removed, unsigned added);

/// State for screen readers.
void gannet_gtk_set_busy(void *widget, bool busy);
/// Whether the widget is announced as busy to screen readers. With GTK_A11Y=none there are none.
bool gannet_gtk_is_busy(void *widget);
/// The name for screen readers; NULL: none, and GTK gives the name of the type.
void gannet_gtk_set_label(void *widget, const char *text);
bool gannet_gtk_has_label(void *widget, const char *text);

/// False if the user has switched animations off (`gtk-enable-animations`).
bool gannet_gtk_animates(void *widget);

/// A new file in memory that no other program sees, closed in programs that this one starts; -1: there is none. The caller closes it.
int gannet_gtk_memory_file(void);

/// Runs the jobs of Swift's main actor in the default main context. Call it once in a process; false if it is not possible.
bool gannet_gtk_bridge_main_queue(void);
#endif
