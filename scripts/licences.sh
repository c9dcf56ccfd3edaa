#!/usr/bin/env bash
# Prints the licence of Gannet and those of what is linked into the command: the Swift libraries, and the packages of the last
# build with their notices. Libraries of the system come with licences of their own.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh" >/dev/null

show() { printf '\n%s\n\n' "==== $1"; cat "$2"; }

cat LICENSE
swift_root=$(dirname "$(dirname "$(realpath "$(command -v swift)")")")
if [ -f "$swift_root/share/swift/LICENSE.txt" ]; then show "Swift" "$swift_root/share/swift/LICENSE.txt"; fi
for package in .build/checkouts/*/; do
    for file in "$package"LICENSE* "$package"NOTICE*; do
        if [ -f "$file" ]; then show "$(basename "$package"), $(basename "$file")" "$file"; fi
    done
done
