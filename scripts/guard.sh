#!/usr/bin/env bash
# Counts the instructions of the hot paths with callgrind, and the allocations of a request, and compares both with
# Benchmarks/guard.json. A path that needs more than 5 % more instructions fails, and so does a request with more than 2 more
# allocations (a cold load: 5 %). What needs less is reported, so that its number can be lowered.
#
#     scripts/guard.sh [--record]       --record writes the counts of now as the thresholds
#
# About 2 minutes; the first build takes 5. Counts belong to one instruction set and one Swift version: guard.json names them, and
# on another machine the counts are printed and nothing fails.
. "$(dirname "${BASH_SOURCE[0]}")/counting.sh"

command -v valgrind >/dev/null || { echo "valgrind is missing: apt-get install valgrind" >&2; exit 1; }

step "Building the hot paths" "5 minutes the first time"
swift build -c release --package-path Benchmarks --scratch-path .build-benchmarks ${GUARD_TRAITS:+--traits "$GUARD_TRAITS"} --product GuardBenchmark
build_request_benchmark

step "Counting instructions" "1 minute"
folder=.build-benchmarks/guard
rm -rf "$folder"
mkdir -p "$folder"
# Debug information of new compilers stops valgrind; the names of functions are enough.
strip --strip-debug -o "$folder/program" .build-benchmarks/release/GuardBenchmark
# One dump for each path; hash seeds are fixed, so that counts are too.
# shellcheck disable=SC2016
work='$s14GuardBenchmark8measuredyyF'
SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file="$folder/out" --collect-atstart=no \
    --toggle-collect="$work" --dump-after="$work" "$folder/program" >"$folder/names" 2>"$folder/log" || {
    tail -20 "$folder/log" >&2
    exit 1
}

step "Counting allocations" "seconds"
# One processor: tasks run in the same order each time.
SWIFT_DETERMINISTIC_HASHING=1 counting taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" "$request_benchmark" --count \
    >"$folder/allocations.json"

python3 Benchmarks/guard.py "$folder" Benchmarks/guard.json "$@"
finish "The hot paths cost what they should."
