// Loads early what the libraries below librsvg would load later, and ends the thread that one of them keeps.
#if WITH_SVG
#define _GNU_SOURCE
#include "gannet_svg.h"

#include <dlfcn.h>
#include <iconv.h>

void gannet_svg_load_encodings(void) {
    // Of the Encoding Standard, without those that libxml2 reads itself. The C library has a file for each.
    static const char *const names[] = {
        "ISO-8859-2", "ISO-8859-3", "ISO-8859-4", "ISO-8859-5", "ISO-8859-6", "ISO-8859-7", "ISO-8859-8", "ISO-8859-9",
        "ISO-8859-10", "ISO-8859-11", "ISO-8859-13", "ISO-8859-14", "ISO-8859-15", "ISO-8859-16", "WINDOWS-874",
        "WINDOWS-1250", "WINDOWS-1251", "WINDOWS-1252", "WINDOWS-1253", "WINDOWS-1254", "WINDOWS-1255", "WINDOWS-1256",
        "WINDOWS-1257", "WINDOWS-1258", "MACINTOSH", "IBM866", "KOI8-R", "KOI8-U", "GBK", "GB2312", "GB18030", "BIG5",
        "BIG5-HKSCS", "EUC-JP", "ISO-2022-JP", "SHIFT_JIS", "WINDOWS-31J", "EUC-KR", "UTF-16", "UTF-32", "TIS-620",
    };
    // Never closed: the C library unloads a file that is not in use. One that it does not have fails, and so do its documents.
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        (void)iconv_open("UTF-8", names[index]);
        (void)iconv_open(names[index], "UTF-8");
    }
}

void gannet_svg_end_threads(void) {
    // Pango 1.50 and later has one for each map of fonts. The name is looked up because librsvg's package need not bring Pango's
    // headers.
    void (*const replace)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "pango_cairo_font_map_set_default");
    if (replace != NULL) replace(NULL);
}

#endif
