// libxml2
#if !__has_include(<libxml/HTMLparser.h>)
#error "install libxml2-dev"
#endif
#include <libxml/HTMLparser.h>
