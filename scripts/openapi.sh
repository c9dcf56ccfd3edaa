#!/usr/bin/env bash
# Checks a running `gannet serve` against Documentation/openapi.yaml: schemathesis asks for what the description allows and for what it does not, and
# compares statuses, header fields and bodies.
#
#     scripts/openapi.sh [--examples N] [OPTION OF SCHEMATHESIS…]
#
# 100 examples for each operation; GANNET=PROGRAM uses that gannet instead of building one. schemathesis goes into .venv-openapi. About a minute, and
# 10 to install and build the first time.
examples=100
if [ "${1:-}" = --examples ]; then examples=$2 && shift 2; fi
if [ "${1:-}" = --help ]; then sed -n '2,9s/^# \{0,1\}//p' "$0" && exit; fi
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "Packages" "nothing or 2 minutes"
scripts/setup.sh --command python3-venv
venv=$PWD/.venv-openapi
if ! cmp -s scripts/openapi/requirements.txt "$venv/requirements.txt"; then
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install -q -r scripts/openapi/requirements.txt
    cp scripts/openapi/requirements.txt "$venv/"
fi

if [ -z "${GANNET:-}" ]; then
    step "Building gannet" "about 5 minutes the first time"
    swift build -c release --traits "$command_traits" --product gannet
    GANNET=$(swift build -c release --show-bin-path)/gannet
fi

step "The service beside its description" "1 minute"
"$venv/bin/python" scripts/openapi/run.py "$(realpath "$GANNET")" Documentation/openapi.yaml "$examples" "$@"

finish "The service answers as Documentation/openapi.yaml says."
