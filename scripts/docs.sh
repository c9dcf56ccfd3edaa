#!/usr/bin/env bash
# The reference and the articles as a website: .build-docs/site, one folder for each library. Warnings are errors.
#
#     scripts/docs.sh          then: python3 -m http.server --directory .build-docs/site
#
# A few minutes on 2 cores.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "Symbols" "minutes"
symbols=$PWD/.build-docs/symbols
mkdir -p "$symbols" .build-docs/site
swift build --disable-default-traits --traits "JPEG,PNG,GIF,WebP,BMP,ICO,QOI,PNM,ColorManagement" --scratch-path .build-docs --target Gannet \
    -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$symbols"

for module in GannetCore GannetPipeline Gannet; do
    step "Pages of $module" "seconds"
    only=.build-docs/symbols-$module
    rm -rf "$only"
    mkdir -p "$only"
    cp "$symbols/$module.symbols.json" "$only/"
    catalog=()
    if [ -d "Sources/$module/$module.docc" ]; then catalog=("Sources/$module/$module.docc"); fi
    docc convert "${catalog[@]}" --additional-symbol-graph-dir "$only" --fallback-display-name "$module" \
        --fallback-bundle-identifier "org.gannet.$module" --warnings-as-errors --output-path ".build-docs/site/$module"
done

finish "The pages are in .build-docs/site."
