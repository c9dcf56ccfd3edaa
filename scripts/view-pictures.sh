#!/bin/sh
# Draws Documentation/pictures/gallery.png and transitions.png anew, from pictures that Examples/Gallery draws itself.
set -eu
cd "$(dirname "$0")/.."
swift build --package-path Examples/Gallery
gallery=$(swift build --package-path Examples/Gallery --show-bin-path)/Gallery
pictures=Documentation/pictures
"$gallery" --showcase "$pictures/transitions.png"
XDG_CACHE_HOME=$(mktemp -d) GSK_RENDERER=cairo xvfb-run -a -s "-screen 0 1280x1024x24" "$gallery" --screenshot "$pictures/gallery.png"
