#!/bin/sh
# A wall of 10,000 different photographs that scrolls in a window under Xvfb, in three ways. Ends with the table of
# ../wall.md; the JSON lines before it go to standard error. The photographs are parts of
# those of scripts/demo-packages.txt, 640 to 1,024 pixels wide, written once into .build-wall (1.2 GB).
# Needs Debian's packages libgtk-4-dev, xvfb and xauth.
#
#     wall.sh [COUNT]
set -eu
cd "$(dirname "$0")"
count=${1:-10000}
root=$(cd ../.. && pwd)
"$root/scripts/setup.sh" --list "$root/scripts/demo-packages.txt" >&2
swift build -c release --scratch-path "${SCRATCH:-.build}" --product WallBenchmark >&2
program="$(swift build -c release --scratch-path "${SCRATCH:-.build}" --show-bin-path)/WallBenchmark"
photographs="$root/.build-wall/$count"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$root/.build-wall"
grep -v '^#' "$root/scripts/demo-pictures.txt" | XDG_CACHE_HOME="$work" xargs -d '\n' "$program" write "$photographs" "$count" >&2
# Painted by the processor. GDK would load a software OpenGL, 50 MiB of LLVM, and never use it.
export GSK_RENDERER=cairo GDK_DEBUG=gl-disable GTK_A11Y=none
for way in flicks fast jumps; do
    # Each begins without anything in a cache.
    XDG_CACHE_HOME="$work/$way" xvfb-run -a -s "-screen 0 1280x1024x24" "$program" scroll "$photographs" $way "$work/$way.png" \
        >"$work/$way.json"
    tee -a "$work/lines" <"$work/$way.json" >&2
done
python3 wall-table.py "$work/lines"
