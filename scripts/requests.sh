#!/usr/bin/env bash
# What one request costs: time and allocations, beside a baseline of eighty lines (Benchmarks/README.md). Arguments go to the benchmark.
#
#     scripts/requests.sh [--json] [--all] [--rounds N] [--program gannet|baseline] [WORD…]
#
# About 3 minutes; the first build takes 5. Keep the machine idle.
. "$(dirname "${BASH_SOURCE[0]}")/counting.sh"

step "Building the benchmark" "5 minutes the first time"
build_request_benchmark

step "Measuring" "3 minutes"
counting "$request_benchmark" "$@"
finish "That is what a request costs."
