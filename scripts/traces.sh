#!/usr/bin/env bash
# Checks the traces of a running `gannet serve` with OpenTelemetry's own description of its protocol: a collector in Python reads each request into
# ExportTraceServiceRequest, where no field may be unknown, and compares identifiers, parents and attributes.
#
#     scripts/traces.sh
#
# GANNET=PROGRAM uses that gannet instead of building one. opentelemetry-proto goes into .venv-traces. A few seconds, and 10 minutes to install and build
# the first time.
if [ "${1:-}" = --help ]; then sed -n '2,8s/^# \{0,1\}//p' "$0" && exit; fi
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "Packages" "nothing or a minute"
scripts/setup.sh --command python3-venv
venv=$PWD/.venv-traces
if ! cmp -s scripts/traces/requirements.txt "$venv/requirements.txt"; then
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install -q -r scripts/traces/requirements.txt
    cp scripts/traces/requirements.txt "$venv/"
fi

if [ -z "${GANNET:-}" ]; then
    step "Building gannet" "5 to 9 minutes the first time"
    swift build -c release --traits "$command_traits" --product gannet
    GANNET=$(swift build -c release --show-bin-path)/gannet
fi

step "The service beside a collector" "seconds"
"$venv/bin/python" scripts/traces/run.py "$(realpath "$GANNET")"

finish "The traces are as OpenTelemetry's protocol says."
