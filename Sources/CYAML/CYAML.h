// The only sight of libyaml in the package: Debian's libyaml-dev, and Homebrew's libyaml on macOS.
#ifndef FLAGMENU_CYAML_H
#define FLAGMENU_CYAML_H

#include <yaml.h>

#endif
