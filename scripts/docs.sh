#!/usr/bin/env bash
# The reference and the articles as a website: .build-docs/site, of all libraries together. Warnings are errors, and so are public symbols without a comment and
# optionals that read `.none` as nil.
#
#     scripts/docs.sh [--skip-build]      then: python3 -m http.server --directory .build-docs/site
#
# --skip-build takes the modules that stand in .build. A minute on 2 cores where everything with every trait is built.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

if [ "${1:-}" != --skip-build ]; then
    step "Packages" "nothing or up to 5 minutes"
    scripts/setup.sh

    step "Building everything with every trait" "about 8 minutes the first time"
    swift build --build-tests --enable-all-traits
fi
built=$(swift build --enable-all-traits --show-bin-path)

# The public libraries, by the products of the package.
modules=$(sed -n 's/^ *\.library(name: "\([A-Za-z]*\)".*/\1/p' Package.swift | sort -u)
# Gannet re-exports the declarations of these.
modules+=$'\nGannetHTTP'

step "Symbols and pages" "a minute"
# Read from the compiled modules: their importers see the C modules through the same headers as the build did.
headers=(-I "$built/Modules")
for folder in Sources/CGannet{CURL,Kernels,Shims}/include Sources/System/* .build/checkouts/*/Sources/*/include \
    .build/checkouts/*/Sources/_*; do
    if [ -d "$folder" ]; then headers+=(-I "$folder"); fi
done
for map in "$built"/*.build/module.modulemap; do headers+=(-Xcc "-fmodule-map-file=$map"); done
for flag in $(pkg-config --cflags gtk4 libopenjp2 librsvg-2.0 libtiff-4 libjpeg lcms2 libheif libjxl libavif libxml-2.0); do headers+=(-Xcc "$flag"); done

symbols=.build-docs/symbols
rm -rf "$symbols"
mkdir -p "$symbols/modules" "$symbols/merged"
for module in $modules; do
    echo "$module"
    swift symbolgraph-extract -module-name "$module" -target "$(uname -m)-unknown-linux-gnu" "${headers[@]}" \
        -output-dir "$symbols/modules" -minimum-access-level public -skip-synthesized-members
done
scripts/undocumented.py "$symbols"/modules/*.symbols.json
scripts/public-symbols.py "$symbols"/modules/*.symbols.json
scripts/optional-none.py "$symbols"/modules/*.symbols.json
scripts/merge-symbols.py "$symbols/merged/Gannet.symbols.json" "$symbols"/modules/*.symbols.json
# A copy, because DocC keeps links to pictures as links, which lead nowhere from the site.
catalog=.build-docs/Gannet.docc
rm -rf "$catalog"
cp -rL Sources/Gannet/Gannet.docc "$catalog"
docc convert "$catalog" --additional-symbol-graph-dir "$symbols/merged" --fallback-display-name Gannet \
    --fallback-bundle-identifier org.gannet.Gannet --warnings-as-errors --output-path .build-docs/site
# DocC's own page for the root says that it cannot be found: the pages begin below it.
start=documentation/gannet/
test -f ".build-docs/site/${start}index.html"
cat >.build-docs/site/index.html <<EOF
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=$start">
<title>Gannet</title>
<p><a href="$start">The documentation of Gannet</a></p>
</html>
EOF

finish "The pages are in .build-docs/site."
