#!/usr/bin/env bash
# Attacks a running `gannet serve`: slow and endless requests, 10,000 idle connections, smuggling, pipelines, and changed signatures. Fails when an outcome is not the
# expected one, or /health takes longer than a second, and writes Documentation/internals/Attacks.md.
#
#     scripts/attacks.sh [--soak MINUTES]
#
# --soak: instead, a mix of clients for so long, in which memory and descriptors must be flat. GANNET=PROGRAM uses that gannet instead of building one. About
# a minute, and 10 to install and build the first time.
arguments=(Documentation/internals/Attacks.md)
if [ "${1:-}" = --soak ] && [ $# -eq 2 ]; then arguments=("$@"); elif [ $# -gt 0 ]; then sed -n '2,9s/^# \{0,1\}//p' "$0" && exit 64; fi
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "Packages" "nothing or 1 minute"
scripts/setup.sh --command python3 openssl

if [ -z "${GANNET:-}" ]; then
    step "Building gannet" "5 to 9 minutes the first time"
    swift build -c release --traits "$command_traits" --product gannet
    GANNET=$(swift build -c release --show-bin-path)/gannet
fi

step Attacks "${2:-1} minutes"
scripts/attacks/run.py "$(realpath "$GANNET")" "${arguments[@]}"

finish "The service withstood."
