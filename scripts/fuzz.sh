#!/usr/bin/env bash
# Fuzzes the coders with libFuzzer and the address sanitizer. Seeds are made by our own encoders, findings of earlier runs
# (Fuzz/Regressions) are tried first. New findings are left in Fuzz/Findings; inputs that reach new code in Fuzz/Corpus.
#
#     scripts/fuzz.sh [--seconds N | --campaign] [--traits A,B,…] [FORMAT…]      default: 60 seconds for each format of the build
#
# --campaign: 20 minutes for each decoder of ours (PNG and APNG, GIF, BMP, ICO, QOI, PNM,
# Radiance, PFM), 5 for each library; 3 hours in all.
# Ends with what was run: executions and seconds by format.
#
# The first build takes about 4 minutes; FUZZER=PROGRAM takes one that is built. Corpora of one's own: FUZZ_SEEDS=DIR adds the files of
# DIR/<format>.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

seconds=60
campaign=
formats=()
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) seconds=$2; shift 2 ;;
    --campaign) campaign=yes; shift ;;
    --traits) export GANNET_FUZZ_TRAITS=$2; shift 2 ;;
    *) formats+=("$1"); shift ;;
    esac
done

fuzz="${FUZZER:-}"
if [ -z "$fuzz" ]; then
    step "Building the fuzzers" "4 minutes the first time"
    # Small files of JPEG have several threads.
    flags=(
        --package-path Fuzz -c release --sanitize=address --sanitize=fuzzer -Xcc -fsanitize=fuzzer-no-link
        -Xcc -DGANNET_JPEG_EAGER
    )
    swift build "${flags[@]}"
    fuzz="$(swift build "${flags[@]}" --show-bin-path)/gannet-fuzz"
fi

own_options="${ASAN_OPTIONS:-}"
# librsvg keeps memory for the life of the process, which is no leak of ours; `list` and `seeds` end in the middle.
asan() { echo "detect_leaks=$1:allocator_may_return_null=1${own_options:+:$own_options}"; }
export ASAN_OPTIONS="$(asan 0)"
if [ ${#formats[@]} -eq 0 ]; then mapfile -t formats < <("$fuzz" list); fi

failed=()
summary=()
log=$(mktemp)
for format in "${formats[@]}"; do
    if [ -n "$campaign" ]; then
        case $format in
        png | png-regions | jpeg-regions | jpeg-threads | gif | bmp | ico | qoi | pnm | radiance | pfm) seconds=1200 ;;
        *) seconds=300 ;;
        esac
    fi
    step "Fuzzing $format" "$seconds s"
    mkdir -p "Fuzz/Corpus/$format" "Fuzz/Regressions/$format" "Fuzz/Findings"
    seeds=$(mktemp -d)
    # In this process, so that the sanitizer's findings count, and coverage is seen.
    export GANNET_SVG_WORKER=off
    "$fuzz" seeds "$format" "$seeds"
    folders=("Fuzz/Corpus/$format" "$seeds" "Fuzz/Regressions/$format")
    if [ -d "${FUZZ_SEEDS:-}/$format" ]; then folders+=("$FUZZ_SEEDS/$format"); fi
    leaks=1
    if [ "$format" = svg ]; then leaks=0; fi
    # On a busy machine the processor's seconds say how much was tried, the clock's do not.
    TIMEFORMAT='processor %U'
    {
        time ASAN_OPTIONS="$(asan $leaks)" "$fuzz" "$format" -max_total_time="$seconds" -timeout="${FUZZ_TIMEOUT:-10}" \
            -rss_limit_mb=1024 -max_len=8192 -print_final_stats=1 -verbosity=0 \
            -artifact_prefix="Fuzz/Findings/$format-" "${folders[@]}"
    } 2>&1 | tee "$log" || failed+=("$format")
    inputs=$(grep -a number_of_executed_units "$log" | tail -1 | grep -o '[0-9]*$' || echo 0)
    summary+=("$format: $inputs inputs, $seconds s, $(grep -a '^processor ' "$log" | tail -1) s")
    rm -rf "$seeds"
    rmdir --ignore-fail-on-non-empty "Fuzz/Regressions/$format"
done
rm -f "$log"
printf '%s\n' "" "${summary[@]}"
if [ ${#failed[@]} -gt 0 ]; then
    echo "Findings in ${failed[*]}: see Fuzz/Findings. Mend them, then keep the file in Fuzz/Regressions/<format>." >&2
    exit 1
fi
finish "No finding in ${formats[*]}."
