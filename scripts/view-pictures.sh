#!/bin/sh
# Draws the pictures of Documentation/Views.md and of the README anew: gallery, markers and transitions, from pictures that the examples draw
# themselves; the wall of photographs and one of them (light and dark), from Debian's wallpaper packages (scripts/demo-packages.txt) by `gannet view`.
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
in_window "$markers" --screenshot "$pictures/markers.png"
scripts/setup.sh --list scripts/demo-packages.txt
swift build --enable-all-traits --product gannet >&2
gannet=$(swift build --enable-all-traits --show-bin-path)/gannet
# photographs NAME ARGUMENTS…: Documentation/pictures/NAME.jpg, of what `gannet view` shows.
photographs() {
    local name=$1
    shift
    in_window "$gannet" view --list scripts/wall-pictures.txt "$@" --screenshot "$XDG_CACHE_HOME/$name.png"
    "$gannet" convert "$XDG_CACHE_HOME/$name.png" "$XDG_CACHE_HOME/$name.jpg" --quality 80
    mv "$XDG_CACHE_HOME/$name.jpg" "$pictures/$name.jpg"
}
photographs wall --cell 176 --size 936x420
# Twice: the second run shows times of the disk cache, which do not depend on the build.
for _ in 1 2; do photographs view --open 4 --info --size 900x520; done
GTK_THEME=Adwaita:dark photographs view-dark --open 4 --info --size 900x520
