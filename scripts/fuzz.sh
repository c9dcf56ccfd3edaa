#!/usr/bin/env bash
# Fuzzes the coders with libFuzzer and the address sanitizer. Seeds are made by our own encoders, findings of earlier runs
# (Fuzz/Regressions) are tried first. New findings are left in Fuzz/Findings; inputs that reach new code in Fuzz/Corpus.
#
#     scripts/fuzz.sh [--seconds N] [--traits A,B,…] [FORMAT…]      default: 60 seconds for each format of the build
#
# The first build takes about 4 minutes. Corpora of one's own: FUZZ_SEEDS=DIR adds the files of DIR/<format>.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

seconds=60
formats=()
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) seconds=$2; shift 2 ;;
    --traits) export GANNET_FUZZ_TRAITS=$2; shift 2 ;;
    *) formats+=("$1"); shift ;;
    esac
done

step "Building the fuzzers" "4 minutes the first time"
flags=(--package-path Fuzz -c release --sanitize=address --sanitize=fuzzer -Xcc -fsanitize=fuzzer-no-link)
swift build "${flags[@]}"
fuzz="$(swift build "${flags[@]}" --show-bin-path)/gannet-fuzz"

# Libraries (librsvg above all) keep memory for the life of the process, which is no leak of ours.
export ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
if [ ${#formats[@]} -eq 0 ]; then mapfile -t formats < <("$fuzz" list); fi

failed=()
for format in "${formats[@]}"; do
    step "Fuzzing $format" "$seconds s"
    mkdir -p "Fuzz/Corpus/$format" "Fuzz/Regressions/$format" "Fuzz/Findings"
    seeds=$(mktemp -d)
    "$fuzz" seeds "$format" "$seeds"
    folders=("Fuzz/Corpus/$format" "$seeds" "Fuzz/Regressions/$format")
    if [ -d "${FUZZ_SEEDS:-}/$format" ]; then folders+=("$FUZZ_SEEDS/$format"); fi
    "$fuzz" "$format" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=8192 -print_final_stats=1 \
        -verbosity=0 -artifact_prefix="Fuzz/Findings/$format-" "${folders[@]}" || failed+=("$format")
    rm -rf "$seeds"
    rmdir --ignore-fail-on-non-empty "Fuzz/Regressions/$format"
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "Findings in ${failed[*]}: see Fuzz/Findings. Mend them, then keep the file in Fuzz/Regressions/<format>." >&2
    exit 1
fi
finish "No finding in ${formats[*]}."
