#if WITH_GTK
#define _GNU_SOURCE
#if !__has_include(<gtk/gtk.h>)
#error "GTK 4 is missing: install libgtk-4-dev, or build without the trait GTK."
#endif
#include "gannet_gtk.h"
#include <glib-unix.h>
#include <gtk/gtk.h>
#if GTK_CHECK_VERSION(4, 16, 0) && defined(GDK_WINDOWING_WAYLAND)
#include <gdk/wayland/gdkwayland.h>
#endif
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// --- The paintable

#define GANNET_TYPE_PAINTABLE (gannet_paintable_get_type())
G_DECLARE_FINAL_TYPE(GannetPaintable, gannet_paintable, GANNET, PAINTABLE, GObject)

struct _GannetPaintable {
    GObject parent;
    void *context;
    gannet_gtk_draw draw;
    gannet_gtk_release release;
    double width;
    double height;
};

static void gannet_paintable_snapshot(GdkPaintable *paintable, GdkSnapshot *snapshot, double width, double height) {
    GannetPaintable *self = GANNET_PAINTABLE(paintable);
    self->draw(self->context, snapshot, width, height);
}

static int gannet_paintable_width(GdkPaintable *paintable) { return (int)(GANNET_PAINTABLE(paintable)->width + 0.5); }

static int gannet_paintable_height(GdkPaintable *paintable) { return (int)(GANNET_PAINTABLE(paintable)->height + 0.5); }

static double gannet_paintable_ratio(GdkPaintable *paintable) {
    GannetPaintable *self = GANNET_PAINTABLE(paintable);
    return self->width > 0 && self->height > 0 ? self->width / self->height : 0;
}

