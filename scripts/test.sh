#!/usr/bin/env bash
# Every test of Gannet: installs what is missing, checks the format and the imports, builds with every codec, HTTP and GTK,
# makes the documentation, and runs all tests.
#
#     scripts/test.sh [ARGUMENT OF swift test…]
#
# About 20 minutes from nothing on 2 cores, a few when built before. GANNET_CORPORA=DIR adds the tests on foreign files.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"
# A task may wait minutes for a processor among hundreds of tests that decode.
export GANNET_PATIENCE=600

step "Packages" "nothing or up to 5 minutes"
scripts/setup.sh

step "Format" "seconds"
# Without build products beside the sources of the other packages.
find Package.swift Sources Tests Benchmarks Examples Adapters Fuzz -name '.build*' -prune -o -name '*.swift' -print0 |
    xargs -0 swift format lint --strict --parallel

step "Circles between folders" "seconds"
scripts/cycles.py

step "Drawing of the modules" "seconds"
scripts/module-graph.py --check

step "Tables of parity" "seconds"
scripts/parity.py

step "Figures of README" "a second"
scripts/figures.py

step "Links of the documents" "seconds"
scripts/links.py

step "Width of prose" "a second"
scripts/wrap.py --check

step "What a repository needs" "seconds"
scripts/repository.py

# In a folder of its own, so that changing the traits does not build swift-nio twice. The check of the imports comes after
# a whole compile, so it is made on this small build.
step "Library without any trait, imports checked" "about 1 minute"
swift build --disable-default-traits --explicit-target-dependency-import-check error --scratch-path .build-plain

step "Building everything with every trait" "about 8 minutes the first time"
swift build --build-tests --enable-all-traits

# Links in comments that lead nowhere are errors.
scripts/docs.sh --skip-build

step "Tests" "minutes"
if [ -z "${GANNET_CORPORA:-}" ]; then echo "GANNET_CORPORA is not set: tests on foreign files are skipped."; fi
failed=0
report=
if [ $# -gt 0 ]; then
    xvfb-run -a swift test --skip-build --enable-all-traits "$@"
else
    # Tests with sockets and deadlines one after the other, by themselves: decoding occupies every thread for seconds.
    network='GannetHTTPTests|GannetCommandTests|GannetServerTests|CacheConformanceTests'
    # Two tests look up names that do not exist: a slow resolver would delay them, or change their failure.
    export RES_OPTIONS="timeout:1 attempts:2"
    # A test that hangs ends the run, and is named. Ctrl-C reaches only the foreground.
    limit=(timeout --kill-after=10)
    if [ -t 0 ]; then limit+=(--foreground); fi
    # run_tests NAME COMMAND…: a failure is kept for the end, so that one run tells everything.
    run_tests() {
        local name=$1 code=0 started=$SECONDS log
        shift
        log=$(mktemp)
        "$@" 2>&1 | tee "$log" || code=$?
        if [ $code -ge 124 ]; then
            report+="The run ($name) was ended after $((SECONDS - started)) s. Begun, and not ended:"$'\n'
            report+=$(scripts/unfinished-tests.awk "$log")$'\n'
        fi
        if [ $code -ne 0 ]; then
            failed=$code
            report+="What failed ($name):"$'\n'$(scripts/failed-tests.awk "$log")$'\n'
        fi
        rm -f "$log"
    }
    run_tests "network and commands" "${limit[@]}" 40m swift test --skip-build --enable-all-traits --no-parallel --filter "$network"
    run_tests "all others" "${limit[@]}" 40m xvfb-run -a swift test --skip-build --enable-all-traits --skip "$network"
fi

step "Faults, short form" "2 minutes"
lab="$(swift build --enable-all-traits --show-bin-path)/gannet-lab"
faults=0
GANNET_LAB="$lab" scripts/faults.sh --short || faults=$?

if [ $failed -ne 0 ]; then
    end_step
    # Last, so that the end of a log is enough to know.
    printf '\n%s' "$report"
    if [ $faults -ne 0 ]; then echo "Faults: failed too (exit code $faults)."; fi
    step_name=Tests
    exit $failed
fi
if [ $faults -ne 0 ]; then exit $faults; fi
# scripts/release.sh reads it, so that a release need not wait for the same tests again.
if [ $# -eq 0 ] && changes=$(git status --porcelain 2>/dev/null) && [ -z "$changes" ]; then git rev-parse HEAD >.build/tested; fi

finish "All checks and tests passed."
