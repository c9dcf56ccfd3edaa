#include "CGannetShims.h"
