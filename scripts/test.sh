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
find Package.swift Sources Tests Benchmarks Examples Fuzz -name '.build*' -prune -o -name '*.swift' -print0 |
    xargs -0 swift format lint --strict --parallel

step "Circles between folders" "seconds"
scripts/cycles.py

step "Drawing of the modules" "seconds"
scripts/module-graph.py --check

step "Tables of parity" "seconds"
scripts/parity.py

step "Links of the documents" "seconds"
scripts/links.py

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
if [ $# -gt 0 ]; then
    xvfb-run -a swift test --skip-build --enable-all-traits "$@"
else
    # Tests with sockets and deadlines one after the other, by themselves: decoding occupies every thread for seconds.
    network='GannetHTTPTests|GannetCommandTests|CacheConformanceTests'
    # Two tests look up names that do not exist: a slow resolver would delay them, or change their failure.
    export RES_OPTIONS="timeout:1 attempts:2"
    # A test that hangs ends the run, and is named. Ctrl-C reaches only the foreground.
    limit=(timeout --kill-after=10)
    if [ -t 0 ]; then limit+=(--foreground); fi
    log=$(mktemp)
    run_tests() {
        local code=0
        "$@" 2>&1 | tee "$log" || code=$?
        if [ $code -ge 124 ]; then
            echo "The run was ended after $((SECONDS - step_started)) s. Begun, and not ended:"
            scripts/unfinished-tests.awk "$log"
        elif [ $code -ne 0 ]; then
            # Last, so that the end of a log is enough to know.
            echo "What failed:"
            scripts/failed-tests.awk "$log"
        fi
        rm -f "$log"
        return $code
    }
    run_tests "${limit[@]}" 40m swift test --skip-build --enable-all-traits --no-parallel --filter "$network"
    run_tests "${limit[@]}" 40m xvfb-run -a swift test --skip-build --enable-all-traits --skip "$network"
fi

step "Faults, short form" "2 minutes"
GANNET_LAB="$(swift build --enable-all-traits --show-bin-path)/gannet-lab" scripts/faults.sh --short

finish "All checks and tests passed."