static void gannet_paintable_iface_init(GdkPaintableInterface *iface) {
    iface->snapshot = gannet_paintable_snapshot;
    iface->get_intrinsic_width = gannet_paintable_width;
    iface->get_intrinsic_height = gannet_paintable_height;
    iface->get_intrinsic_aspect_ratio = gannet_paintable_ratio;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(
    GannetPaintable, gannet_paintable, G_TYPE_OBJECT,
    G_IMPLEMENT_INTERFACE(GDK_TYPE_PAINTABLE, gannet_paintable_iface_init))

static void gannet_paintable_finalize(GObject *object) {
    GannetPaintable *self = GANNET_PAINTABLE(object);
    if (self->release) self->release(self->context);
    G_OBJECT_CLASS(gannet_paintable_parent_class)->finalize(object);
}

static void gannet_paintable_class_init(GannetPaintableClass *class) {
    G_OBJECT_CLASS(class)->finalize = gannet_paintable_finalize;
}

static void gannet_paintable_init(GannetPaintable *self) { (void)self; }

void *gannet_gtk_paintable_new(void *context, gannet_gtk_draw draw, gannet_gtk_release release) {
    GannetPaintable *self = g_object_new(GANNET_TYPE_PAINTABLE, NULL);
    self->context = context;
    self->draw = draw;
    self->release = release;
    return self;
}

void gannet_gtk_paintable_set_size(void *paintable, double width, double height) {
    GannetPaintable *self = GANNET_PAINTABLE(paintable);
    if (self->width == width && self->height == height) return;
    self->width = width;
    self->height = height;
    gdk_paintable_invalidate_size(GDK_PAINTABLE(self));
}

void gannet_gtk_paintable_invalidate(void *paintable) { gdk_paintable_invalidate_contents(GDK_PAINTABLE(paintable)); }

// --- Textures

static GdkMemoryFormat format_of(int format) {
    static const GdkMemoryFormat formats[] = {
        GDK_MEMORY_R8G8B8A8_PREMULTIPLIED,     GDK_MEMORY_R8G8B8A8,     GDK_MEMORY_R8G8B8A8_PREMULTIPLIED,
        GDK_MEMORY_R8G8B8A8_PREMULTIPLIED,     GDK_MEMORY_R16G16B16A16_PREMULTIPLIED, GDK_MEMORY_R16G16B16A16,
        GDK_MEMORY_R16G16B16A16_PREMULTIPLIED,
    };
    return formats[format];
}

void *gannet_gtk_texture_new(
    const uint8_t *pixels, size_t count, int width, int height, size_t stride, int format, void *context,
    gannet_gtk_release release) {
    GBytes *bytes = g_bytes_new_with_free_func(pixels, count, release, context);
    GdkTexture *texture = gdk_memory_texture_new(width, height, format_of(format), bytes, stride);
    g_bytes_unref(bytes);
    return texture;
}

#if GTK_CHECK_VERSION(4, 16, 0)

bool gannet_gtk_has_color_states(void) { return true; }

void *gannet_gtk_pq_texture_new(
    const uint8_t *pixels, size_t count, int width, int height, size_t stride, int format, void *context,
    gannet_gtk_release release) {
    GBytes *bytes = g_bytes_new_with_free_func(pixels, count, release, context);
    GdkMemoryTextureBuilder *builder = gdk_memory_texture_builder_new();
    gdk_memory_texture_builder_set_bytes(builder, bytes);
    gdk_memory_texture_builder_set_stride(builder, stride);
    gdk_memory_texture_builder_set_width(builder, width);
    gdk_memory_texture_builder_set_height(builder, height);
    gdk_memory_texture_builder_set_format(builder, format_of(format));
    gdk_memory_texture_builder_set_color_state(builder, gdk_color_state_get_rec2100_pq());
    GdkTexture *texture = gdk_memory_texture_builder_build(builder);
    g_object_unref(builder);
    g_bytes_unref(bytes);
    return texture;
}

bool gannet_gtk_is_pq(void *texture) {
    return gdk_color_state_equal(gdk_texture_get_color_state(GDK_TEXTURE(texture)), gdk_color_state_get_rec2100_pq());
}

bool gannet_gtk_manages_colors(void) {
#if defined(GDK_WINDOWING_WAYLAND)
    // GTK binds one protocol: the experimental one at first, the stable one of 2025 in 4.20 at the latest. Between them a compositor counts
    // that has both. Others are given sRGB. GDK_DISABLE=color-mgmt, with which GTK binds none, is not seen here.
    const guint minor = gtk_get_minor_version();
    GdkDisplay *display = gdk_display_get_default();
    return display != NULL && GDK_IS_WAYLAND_DISPLAY(display)
           && (minor >= 20 || gdk_wayland_display_query_registry(display, "xx_color_manager_v4"))
           && (minor < 17 || gdk_wayland_display_query_registry(display, "wp_color_manager_v1"));
#else
    return false;
#endif
}

void gannet_gtk_download_pq(void *texture, uint8_t *pixels, size_t stride) {
    GdkTextureDownloader *downloader = gdk_texture_downloader_new(GDK_TEXTURE(texture));
    gdk_texture_downloader_set_format(downloader, GDK_MEMORY_R16G16B16A16_PREMULTIPLIED);
    gdk_texture_downloader_set_color_state(downloader, gdk_color_state_get_rec2100_pq());
    gdk_texture_downloader_download_into(downloader, pixels, stride);
    gdk_texture_downloader_free(downloader);
}

#else

bool gannet_gtk_has_color_states(void) { return false; }

void *gannet_gtk_pq_texture_new(
    const uint8_t *pixels, size_t count, int width, int height, size_t stride, int format, void *context,
    gannet_gtk_release release) {
    (void)pixels, (void)count, (void)width, (void)height, (void)stride, (void)format, (void)context, (void)release;
    return NULL;
}

bool gannet_gtk_is_pq(void *texture) {
    (void)texture;
    return false;
}

bool gannet_gtk_manages_colors(void) { return false; }

void gannet_gtk_download_pq(void *texture, uint8_t *pixels, size_t stride) { (void)texture, (void)pixels, (void)stride; }

#endif

// --- Widgets

enum gannet_gtk_kind gannet_gtk_kind_of(void *widget) {
    if (GTK_IS_PICTURE(widget)) return gannet_gtk_kind_picture;
    if (GTK_IS_IMAGE(widget)) return gannet_gtk_kind_image;
    if (GTK_IS_TOGGLE_BUTTON(widget)) return gannet_gtk_kind_toggle_button;
    if (GTK_IS_BUTTON(widget)) return gannet_gtk_kind_button;
    return gannet_gtk_kind_widget;
}

static void gannet_release_closure(gpointer data, GClosure *closure) {
    gannet_gtk_release release = (gannet_gtk_release)g_dataset_get_data(closure, "gannet-release");
    g_dataset_destroy(closure);
    if (release) release(data);
}

static unsigned long connect(void *instance, const char *signal, GCallback callback, void *data, gannet_gtk_release release) {
    GClosure *closure = g_cclosure_new(callback, data, release ? gannet_release_closure : NULL);
    if (release) g_dataset_set_data(closure, "gannet-release", (gpointer)release);
    return g_signal_connect_closure(instance, signal, closure, FALSE);
}

unsigned long gannet_gtk_connect(
    void *instance, const char *signal, void (*callback)(void *, void *), void *data, gannet_gtk_release release) {
    return connect(instance, signal, G_CALLBACK(callback), data, release);
}

unsigned long gannet_gtk_connect_pointer(
    void *instance, const char *signal, void (*callback)(void *, void *, void *), void *data, gannet_gtk_release release) {
    return connect(instance, signal, G_CALLBACK(callback), data, release);
}

unsigned long gannet_gtk_connect_int(
    void *instance, const char *signal, void (*callback)(void *, unsigned, void *), void *data, gannet_gtk_release release) {
    return connect(instance, signal, G_CALLBACK(callback), data, release);
}

unsigned long gannet_gtk_connect_double(
    void *instance, const char *signal, void (*callback)(void *, double, void *), void *data, gannet_gtk_release release) {
    return connect(instance, signal, G_CALLBACK(callback), data, release);
}

unsigned long gannet_gtk_connect_doubles(
    void *instance, const char *signal, void (*callback)(void *, double, double, void *), void *data,
    gannet_gtk_release release) {
    return connect(instance, signal, G_CALLBACK(callback), data, release);
}

unsigned long gannet_gtk_connect_key(
    void *instance, int (*callback)(void *, unsigned, unsigned, unsigned, void *), void *data, gannet_gtk_release release) {
    return connect(instance, "key-pressed", G_CALLBACK(callback), data, release);
}

unsigned long gannet_gtk_connect_scroll(
    void *instance, int (*callback)(void *, double, double, void *), void *data, gannet_gtk_release release) {
    return connect(instance, "scroll", G_CALLBACK(callback), data, release);
}

void gannet_gtk_set_busy(void *widget, bool busy) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_BUSY, busy ? TRUE : FALSE, -1);
}

