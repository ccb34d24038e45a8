// The only sight of expat in the package: Debian's libexpat1-dev, and part of macOS.
#ifndef FLAGMENU_CEXPAT_H
#define FLAGMENU_CEXPAT_H

#include <expat.h>

#endif
