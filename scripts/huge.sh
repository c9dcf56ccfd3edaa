#!/usr/bin/env bash
# What tiles of an image of 30,000 x 30,000 pixels cost: decoded alone (gannet-lab tiles), and in the window of gannet view, which is
# zoomed and panned (gannet-lab zoom), in this process and in the sandbox. The figures of Documentation/decisions/0062.
#
#     scripts/huge.sh [--keep FOLDER] [--lab PROGRAM]      draws map.jpg and map.png into FOLDER, unless they are there
#
# Prints a line of JSON for each: milliseconds of the processor and of the clock (median and 95 %), and the memory of all processes at once.
# Needs libvips-tools and xvfb, and 4 GB on the disk while it draws.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

folder=
lab=
while [ $# -gt 0 ]; do
    case $1 in
    --keep) folder=${2:?needs a folder} && shift 2 ;;
    --lab) lab=${2:?needs a program} && shift 2 ;;
    *) echo "unknown: $1" >&2; exit 64 ;;
    esac
done
if [ -z "$folder" ]; then
    folder=$(mktemp -d)
    trap 'code=$?; rm -rf "$folder"; if [ $code -ne 0 ]; then echo "FAILED${step_name:+ in: $step_name} (exit code $code)" >&2; fi' EXIT
fi
mkdir -p "$folder"

if [ -z "$lab" ]; then
    step "Building gannet-lab" "5 minutes the first time"
    flags=(-c release --disable-default-traits --traits "JPEG,PNG,TIFF,CommandLine,GTK" --product gannet-lab)
    swift build "${flags[@]}"
    lab="$(swift build "${flags[@]}" --show-bin-path)/gannet-lab"
fi

if [ ! -f "$folder/map.jpg" ] || [ ! -f "$folder/map.png" ]; then
    step "Drawing" "2 minutes"
    # Hills in false colours: soft slopes with hard edges.
    vips perlin "$folder/hills.v" 30000 30000 --cell-size 400 --uchar
    vips falsecolour "$folder/hills.v" "$folder/map.v"
    rm "$folder/hills.v"
    # Named when they are whole: an interrupted run leaves none.
    vips jpegsave "$folder/map.v" "$folder/new.jpg" --Q 93
    vips pngsave "$folder/map.v" "$folder/new.png" --compression 6
    mv "$folder/new.jpg" "$folder/map.jpg"
    mv "$folder/new.png" "$folder/map.png"
    rm "$folder/map.v"
fi

# Painted by the processor; GTK would load OpenGL all the same, whose software driver alone has 50 MiB.
export GSK_RENDERER=cairo GDK_BACKEND=x11 GDK_DEBUG=gl-disable
for format in jpg png; do
    for place in "" --sandbox; do
        step "map.$format ${place:-in this process}"
        stat -c '%s bytes' "$folder/map.$format"
        "$lab" tiles "$folder/map.$format" $place
        xvfb-run -a -s "-screen 0 1400x900x24" "$lab" zoom "$folder/map.$format" $place
    done
done
finish "Measured."
