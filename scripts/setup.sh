#!/usr/bin/env bash
# Installs what building and testing Gannet needs, and nothing that is there already: the Debian packages of
# scripts/packages.txt (with --command: of scripts/command-packages.txt, for the command with the default traits) and those named as
# arguments. Uses sudo only when not root. Can be run again at any time.
#
#     scripts/setup.sh [--command] [PACKAGE…]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v swift >/dev/null; then
    echo "There is no 'swift' in PATH. Install a Swift 6.2 toolchain or later: https://www.swift.org/install/linux/" >&2
    exit 1
fi

list=scripts/packages.txt
if [ "${1:-}" = --command ]; then list=scripts/command-packages.txt && shift; fi
mapfile -t wanted < <(grep -v '^#' "$list" | grep .)
missing=()
for package in "${wanted[@]}" "$@"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    if [ "$status" != installed ]; then missing+=("$package"); fi
done
if [ ${#missing[@]} -eq 0 ]; then
    echo "Nothing to install: all $((${#wanted[@]} + $#)) packages are there."
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "These packages are missing, and this is neither root nor is there a sudo. As root, run:" >&2
        echo "    apt-get install --no-install-recommends ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "Installing ${#missing[@]} Debian packages (1 to 5 minutes): ${missing[*]}"
install() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}
# A package without a candidate, or one that is gone from the mirror, means that the lists are old or were never fetched.
known=yes
for package in "${missing[@]}"; do
    if ! apt-cache show "$package" >/dev/null 2>&1; then known=no; fi
done
if [ $known = no ] || ! install; then
    echo "Fetching the package lists first."
    "${as_root[@]}" apt-get update -qq
    install
fi
echo "Installed."
