#!/usr/bin/env bash
# Compares gain maps with libultrahdr, and tone mapping with libplacebo through ffmpeg on a processor (lavapipe), and writes the tables of
# Documentation/conformance/hdr.md. Fails where the light of an image differs by more than 1 % from libultrahdr's.
#
#     scripts/hdr.sh SCENES PHOTOGRAPHS
#
# SCENES is a folder of images in PQ or HLG, PHOTOGRAPHS one of JPEGs with a gain map. libultrahdr is Debian sid's: the system that
# scripts/elsewhere.sh makes, below .build-elsewhere, or ULTRAHDR_ROOT. GANNET=PROGRAM is used instead of building one. 5 minutes.
for folder in "${1:?Name a folder of scenes in PQ or HLG.}" "${2:?Name a folder of JPEGs with a gain map.}"; do
    [ -d "$folder" ] || { echo "$folder is no folder." >&2 && exit 1; }
done
scenes=$(realpath "$1") photographs=$(realpath "$2")
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "Packages" "nothing or 5 minutes"
scripts/setup.sh python3-venv ffmpeg mesa-vulkan-drivers
root=${ULTRAHDR_ROOT:-$PWD/.build-elsewhere/sid-amd64/root}
if [ ! -x "$root/usr/bin/ultrahdr_app" ]; then scripts/elsewhere.sh sid -- apt-get install -y --no-install-recommends libuhdr-bin; fi
if [ ! -x .venv-benchmarks/bin/pip ]; then python3 -m venv --clear .venv-benchmarks; fi
.venv-benchmarks/bin/pip install -q numpy imagecodecs

if [ -z "${GANNET:-}" ]; then
    step "Building gannet" "5 to 9 minutes the first time"
    build=(swift build -c release --traits "$command_traits,AVIF,HEIC,JXL")
    "${build[@]}" --product gannet
    GANNET=$("${build[@]}" --show-bin-path)/gannet
fi

step "Comparing" "3 minutes"
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
# With its own C library, without entering the other system.
cat >"$bin/ultrahdr_app" <<RUN
#!/bin/sh
exec "$root/lib64/ld-linux-x86-64.so.2" --library-path "$root/usr/lib/x86_64-linux-gnu" "$root/usr/bin/ultrahdr_app" "\$@"
RUN
chmod +x "$bin/ultrahdr_app"
PATH=$bin:$PATH .venv-benchmarks/bin/python scripts/hdr/compare.py "$(realpath "$GANNET")" "$scenes" "$photographs" Documentation/conformance/hdr.md \
    --commit "$(git rev-parse --short=8 HEAD)"

finish "Documentation/conformance/hdr.md is new."
