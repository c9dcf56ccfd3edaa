#!/usr/bin/env bash
# Runs `gannet serve` in a control group of 512 MiB and asks it for twice as many new images as it can make: JPEG and PNG of 50 megapixels, photographs, animations,
# and one image that can never fit. Fails where the kernel kills a process, where an error is not a 503 with Retry-After (or the 413 of what can never fit), where
# cached answers are slow meanwhile, or where the memory of the service at rest stays above 1.2 times that of its start.
#
#     scripts/memory-promise.sh [--seconds N] [--cached-p99 SECONDS] [--report] [-- OPTION…]
#
# 300 seconds under load; 3600 are an hour. --cached-p99: 0.05 unless the machine has other work too. --report says what happens and does not judge, as for a
# build without the promise. Options behind -- are those of `gannet serve`. Without root there is no control group: then the sum of the processes' memory counts.
# GANNET=PROGRAM uses that gannet instead of building one. 7 minutes, and 5 to 9 to build the first time.
seconds=300 words=()
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) seconds=$2 && shift 2 ;;
    --cached-p99) words+=("$1" "$2") && shift 2 ;;
    --report) words+=("$1") && shift ;;
    --) words+=("$@") && break ;;
    *) sed -n '2,12s/^# \{0,1\}//p' "$0" && exit 64 ;;
    esac
done
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "Packages" "nothing or 2 minutes"
scripts/setup.sh --command python3

if [ -z "${GANNET:-}" ]; then
    step "Building gannet" "5 to 9 minutes the first time"
    swift build -c release --traits "$command_traits" --product gannet
    GANNET=$(swift build -c release --show-bin-path)/gannet
fi

step "Twice as much as a service in 512 MiB can do" "$((seconds + 120)) seconds"
scripts/memory-promise/run.py "$(realpath "$GANNET")" "$seconds" "${words[@]}"

finish "The service kept its limit, and everyone was answered."
