// libjpeg-turbo
#if !__has_include(<jpeglib.h>)
#error "install libjpeg62-turbo-dev"
#endif
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>
