// The only sight of zlib in the package: Debian's zlib1g-dev, and part of macOS.
#ifndef FLAGMENU_CZLIB_H
#define FLAGMENU_CZLIB_H

#include <zlib.h>

#endif
