#!/usr/bin/env bash
# What a disk cache must survive, tried on real processes, files and faults: kill -9 at any moment, two processes on one folder,
# full and failing disks, few file descriptors, wrong clocks.
#
#     scripts/faults.sh [--short] [--seeds N] [--rounds N]      default: 5 seeds of 200 kills; --short: 1 of 40, about 1 minute
#
# About 10 minutes, 17 on a busy machine. GANNET_LAB=PROGRAM uses that gannet-lab instead of building one. Full disks need root and the right to mount: what
# this machine cannot do is named and left out.
seeds=5 rounds=200
while [ $# -gt 0 ]; do
    case $1 in
        --short) seeds=1 rounds=40 ;;
        --seeds) seeds=$2 && shift ;;
        --rounds) rounds=$2 && shift ;;
        *) sed -n '2,8s/^# \{0,1\}//p' "$0" && exit 64 ;;
    esac
    shift
done
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "Packages" "nothing or a minute"
scripts/setup.sh faketime python3

if [ -n "${GANNET_LAB:-}" ]; then
    lab=$GANNET_LAB
else
    step "Building gannet-lab" "4 to 8 minutes the first time"
    build=(swift build -c release --disable-default-traits --traits CommandLine --scratch-path .build-release)
    "${build[@]}" --product gannet-lab
    lab=$("${build[@]}" --show-bin-path)/gannet-lab
fi

exec 3>&1
work=$(mktemp -d)
trap 'code=$?; rm -rf "$work"; if [ $code -ne 0 ]; then echo "FAILED in: $step_name (exit code $code)" >&2; fi' EXIT

# A command that hangs is killed: the worker may not react to the first signal.
limited() { timeout --kill-after=5 "$@"; }

# verdict DIR LOG [KEYS]: every key's bytes are some that the log says were stored under it, and nothing temporary is left.
verdict() {
    limited 60 "$lab" cache-worker --dir "$1" --check --keys "${3:-64}" >"$work/check"
    awk 'FNR == NR { if ($1 == "TRY") stored[$2 " " $3] = 1; if ($1 == "ACK") acknowledged++; next }
         $1 == "HAVE" { have++; if (!($2 " " $3 in stored)) { print "WRONG BYTES: " $0; wrong++ } }
         END { printf "    %d acknowledged, %d found, %d wrong\n", acknowledged, have, wrong; exit wrong > 0 }' "$2" "$work/check"
    if [ -n "$(find "$1" -name '*.tmp')" ]; then echo "temporary files are left in $1" && return 1; fi
}

step "Kill -9, one process" "$((seeds * rounds * 4 / 10)) seconds"
for seed in $(seq "$seeds"); do
    scripts/killloop.py --lab "$lab" --dir "$work/kill-$seed" --rounds "$rounds" --seed "$seed"
done

step "Kill -9 within a limit of 4 MB"
scripts/killloop.py --lab "$lab" --dir "$work/limit" --rounds "$rounds" --seed 11 --limit 4000000

step "Kill -9 beside a process that goes on"
for seed in 21 22; do
    scripts/killloop.py --lab "$lab" --dir "$work/two-$seed" --rounds "$((rounds / 2))" --seed "$seed" --companion
done
scripts/killloop.py --lab "$lab" --dir "$work/two-limit" --rounds "$((rounds / 2))" --seed 23 --companion --limit 4000000

step "32 file descriptors, 200 tasks" "seconds"
limited 120 prlimit --nofile=32 "$lab" cache-worker --dir "$work/few" --concurrency 200 --keys 400 --steps 20 >"$work/log"
verdict "$work/few" "$work/log" 400

if command -v faketime >/dev/null; then
    step "Clocks ten years off" "seconds"
    : >"$work/log"
    seed=1000
    for shift in -10y +10y +0d -10y; do
        seed=$((seed + 1))
        limited 120 faketime -f "$shift" "$lab" cache-worker --dir "$work/clock" --steps 100 --seed "$seed" >>"$work/log"
        verdict "$work/clock" "$work/log"
    done
else
    echo "faketime is not installed: clocks are not moved."
fi

