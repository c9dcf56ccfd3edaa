#!/usr/bin/env bash
# Shows a folder of every format of the build in a real file manager, Thunar, whose thumbnails `gannet` makes, and writes
# Documentation/pictures/file-manager.jpg. Fails where a file gets no thumbnail.
#
#     scripts/file-manager.sh [IMAGE]      IMAGE instead of Documentation/pictures/file-manager.jpg
#
# GANNET=PROGRAM and GANNET_LAB=PROGRAM are used instead of building both, which takes 5 to 9 minutes. A minute besides.
image=$(realpath "${1:-Documentation/pictures/file-manager.jpg}")
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "Packages" "nothing or 2 minutes"
scripts/setup.sh
scripts/setup.sh --list scripts/demo-packages.txt
scripts/setup.sh thunar tumbler dbus-x11 shared-mime-info adwaita-icon-theme xfconf xvfb xauth xdotool imagemagick libopenjp2-tools

if [ -z "${GANNET:-}" ] || [ -z "${GANNET_LAB:-}" ]; then
    step "Building gannet" "5 to 9 minutes the first time"
    build=(swift build -c release --traits "$command_traits,AVIF,HEIC,JXL,TIFF,SVG,JP2,RAW,Lottie")
    for product in gannet gannet-lab; do "${build[@]}" --product "$product"; done
    GANNET=$("${build[@]}" --show-bin-path)/gannet
    GANNET_LAB=$("${build[@]}" --show-bin-path)/gannet-lab
fi
GANNET=$(realpath "$GANNET")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# As scripts/install.sh installs it, for a user who has nothing else.
export HOME=$work/home XDG_DATA_HOME=$work/share XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config XDG_RUNTIME_DIR=$work/run
unset XDG_DATA_DIRS DBUS_SESSION_BUS_ADDRESS
mkdir -p "$HOME" "$work/bin" "$XDG_DATA_HOME/thumbnailers" "$XDG_DATA_HOME/mime/packages" "$XDG_CONFIG_HOME/tumbler" "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"
ln -s "$GANNET" "$work/bin/gannet"
"$GANNET_LAB" thumbnailer >"$XDG_DATA_HOME/thumbnailers/gannet.thumbnailer"
cp scripts/mime-types.xml "$XDG_DATA_HOME/mime/packages/gannet.xml"
update-mime-database "$XDG_DATA_HOME/mime"
# The desktop's own thumbnailers would take the formats that they know.
for name in $(sed -n 's/^\[\(.*Thumbnailer\)\]$/\1/p' /etc/xdg/tumbler/tumbler.rc | grep -v Desktop); do printf '[%s]\nDisabled=true\n' "$name"; done \
    >"$XDG_CONFIG_HOME/tumbler/tumbler.rc"

step "A folder" "30 seconds"
folder=$work/formats
mkdir "$folder"
mapfile -t photographs < <(grep -v '^#' scripts/wall-pictures.txt)
formats=(avif heic jxl webp tiff jpeg png qoi ppm bmp gif)
for number in "${!formats[@]}"; do
    format=${formats[number]}
    "$GANNET" convert "${photographs[number % ${#photographs[@]}]}" --thumbnail 900x600 "$folder/photo.$format"
done
"$GANNET" convert "${photographs[3]}" --thumbnail 900x600 "$work/photo.ppm"
opj_compress -i "$work/photo.ppm" -o "$folder/photo.jp2" -r 10 >/dev/null
python3 scripts/file-manager/files.py "$work/photo.ppm" "$folder"
cat >"$folder/drawing.svg" <<'SVG'
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 64"><rect width="96" height="64" fill="#274"/><circle cx="48" cy="32" r="24" fill="#fc3"/></svg>
SVG

step "Thunar" "30 seconds"
export PATH=$work/bin:$PATH
cat >"$work/look.sh" <<'LOOK'
setting() { xfconf-query --channel thunar --create --property "/$1" --type "$2" --set "$3"; }
setting last-icon-view-zoom-level string THUNAR_ZOOM_LEVEL_200_PERCENT
for name in last-side-pane last-location-bar; do setting $name string void; done
for name in last-menubar-visible last-statusbar-visible; do setting $name bool false; done
thunar "$1" &
window=$(xdotool search --sync --onlyvisible --class thunar | tail -1)
xdotool windowsize --sync "$window" 1130 700
files=$(ls "$1" | wc -l)
# Tumbler makes them one after the other, each in a sandbox.
for _ in $(seq 300); do
    made=$(find "$XDG_CACHE_HOME/thumbnails" -name '*.png' -not -path '*/fail/*' 2>/dev/null | wc -l)
    if [ "$made" -ge "$files" ]; then break; fi
    sleep 1
done
thunar --quit
if [ "$made" -lt "$files" ]; then
    echo "$made of $files files got a thumbnail." >&2
    exit 1
fi
echo "All $files files have a thumbnail."
LOOK
# A window does not always hear of each thumbnail; one that is new reads them all.
cat >"$work/image.sh" <<'IMAGE'
thunar "$1" &
window=$(xdotool search --sync --onlyvisible --class thunar | tail -1)
xdotool windowsize --sync "$window" 1130 700
sleep 5
# Without the warning that root gets.
import -window "$window" -crop 1130x330+0+46 +repage -quality 88 "$2"
thunar --quit
IMAGE
for part in look image; do
    if ! xvfb-run -a -s "-screen 0 1140x760x24" dbus-run-session -- timeout 400 bash "$work/$part.sh" "$folder" "$image" 2>"$work/messages"; then
        cat "$work/messages" >&2
        exit 1
    fi
done

finish "The folder is in $image."
