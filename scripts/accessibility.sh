#!/usr/bin/env bash
# Reads `gannet view` as a screen reader does, through AT-SPI: names and roles of the program, its window, the cells of the wall, and a
# failure. On a display and a bus of its own, with files that it makes.
#
#     scripts/accessibility.sh [GANNET [GALLERY]]      GANNET: a build with the trait GTK; by default it is built
#                                                      GALLERY: a build of Examples/Gallery, which is read too
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"
scripts/setup.sh --list scripts/accessibility-packages.txt
gannet="${1:-}"
if [ -z "$gannet" ]; then
    swift build --enable-all-traits --product gannet
    gannet="$(swift build --enable-all-traits --show-bin-path)/gannet"
fi
GDK_BACKEND=x11 GSK_RENDERER=cairo xvfb-run -a dbus-run-session -- /usr/bin/python3 scripts/accessibility.py "$gannet" "${@:2}"
