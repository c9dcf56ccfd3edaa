// Little CMS 2
#include <lcms2.h>
