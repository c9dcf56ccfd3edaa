#!/usr/bin/env bash
# Decodes the files of other people (GANNET_CORPORA names their folder) in a release build and compares every image with the
# answers of independent decoders. Writes what it found to Documentation/conformance, one file for each system that it ran on, and
# makes Documentation/Conformance.md of all of them.
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
traits="JPEG,PNG,GIF,WebP,AVIF,HEIC,JXL,TIFF,SVG,BMP,ICO,QOI,PNM,Radiance,PFM,ColorManagement"
# SVG can choose by language; the references were made in English.
export LC_ALL=en_US.UTF-8
export GANNET_CONFORMANCE_REPORT GANNET_CONFORMANCE_LAST
GANNET_CONFORMANCE_REPORT=$(mktemp)
GANNET_CONFORMANCE_LAST=$(mktemp)

step "Packages" "nothing or up to 2 minutes"
scripts/setup.sh --list scripts/conformance-packages.txt

step "Building the tests" "10 minutes the first time"
swift build -c release --build-tests -Xswiftc -enable-testing --disable-default-traits --traits "$traits" --scratch-path "$scratch"

step "Decoding the files" "5 minutes"
for format in "${@:-}"; do
    if ! GANNET_CORPORA_FORMAT=$format timeout 3000 swift test -c release -Xswiftc -enable-testing --skip-build --disable-default-traits --traits "$traits" \
        --scratch-path "$scratch" --filter "CorporaTests|LibraryVersionsTests"; then
        echo "Some files differ; the last one was $(cat "$GANNET_CONFORMANCE_LAST")." >&2
    fi
done

step "Writing the tables" "nothing"
if [ $# -gt 0 ]; then
    scripts/conformance-page.py "$GANNET_CONFORMANCE_REPORT"
else
    . /etc/os-release
    mkdir -p Documentation/conformance
    {
        printf 'system\t%s\t%s\n' "$PRETTY_NAME" "${VERSION_ID:-0}"
        cat "$GANNET_CONFORMANCE_REPORT"
    } >"Documentation/conformance/$VERSION_CODENAME.tsv"
    {
        cat scripts/conformance-head.md
        scripts/conformance-page.py Documentation/conformance/*.tsv
    } >Documentation/Conformance.md
    scripts/wrap.py Documentation/Conformance.md
fi
finish "Done."