bool gannet_gtk_is_busy(void *widget) {
    char *difference = gtk_test_accessible_check_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_BUSY, TRUE, -1);
    bool busy = !difference;
    g_free(difference);
    return busy;
}

void gannet_gtk_set_label(void *widget, const char *text) {
    if (text) gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
    else gtk_accessible_reset_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

bool gannet_gtk_has_label(void *widget, const char *text) {
    char *difference = gtk_test_accessible_check_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
    bool has = !difference;
    g_free(difference);
    return has;
}

bool gannet_gtk_animates(void *widget) {
    gboolean animates = TRUE;
    g_object_get(gtk_widget_get_settings(GTK_WIDGET(widget)), "gtk-enable-animations", &animates, NULL);
    return animates;
}

int gannet_gtk_memory_file(void) { return memfd_create("gannet-video", MFD_CLOEXEC); }

// --- Lists

#define GANNET_TYPE_INDEX_LIST (gannet_index_list_get_type())
G_DECLARE_FINAL_TYPE(GannetIndexList, gannet_index_list, GANNET, INDEX_LIST, GObject)

struct _GannetIndexList {
    GObject parent;
    // One slot for each position, filled on first access: a list recognises an item by its address.
    GPtrArray *items;
};

static GType gannet_index_list_item_type(GListModel *list) {
    (void)list;
    return G_TYPE_OBJECT;
}

static unsigned gannet_index_list_count(GListModel *list) { return GANNET_INDEX_LIST(list)->items->len; }

static gpointer gannet_index_list_item(GListModel *list, unsigned position) {
    GPtrArray *items = GANNET_INDEX_LIST(list)->items;
    if (position >= items->len) return NULL;
    if (!items->pdata[position]) items->pdata[position] = g_object_new(G_TYPE_OBJECT, NULL);
    return g_object_ref(items->pdata[position]);
}

static void gannet_index_list_iface_init(GListModelInterface *iface) {
    iface->get_item_type = gannet_index_list_item_type;
    iface->get_n_items = gannet_index_list_count;
    iface->get_item = gannet_index_list_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(
    GannetIndexList, gannet_index_list, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, gannet_index_list_iface_init))

static void gannet_index_list_forget(gpointer item) { g_clear_object(&item); }

static void gannet_index_list_finalize(GObject *object) {
    g_ptr_array_unref(GANNET_INDEX_LIST(object)->items);
    G_OBJECT_CLASS(gannet_index_list_parent_class)->finalize(object);
}

static void gannet_index_list_class_init(GannetIndexListClass *class) {
    G_OBJECT_CLASS(class)->finalize = gannet_index_list_finalize;
}

static void gannet_index_list_init(GannetIndexList *self) {
    self->items = g_ptr_array_new_with_free_func(gannet_index_list_forget);
}

void *gannet_gtk_index_list_new(unsigned count) {
    GannetIndexList *self = g_object_new(GANNET_TYPE_INDEX_LIST, NULL);
    g_ptr_array_set_size(self->items, (int)count);
    return self;
}

void gannet_gtk_index_list_change(void *list, unsigned position, unsigned removed, unsigned added) {
    GannetIndexList *self = GANNET_INDEX_LIST(list);
    if (removed) g_ptr_array_remove_range(self->items, position, removed);
    if (added) {
        unsigned behind = self->items->len - position;
        // New slots are empty. The remaining ones move once, not once for each new slot.
        g_ptr_array_set_size(self->items, (int)(self->items->len + added));
        void **start = self->items->pdata + position;
        memmove(start + added, start, behind * sizeof *start);
        memset(start, 0, added * sizeof *start);
    }
    g_list_model_items_changed(G_LIST_MODEL(self), position, removed, added);
}

// --- The main actor

// libdispatch's interface for foreign main loops: an event descriptor, and a call that drains the main queue. Weak, because
// programs without GannetGTK link this file without libdispatch.
extern int _dispatch_get_main_queue_handle_4CF(void) __attribute__((weak));
extern void _dispatch_main_queue_callback_4CF(void *message) __attribute__((weak));

static gboolean drain_main_queue(gint descriptor, GIOCondition condition, gpointer data) {
    (void)condition;
    (void)data;
    uint64_t count;
    if (read(descriptor, &count, sizeof count) < 0) return G_SOURCE_CONTINUE;
    _dispatch_main_queue_callback_4CF(NULL);
    return G_SOURCE_CONTINUE;
}

bool gannet_gtk_bridge_main_queue(void) {
    if (!_dispatch_get_main_queue_handle_4CF || !_dispatch_main_queue_callback_4CF) return false;
    int descriptor = _dispatch_get_main_queue_handle_4CF();
    if (descriptor < 0) return false;
    g_unix_fd_add(descriptor, G_IO_IN, drain_main_queue, NULL);
    return true;
}
#else
typedef int gannet_gtk_is_off;
#endif
