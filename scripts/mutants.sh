#!/usr/bin/env bash
# Every truncation and 500 seeded mutants of one small file of each format (and of one small animation, where there is one), through
# the command: `info`, whole, all frames, thumbnail, progressive. A crash, 10 s or a misuse error fails; refusing is fine.
#
#     scripts/mutants.sh [--sandbox] [FORMAT…]          default: every format of the command that is built; --sandbox: in worker processes
#
# Needs GANNET_CORPORA with its mutate.py. About 5 minutes. GANNET=PATH tries another command than a release build of this checkout;
# its gannet-lab is beside it.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

corpora="${GANNET_CORPORA:-}"
if [ -z "$corpora" ]; then
    echo "GANNET_CORPORA is not set: mutants are skipped."
    exit 0
fi
sandbox=()
if [ "${1:-}" = --sandbox ]; then
    sandbox=(--sandbox)
    shift
fi
formats=("$@")
if [ ${#formats[@]} -eq 0 ]; then formats=(jpeg png apng gif webp bmp ico tiff svg avif heic jxl qoi pnm); fi
if [ -z "${GANNET:-}" ]; then
    step "Building the command" "8 minutes the first time"
    traits="JPEG,PNG,GIF,WebP,AVIF,HEIC,JXL,TIFF,SVG,JP2,RAW,Lottie,BMP,ICO,QOI,PNM,Radiance,PFM,ColorManagement,CommandLine"
    flags=(-c release --scratch-path .build-mutants --disable-default-traits --traits "$traits")
    for product in gannet gannet-lab; do swift build "${flags[@]}" --product "$product"; done
    GANNET="$(swift build "${flags[@]}" --show-bin-path)/gannet"
fi
work=$(mktemp -d)
trap 'code=$?; rm -rf "$work"; if [ $code -ne 0 ]; then echo "FAILED${step_name:+ in: $step_name} (exit code $code)" >&2; fi' EXIT

# The smallest valid still picture of a format, and the smallest valid animation; ours where the corpora have no folder of it.
small_files() {
    if [ ! -d "$corpora/$1" ]; then
        "$GANNET" convert "$(small_files png | head -1)" "$work/small.$1" >/dev/null && echo "$work/small.$1"
        return
    fi
    # Small files can be large pictures: the area counts too.
    awk -F'\t' -v format="$1" \
        'index($1, format "/") == 1 && $11 == "yes" { print $1 "\t" ($6 > 1) "\t" int($4 * $5 / 64) }' "$corpora/EXPECTED.tsv" |
        while IFS=$'\t' read -r name moves area; do
            printf '%s\t%s\t%s\n' "$moves" "$(($(stat -c %s "$corpora/$name") + area))" "$corpora/$name"
        done | sort -k1,1n -k2,2n | awk -F'\t' '$2 >= 150 && ($1 == 0 || $2 < 20000) && !seen[$1]++ { print $3 }'
}

failed=()
for format in "${formats[@]}"; do
    while read -r file; do
        size=$(stat -c %s "$file")
        # Every byte of small files; at most some 4,000 truncations of others.
        every=$((size / 4000 + 1))
        step "$format: $(basename "$file"), $size bytes" "under a minute"
        rm -rf "$work/mutants"
        python3 "$corpora/mutate.py" "$file" "$work/mutants" --every $every --flips 500
        find "$work/mutants" -type f -size +0 | sort >"$work/list"
        code=0
        timeout 900 "$(dirname "$GANNET")/gannet-lab" try-files "${sandbox[@]}" <"$work/list" 2>"$work/tried" || code=$?
        if [ $code -ne 0 ]; then
            last="$(tail -1 "$work/tried")"
            echo "exit code $code; last: $last" >&2
            if [ $code -ne 1 ]; then
                mkdir -p Fuzz/Findings
                cp "${last#TRY }" "Fuzz/Findings/$format-mutant-$(basename "${last#TRY }")" || true
            fi
            failed+=("$format")
        fi
        # `info` as people call it: many files at once; exit code 1 says that some are refused.
        code=0
        xargs -a "$work/list" -d '\n' -n 500 sh -c '"$0" info --no-cache "$@" >/dev/null 2>&1; [ $? -le 1 ]' "$GANNET" || code=$?
        if [ $code -ne 0 ]; then failed+=("$format (info)"); fi
    done < <(small_files "$format")
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "Faults in ${failed[*]}; files that crash are in Fuzz/Findings." >&2
    exit 1
fi
finish "No crash, no hang in mutants of ${formats[*]}."