step "Calls that fail" "a minute, the whole form some minutes"
cc=$(command -v cc || command -v clang)
"$cc" -std=gnu11 -Wall -Wextra -Werror -O1 -shared -fPIC -o "$work/failcalls.so" scripts/faults/failcalls.c -ldl

# failing CALL ERRNO SETTING SEED: the worker on $work/calls, in which such calls fail. It goes on whatever fails: an entry that
# could not be stored is not acknowledged, one that could not be read is missing.
failing() {
    local code=0
    env FAIL_UNDER="$work/calls" FAIL_CALL="$1" FAIL_ERRNO="$2" "$3" FAIL_SEED="$4" LD_PRELOAD="$work/failcalls.so" \
        timeout --kill-after=5 60 "$lab" cache-worker --dir "$work/calls" --steps 30 --seed "$4" --sync >"$work/one" || code=$?
    if [ $code -ge 124 ]; then echo "hangs or crashes (exit code $code): $1, errno $2, $3, seed $4" && return 1; fi
    cat "$work/one" >>"$work/log"
}

# Call, errno, probability. 5 EIO, 28 ENOSPC, 24 EMFILE, 30 EROFS, 13 EACCES, 12 ENOMEM, 4 EINTR, 122 EDQUOT; 0: half of the bytes.
while read -r call number probability; do
    echo "  $call: errno $number in $probability of its calls"
    rm -rf "$work/calls"
    : >"$work/log"
    for seed in 1 2 3 4 5; do failing "$call" "$number" "FAIL_PROBABILITY=$probability" "$seed"; done
    # What failed to be removed is swept by the next one that opens.
    verdict "$work/calls" "$work/log"
done <<'CALLS'
write 28 0.1
write 5 0.1
write 4 0.3
write 0 0.3
read 5 0.1
read 4 0.3
read 0 0.3
open 4 0.3
open 24 0.1
open 30 0.1
open 13 0.5
close 5 0.1
close 122 0.3
close 4 0.3
fsync 4 0.3
fsync 5 0.2
fsync 28 1
rename 5 0.2
rename 30 1
unlink 5 0.3
mkdir 28 0.3
stat 5 0.1
opendir 24 0.3
readdir 5 0.01
all 5 0.02
all 12 0.2
CALLS

# Each call of a kind in turn, always with the same folder: the remains of one failure are there for the next.
last=20
if [ "$seeds" -gt 1 ]; then last=200; fi
while read -r call number; do
    echo "  $call: errno $number at its call 1, 2, … $last"
    rm -rf "$work/calls"
    : >"$work/log"
    for turn in $(seq "$last"); do failing "$call" "$number" "FAIL_NTH=$turn" "$turn"; done
    verdict "$work/calls" "$work/log"
done <<'CALLS'
write 28
write 5
fsync 5
rename 30
open 24
open 30
CALLS

if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    step "Full and read-only disks" "seconds"
    mkdir -p "$work/full"
    # shellcheck disable=SC2016
    unshare -m bash -c '
        set -e
        lab=$1 work=$2
        for size in "size=2m" "size=64m,nr_inodes=64"; do
            mount -t tmpfs -o "$size" none "$work/full"
            timeout --kill-after=5 120 "$lab" cache-worker --dir "$work/full/cache" --steps 150 >"$work/log"
            mount -o remount,ro "$work/full"
            timeout --kill-after=5 60 "$lab" cache-worker --dir "$work/full/cache" --steps 20 >/dev/null
            timeout --kill-after=5 60 "$lab" cache-worker --dir "$work/full/cache" --check >"$work/readonly"
            mount -o remount,rw,size=64m "$work/full"
            mkdir -p "$work/copy" && rm -rf "$work/copy" && cp -a "$work/full/cache" "$work/copy"
            umount "$work/full"
            cp "$work/log" "$work/log.${size##*=}" && mv "$work/copy" "$work/copy.${size##*=}"
        done' faults "$lab" "$work"
    verdict "$work/copy.2m" "$work/log.2m"
    verdict "$work/copy.64" "$work/log.64"
else
    echo "Not root: no disk is filled."
fi

finish "All faults were survived."
