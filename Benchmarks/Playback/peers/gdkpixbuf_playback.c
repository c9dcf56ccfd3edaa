// gdk-pixbuf's animation in GtkPicture, measured as PlaybackBenchmark measures: CLIPS SECONDS FILE.gif…
//   cc -O2 gdkpixbuf_playback.c $(pkg-config --cflags --libs gtk4) -o gdkpixbuf_playback
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

typedef struct {
    GtkWidget *picture;
    GdkPixbufAnimationIter *iter;
    gint64 last;
} Clip;

static int shown;
static int seconds;
static int clips;
static double cpu_start;
static unsigned long allocations_start;
/// Every clip's last frame, by the clock, and the worst that one came too late beside its own tempo.
static gint64 worst;

/// Calls of the allocator so far, where count_allocations.so is loaded before it.
static unsigned long allocations(void) {
    unsigned long *count = dlsym(RTLD_DEFAULT, "gannet_allocation_count");
    return count ? *count : 0;
}

/// KiB of this process alone, without mapped files.
static long own(void) {
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    long own = 0;
    while (status && fgets(line, sizeof line, status)) sscanf(line, "RssAnon: %ld", &own);
    if (status) fclose(status);
    return own;
}

static double cpu(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static gboolean step(gpointer data) {
    Clip *clip = data;
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS
    gdk_pixbuf_animation_iter_advance(clip->iter, NULL);
    GdkTexture *texture = gdk_texture_new_for_pixbuf(gdk_pixbuf_animation_iter_get_pixbuf(clip->iter));
    gtk_picture_set_paintable(GTK_PICTURE(clip->picture), GDK_PAINTABLE(texture));
    g_object_unref(texture);
    shown++;
    gint64 now = g_get_monotonic_time();
    if (clip->last && now - clip->last - 40000 > worst) worst = now - clip->last - 40000;
    clip->last = now;
    g_timeout_add(gdk_pixbuf_animation_iter_get_delay_time(clip->iter), step, clip);
    G_GNUC_END_IGNORE_DEPRECATIONS
    return G_SOURCE_REMOVE;
}

static gboolean begin(gpointer data) {
    (void)data;
    shown = 0;
    worst = 0;
    allocations_start = allocations();
    cpu_start = cpu();
    return G_SOURCE_REMOVE;
}

static gboolean end(gpointer data) {
    (void)data;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(
        "{\"group\": \"playback\", \"case\": \"%d gif clips\", \"program\": \"gdk-pixbuf\", \"cpu_s_per_s\": %.3f, "
        "\"frames_shown\": %d, \"frames_due\": %d, \"worst_lateness_ms\": %.3f, \"peak_mib\": %ld, \"own_mib\": %ld",
        clips, (cpu() - cpu_start) / seconds, shown, clips * seconds * 25, worst / 1000.0, usage.ru_maxrss / 1024, own() / 1024);
    if (allocations_start) printf(", \"allocations_per_frame\": %.1f", (double)(allocations() - allocations_start) / shown);
    printf("}\n");
    exit(0);
}

int main(int count, char **arguments) {
    if (count < 4) return 64;
    clips = atoi(arguments[1]);
    seconds = atoi(arguments[2]);
    gtk_init();
    GtkWidget *window = gtk_window_new();
    GtkWidget *grid = gtk_grid_new();
    for (int index = 0; index < clips; index++) {
        Clip *clip = g_new0(Clip, 1);
        clip->picture = gtk_picture_new();
        gtk_widget_set_size_request(clip->picture, 128, 128);
        gtk_grid_attach(GTK_GRID(grid), clip->picture, index % 8, index / 8, 1, 1);
        G_GNUC_BEGIN_IGNORE_DEPRECATIONS
        GdkPixbufAnimation *animation = gdk_pixbuf_animation_new_from_file(arguments[3 + index % (count - 3)], NULL);
        if (!animation) return 1;
        clip->iter = gdk_pixbuf_animation_get_iter(animation, NULL);
        G_GNUC_END_IGNORE_DEPRECATIONS
        step(clip);
    }
    gtk_window_set_child(GTK_WINDOW(window), grid);
    gtk_window_present(GTK_WINDOW(window));
    g_timeout_add(1500, begin, NULL);
    g_timeout_add(1500 + seconds * 1000, end, NULL);
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    g_main_loop_run(loop);
    return 0;
}
