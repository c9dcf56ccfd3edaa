#!/bin/sh
# Draws the pictures of Documentation/Views.md and of the README anew: gallery, view (light and dark), markers and transitions, from pictures that the
# examples draw themselves, and the wall of photographs, from Debian's wallpaper packages (scripts/demo-packages.txt) and by `gannet view`.
# Needs libgtk-4-dev, libshumate-dev, xvfb and xauth. The map has tiles only where there is a network; the picture is made without.
set -eu
cd "$(dirname "$0")/.."
pictures=Documentation/pictures
program() {
    swift build --package-path "Examples/$1" >&2
    echo "$(swift build --package-path "Examples/$1" --show-bin-path)/$1"
}
gallery=$(program Gallery)
markers=$(program MapMarkers)
XDG_CACHE_HOME=$(mktemp -d)
export XDG_CACHE_HOME GSK_RENDERER=cairo
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT
in_window() { xvfb-run -a -s "-screen 0 1280x1024x24" "$@"; }
"$gallery" --showcase "$pictures/transitions.png"
in_window "$gallery" --screenshot "$pictures/gallery.png"
in_window "$gallery" --open 7 --screenshot "$pictures/view.png"
in_window env GTK_THEME=Adwaita:dark "$gallery" --open 7 --screenshot "$pictures/view-dark.png"
in_window "$markers" --screenshot "$pictures/markers.png"
scripts/setup.sh --list scripts/demo-packages.txt
swift build --enable-all-traits --product gannet >&2
gannet=$(swift build --enable-all-traits --show-bin-path)/gannet
in_window "$gannet" view --list scripts/demo-pictures.txt --cell 180 --size 930x570 --screenshot "$XDG_CACHE_HOME/wall.png"
"$gannet" convert "$XDG_CACHE_HOME/wall.png" "$pictures/wall.jpg" --quality 82
