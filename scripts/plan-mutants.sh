#!/usr/bin/env bash
# Changes the plan of a load in every small way (a comparison, a condition, a returned step), and runs the plan's tests on each change. A
# change that no test notices is a rule without a test, and fails this script. The plan compiles alone, so a change takes seconds.
#
#     scripts/plan-mutants.sh [--list]      --list: only says which changes there are
#
# About 6 minutes on 2 cores.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

if [ "${1:-}" = --list ]; then
    scripts/plan-mutants.py list Sources/GannetFetch/Plan
    exit 0
fi
work=$(mktemp -d)
trap 'code=$?; rm -rf "$work"; if [ $code -ne 0 ]; then echo "FAILED${step_name:+ in: $step_name} (exit code $code)" >&2; fi' EXIT

step "The plan and its tests alone" "under a minute"
scripts/plan-mutants.py prepare "$work"

step "Changed plans" "5 minutes"
scripts/plan-mutants.py run "$work"

finish "Every change of the plan is noticed."
