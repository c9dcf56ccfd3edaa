#!/usr/bin/env bash
# Installs the Debian packages that building and testing Gannet needs, and leaves alone what is there already.
#
#     scripts/setup.sh [--command | --only] [--list FILE]… [PACKAGE…]
#
# The packages are those of scripts/packages.txt (with --command: of scripts/command-packages.txt, for the command as
# scripts/install.sh builds it; with --only: none), of each FILE, and the arguments. A line "a | b" wants one of them, because Debian's versions name some packages differently:
# the first one wins that is installed or that apt can install. Uses sudo only when not root. Can be run again at any time.
set -euo pipefail
from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."

lists=(scripts/packages.txt)
case ${1:-} in
--command) lists=(scripts/command-packages.txt) && shift ;;
--only) lists=() && shift ;;
esac
while [ "${1:-}" = --list ]; do
    case $2 in /*) lists+=("$2") ;; *) lists+=("$from/$2") ;; esac
    shift 2
done
mapfile -t wanted < <(grep -hv '^#' /dev/null "${lists[@]}" | grep . || true
    if [ $# -gt 0 ]; then printf '%s\n' "$@"; fi)

# Debian's own Swift is among the packages of those who want it.
if ! command -v swift >/dev/null && [[ " ${wanted[*]} " != *" swiftlang "* ]]; then
    echo "There is no 'swift' in PATH. Install a Swift 6.3 toolchain or later: https://www.swift.org/install/linux/" >&2
    exit 1
fi

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
can_install() { [[ $(LC_ALL=C apt-cache policy "$1" 2>/dev/null) =~ Candidate:\ [^\(] ]]; }
has_lists() { compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; }

# Sets `missing` to the packages to install and `unknown` to the lines for which apt has no package.
choose() {
    local line package
    missing=() unknown=()
    for line in "${wanted[@]}"; do
        for package in ${line//|/ }; do
            if is_installed "$package"; then continue 2; fi
            # Without lists apt can say nothing of the first, and the second may only be the lesser choice.
            if ! has_lists || can_install "$package"; then
                missing+=("$package")
                continue 2
            fi
        done
        unknown+=("$line")
    done
}

choose
if [ ${#missing[@]} -eq 0 ] && [ ${#unknown[@]} -eq 0 ]; then
    echo "Nothing to install: all ${#wanted[@]} packages are there."
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "These packages are missing, and this is neither root nor is there a sudo. As root, run:" >&2
        echo "    apt-get install --no-install-recommends ${missing[*]} ${unknown[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

update() {
    echo "Fetching the package lists first."
    "${as_root[@]}" apt-get update -qq
    choose
    if [ ${#unknown[@]} -gt 0 ]; then
        printf 'apt knows no package: %s\n' "${unknown[@]}" >&2
        exit 1
    fi
}
install() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# A package without a candidate, or one that is gone from the mirror, means that the lists are old or were never fetched.
updated=no
if ! has_lists || [ ${#unknown[@]} -gt 0 ]; then update && updated=yes; fi
echo "Installing ${#missing[@]} Debian packages (1 to 5 minutes): ${missing[*]}"
if ! install; then
    if [ $updated = yes ]; then exit 1; fi
    update
    install
fi
echo "Installed."
