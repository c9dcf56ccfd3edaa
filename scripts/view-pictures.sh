#!/bin/sh
# Draws the images of README and of Documentation/Views.md anew, with the photographs of scripts/wall-pictures.txt in the window of
# Examples/Gallery: the wall and one photograph, light and dark, the wall on a display with two pixels a point, and a recording; transitions
# and indicators without a window; and the markers of Examples/MapMarkers. Needs libgtk-4-dev, libshumate-dev, xvfb and xauth. The map has
# tiles only where there is a network; the image is made without.
#
#     scripts/view-pictures.sh [NAME…]      NAME: transitions markers wall wall-dark wall-2x view view-dark gallery; all without any
set -eu
cd "$(dirname "$0")/.."
pictures=Documentation/pictures
names=" ${*:-transitions markers wall wall-dark wall-2x view view-dark gallery} "
wants() { case $names in *" $1 "*) true ;; *) false ;; esac; }
program() {
    swift build --package-path "Examples/$1" >&2
    echo "$(swift build --package-path "Examples/$1" --show-bin-path)/$1"
}
scripts/setup.sh --list scripts/demo-packages.txt
gallery=$(program Gallery)
XDG_CACHE_HOME=$(mktemp -d)
export XDG_CACHE_HOME GSK_RENDERER=cairo
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT
in_window() { xvfb-run -a -s "-screen 0 1600x1200x24" "$@"; }
# of_gallery NAME OPTIONS…: Documentation/pictures/NAME.jpg.
of_gallery() {
    name=$1
    shift
    if wants "$name"; then
        in_window env GDK_SCALE=$scale "$gallery" scripts/wall-pictures.txt "$@" --screenshot "$pictures/$name.jpg"
    fi
}
if wants transitions; then
    "$gallery" --showcase "$pictures/transitions.png" /usr/share/backgrounds/sunset_by_Aitzol_Berasategi.jpg \
        /usr/share/backgrounds/seeding_by_Clements_Engelhardt.jpg
fi
if wants markers; then in_window "$(program MapMarkers)" --screenshot "$pictures/markers.png"; fi
scale=1
of_gallery wall --size 1400x860 --cell 352
of_gallery wall-dark --size 1400x860 --cell 352 --dark
scale=2
of_gallery wall-2x --size 700x430 --cell 176
scale=1
# Twice: the second run shows the time of the disk cache, which does not depend on what else the machine does.
for _ in 1 2; do of_gallery view --size 1400x800 --open 4; done
of_gallery view-dark --size 1400x800 --open 4 --dark
if wants gallery; then
    in_window "$gallery" scripts/wall-pictures.txt --size 720x480 --cell 200 --record "$pictures/gallery.webp"
fi
