#!/usr/bin/env bash
# Runs deploy/nginx.conf, and then deploy/varnish.vcl, over three `gannet serve`, asks for images while a replica is killed with SIGKILL and started
# again, and checks every answer and how often each source was fetched. Then the same without either, where the replicas share Redis and S3, and purges.
#
#     scripts/cluster.sh [--seconds N] [--chaos [--chaos-seconds N] [--rate N]]
#
# 20 seconds under load. --chaos: a replica, Redis, S3 and the source go and come back, alone and in pairs, for 60 seconds under 200 requests a second.
# GANNET=PROGRAM uses that gannet instead of building one. Two minutes, and 10 to install and build the first time.
seconds=20 chaos=0 chaos_seconds=60 rate=200
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) seconds=$2 && shift 2 ;;
    --chaos) chaos=1 && shift ;;
    --chaos-seconds) chaos_seconds=$2 && shift 2 ;;
    --rate) rate=$2 && shift 2 ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" && exit 64 ;;
    esac
done
if [ $chaos = 0 ]; then chaos_seconds=0; fi
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "Packages" "nothing or 2 minutes"
scripts/setup.sh --list scripts/cluster-packages.txt
# moto answers as S3 does.
if [ ! -x .venv-cluster/bin/moto_server ]; then
    python3 -m venv .venv-cluster
    .venv-cluster/bin/pip install --quiet 'moto[s3,server]==5.2.5'
fi

if [ -z "${GANNET:-}" ]; then
    step "Building gannet" "5 to 9 minutes the first time"
    swift build -c release --traits "$command_traits" --product gannet
    GANNET=$(swift build -c release --show-bin-path)/gannet
fi
GANNET=$(realpath "$GANNET")

step "Three replicas behind nginx, one of them killed" "$((seconds + 20)) seconds"
scripts/cluster/run.py "$GANNET" deploy/nginx.conf "$seconds"

step "Three replicas behind Varnish, one of them killed" "$((seconds + 20)) seconds"
scripts/cluster/run.py "$GANNET" deploy/varnish.vcl "$seconds"

step "Three replicas that share Redis and S3" "$((chaos_seconds + 40)) seconds"
scripts/cluster/shared.py "$GANNET" .venv-cluster/bin/moto_server "$chaos_seconds" "$rate"

step "Purges over three replicas, one of them killed" "40 seconds"
scripts/cluster/purge.py "$GANNET" 8

finish "Every answer was whole, right and the same from each replica."
