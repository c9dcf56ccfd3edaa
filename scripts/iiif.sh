#!/usr/bin/env bash
# Runs the official validator of the IIIF Image API against a `gannet serve`: version 3.0, level 2.
#
#     scripts/iiif.sh [OPTION OF THE VALIDATOR…]
#
# GANNET=PROGRAM uses that gannet instead of building one. The validator goes into .venv-iiif. Some seconds, and 10 minutes to install and build the first
# time. Ends with 1 if a test fails that scripts/iiif/run.py does not name with its reason.
if [ "${1:-}" = --help ]; then sed -n '2,8s/^# \{0,1\}//p' "$0" && exit; fi
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "Packages" "nothing or a minute"
scripts/setup.sh --command python3-venv
venv=$PWD/.venv-iiif
if ! cmp -s scripts/iiif/requirements.txt "$venv/requirements.txt"; then
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install -q -r scripts/iiif/requirements.txt
    cp scripts/iiif/requirements.txt "$venv/"
fi

if [ -z "${GANNET:-}" ]; then
    step "Building gannet" "about 5 minutes the first time"
    swift build -c release --traits "$command_traits" --product gannet
    GANNET=$(swift build -c release --show-bin-path)/gannet
fi

step "The validator" "some seconds"
"$venv/bin/python" scripts/iiif/run.py "$(realpath "$GANNET")" "$@"

finish "The service speaks the IIIF Image API 3.0 at level 2."
