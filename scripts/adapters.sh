#!/usr/bin/env bash
# Builds the packages of `Adapters`, with their sample programs, where their toolkits can be had; says in a line why one is skipped.
#
#     scripts/adapters.sh [NAME…]      NAME: GannetSwiftCrossUI or GannetAdwaita; without one, both
#
# About 10 minutes each from nothing.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"
names=("$@")
if [ ${#names[@]} -eq 0 ]; then names=(GannetSwiftCrossUI GannetAdwaita); fi

# reason NAME: why it cannot be built here; nothing if it can.
reason() {
    local url
    for url in $(grep -o 'https://[^"]*' "Adapters/$1/Package.swift"); do
        if ! GIT_TERMINAL_PROMPT=0 git ls-remote --quiet "$url" HEAD >/dev/null 2>&1; then
            echo "$url cannot be fetched"
            return
        fi
    done
    scripts/setup.sh --list scripts/adapters-packages.txt >&2
    if [ "$1" = GannetAdwaita ] && ! pkg-config --atleast-version=1.5 libadwaita-1; then
        echo "it needs libadwaita 1.5, as Debian 13 has"
    fi
}

built=() skipped=()
for name in "${names[@]}"; do
    if [ ! -f "Adapters/$name/Package.swift" ]; then
        echo "There is no Adapters/$name." >&2
        exit 64
    fi
    step "Building $name" "up to 10 minutes"
    why=$(reason "$name")
    if [ -n "$why" ]; then
        echo "Skipped $name: $why."
        skipped+=("$name")
        continue
    fi
    swift build --package-path "Adapters/$name" --scratch-path ".build-${name,,}"
    built+=("$name")
done
finish "Built: ${built[*]:-none}. Skipped: ${skipped[*]:-none}."
