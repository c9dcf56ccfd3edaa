#!/bin/sh
# Animated pictures in a window under Xvfb: Gannet, and gdk-pixbuf for GIF. Needs python3 with Pillow. Keep the machine idle.
set -eu
cd "$(dirname "$0")"
seconds=${1:-10}
swift build -c release
program=$(swift build -c release --show-bin-path)/PlaybackBenchmark
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2046
cc -O2 peers/gdkpixbuf_playback.c $(pkg-config --cflags --libs gtk4) -o "$work/gdkpixbuf"
python3 peers/playback_clips.py "$work" 48
export GSK_RENDERER=cairo GTK_A11Y=none
in_window() { xvfb-run -a -s "-screen 0 1280x1024x24" "$@"; }
for clips in 1 48; do
    for format in gif webp png; do in_window "$program" "$clips" "$seconds" "$format"; done
    in_window "$work/gdkpixbuf" "$clips" "$seconds" "$work"/*.gif
done
