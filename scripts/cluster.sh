#!/usr/bin/env bash
# Runs deploy/nginx.conf over three `gannet serve`, asks for images while a replica is killed with SIGKILL and started again, and checks every answer
# and how often each source was fetched.
#
#     scripts/cluster.sh [--seconds N]
#
# 20 seconds under load; GANNET=PROGRAM uses that gannet instead of building one. About a minute, and 10 to install and build the first time.
seconds=20
if [ "${1:-}" = --seconds ]; then seconds=$2; elif [ $# -gt 0 ]; then sed -n '2,8s/^# \{0,1\}//p' "$0" && exit 64; fi
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "Packages" "nothing or 1 minute"
scripts/setup.sh --list scripts/cluster-packages.txt

if [ -z "${GANNET:-}" ]; then
    step "Building gannet" "about 5 minutes the first time"
    swift build -c release --product gannet
    GANNET=$(swift build -c release --show-bin-path)/gannet
fi
GANNET=$(realpath "$GANNET")

step "Three replicas behind nginx, one of them killed" "$((seconds + 20)) seconds"
scripts/cluster/run.py "$GANNET" deploy/nginx.conf "$seconds"

finish "Every answer was whole, right and the same from each replica."
