// gdk-pixbuf's animation in GtkPicture, measured as PlaybackBenchmark measures: CLIPS SECONDS FILE.gif…
//   cc -O2 gdkpixbuf_playback.c $(pkg-config --cflags --libs gtk4) -o gdkpixbuf_playback
#include <gtk/gtk.h>
#include <stdlib.h>
#include <sys/resource.h>

typedef struct {
    GtkWidget *picture;
    GdkPixbufAnimationIter *iter;
} Clip;

static int shown;
static int seconds;
static int clips;
static double cpu_start;

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
    g_timeout_add(gdk_pixbuf_animation_iter_get_delay_time(clip->iter), step, clip);
    G_GNUC_END_IGNORE_DEPRECATIONS
    return G_SOURCE_REMOVE;
}

static gboolean begin(gpointer data) {
    (void)data;
    shown = 0;
    cpu_start = cpu();
    return G_SOURCE_REMOVE;
}

static gboolean end(gpointer data) {
    (void)data;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(
        "{\"group\": \"playback\", \"case\": \"%d gif clips\", \"program\": \"gdk-pixbuf\", \"cpu_s_per_s\": %.3f, "
        "\"frames_shown\": %d, \"frames_due\": %d, \"peak_mib\": %ld}\n",
        clips, (cpu() - cpu_start) / seconds, shown, clips * seconds * 25, usage.ru_maxrss / 1024);
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
