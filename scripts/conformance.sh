#!/usr/bin/env bash
# Decodes the files of other people (GANNET_CORPORA names their folder) in a release build, compares every picture with the
# answers of independent decoders, and writes Documentation/Conformance.md of it.
#
#     GANNET_CORPORA=DIR scripts/conformance.sh [FORMAT…]
#
# With formats only those are run, and their table is printed and not written. Building takes about 10 minutes the first time on
# 2 cores, the run about 5. The reference programs of scripts/conformance-packages.txt, which judge where the table's decoders disagree, are installed.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

if [ ! -f "${GANNET_CORPORA:-}/EXPECTED.tsv" ]; then
    echo "Set GANNET_CORPORA to the folder with EXPECTED.tsv." >&2
    exit 1
fi
scratch=${GANNET_CONFORMANCE_SCRATCH:-.build-release}
traits="JPEG,PNG,GIF,WebP,AVIF,HEIC,JXL,TIFF,SVG,BMP,ICO,QOI,PNM,ColorManagement"
# SVG can choose by language; the references were made in English.
export LC_ALL=en_US.UTF-8
export GANNET_CONFORMANCE_REPORT GANNET_CONFORMANCE_LAST
GANNET_CONFORMANCE_REPORT=$(mktemp)
GANNET_CONFORMANCE_LAST=$(mktemp)

step "Packages" "nothing or up to 2 minutes"
# shellcheck disable=SC2046
scripts/setup.sh $(<scripts/conformance-packages.txt)

step "Building the tests" "10 minutes the first time"
swift build -c release --build-tests -Xswiftc -enable-testing --disable-default-traits --traits "$traits" --scratch-path "$scratch"

step "Decoding the files" "5 minutes"
for format in "${@:-}"; do
    if ! GANNET_CORPORA_FORMAT=$format timeout 3000 swift test -c release -Xswiftc -enable-testing --skip-build --disable-default-traits --traits "$traits" \
        --scratch-path "$scratch" --filter CorporaTests; then
        echo "Some files differ; the last one was $(cat "$GANNET_CONFORMANCE_LAST")." >&2
    fi
done

table() {
    echo "| format | valid files | decode right | | must be refused | are refused | damaged or odd | of them decoded | slowest | most memory |"
    echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    awk -F'\t' '$1 == "row" {
        printf "| %s | %d | %d | %s %% | %d | %d | %d | %d | %.1f s | %d MiB |\n", $2, $3, $4, $5, $6, $7, $8, $9, $10 / 1000, $11
    }' "$GANNET_CONFORMANCE_REPORT"
}

left() {
    awk -F'\t' '$1 == "left" {
        if ($2 != format) { format = $2; printf "\n## %s: what is left\n\n| file | what is different | why |\n|---|---|---|\n", format }
        printf "| %s | %s | %s |\n", $3, $4, $5 == "" ? "**not explained**" : $5
    }' "$GANNET_CONFORMANCE_REPORT"
}

step "Writing the table" "nothing"
if [ $# -gt 0 ]; then
    table
    left
else
    {
        cat scripts/conformance-head.md
        echo
        table
        left
    } >Documentation/Conformance.md
fi
finish "Done."
