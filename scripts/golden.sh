#!/usr/bin/env bash
# Asks a running `gannet serve` for everything that imgproxy's golden tests ask imgproxy for, and compares the answers with what those
# tests expect. Fails where one differs for no reason that scripts/golden/report.py names, and writes the tables to
# Documentation/conformance/imgproxy.md, and every test to imgproxy.tsv beside it.
#
#     scripts/golden.sh IMGPROXY IMAGES [--only WORD]
#
# IMGPROXY is a checkout of imgproxy, whose testdata has the hashes, and IMAGES one of imgproxy/test-images: neither is part of this
# repository. --only asks for tests with WORD in their names, prints them, and writes nothing. GANNET=PROGRAM uses that gannet, which
# should have all traits, instead of building one. A minute, and 20 to build the first time.
if [ $# -lt 2 ]; then sed -n '2,10s/^# \{0,1\}//p' "$0" && exit 64; fi
checkouts=("$(realpath "$1")" "$(realpath "$2")") && shift 2
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "Packages" "nothing or 2 minutes"
# The libvips of Python has not all formats, and that of the system is older than imgproxy's.
scripts/setup.sh --command python3-venv libvips-tools
venv=$PWD/.venv-golden
if ! cmp -s scripts/golden/requirements.txt "$venv/requirements.txt"; then
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install -q -r scripts/golden/requirements.txt
    # pyvips, which is built here, may have put a module for the system's libvips in the place of this one's.
    "$venv/bin/pip" install -q --no-deps --force-reinstall "$(grep binary scripts/golden/requirements.txt)"
    cp scripts/golden/requirements.txt "$venv/"
fi

if [ -z "${GANNET:-}" ]; then
    step "Building gannet" "20 minutes the first time"
    scripts/setup.sh
    swift build -c release --enable-all-traits --product gannet
    GANNET=$(swift build -c release --show-bin-path)/gannet
fi

step "The golden tests" "a minute"
page=(--page Documentation/conformance/imgproxy.md)
for word in "$@"; do if [ "$word" = --only ]; then page=(); fi; done
"$venv/bin/python" scripts/golden/run.py "$(realpath "$GANNET")" "${checkouts[@]}" "${page[@]}" "$@"

finish "Every answer is imgproxy's, or differs for a known reason."
