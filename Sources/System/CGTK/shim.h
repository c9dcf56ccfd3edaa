// GTK 4
#if !__has_include(<gtk/gtk.h>)
#error "install libgtk-4-dev"
#endif
#include <gtk/gtk.h>
