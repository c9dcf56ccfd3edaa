#!/bin/sh
# Animated pictures and a scrolling wall in a window under Xvfb: Gannet; gdk-pixbuf and Qt's QMovie for GIF. Prints JSON lines. Needs Debian's
# packages libgtk-4-dev, xvfb and xauth, and a Python with PySide6_Essentials (PYTHON, default python3). Keep the machine idle.
#
#     run.sh [SECONDS]
set -eu
cd "$(dirname "$0")"
seconds=${1:-10}
python=${PYTHON:-python3}
swift build -c release --scratch-path "${SCRATCH:-.build}" >&2
programs=$(swift build -c release --scratch-path "${SCRATCH:-.build}" --show-bin-path)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2046
cc -O2 peers/gdkpixbuf_playback.c $(pkg-config --cflags --libs gtk4) -ldl -o "$work/gdkpixbuf"
cc -O2 -shared -fPIC ../peers/count_allocations.c -o "$work/count.so"
"$programs/PlaybackBenchmark" write "$work" 48
# Painted by the processor. GDK would load a software OpenGL, 50 MiB of LLVM, and never use it.
export GSK_RENDERER=cairo GDK_DEBUG=gl-disable GTK_A11Y=none XDG_CACHE_HOME="$work/cache"
if ! "$python" -c "import PySide6" 2>/dev/null; then echo "no PySide6: QMovie is left out" >&2; fi
in_window() { xvfb-run -a -s "-screen 0 1280x1024x24" "$@"; }
# Qt draws into memory: its platform for X11 wants libraries that are often not there.
qt() { if "$python" -c "import PySide6" 2>/dev/null; then QT_QPA_PLATFORM=offscreen "$@"; fi; }
for clips in 1 48; do
    for format in gif webp png; do in_window "$programs/PlaybackBenchmark" "$work" "$clips" "$seconds" "$format"; done
    # Its wall shows one clip twice.
    both=$clips; if [ "$clips" = 1 ]; then both=2; fi
    in_window "$work/gdkpixbuf" "$both" "$seconds" "$work"/*.gif
    qt "$python" peers/qmovie_playback.py "$both" "$seconds" "$work"/*.gif
done
# The same once more, shorter, with every call of the allocator counted.
counting() { in_window env LD_PRELOAD="$work/count.so" "$@" | sed 's/"group": "playback"/"group": "allocations"/'; }
for format in gif webp png; do counting "$programs/PlaybackBenchmark" "$work" 48 4 $format; done
counting "$work/gdkpixbuf" 48 4 "$work"/*.gif
qt env LD_PRELOAD="$work/count.so" "$python" peers/qmovie_playback.py 48 4 "$work"/*.gif | sed 's/"group": "playback"/"group": "allocations"/'
in_window "$programs/ScrollBenchmark" 3000 "$seconds"
