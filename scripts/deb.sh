#!/usr/bin/env bash
# Builds a Debian package of `gannet` for this machine's architecture: the binary, the manual page and the completions. The
# libraries that it depends on are found by dpkg-shlibdeps.
#
#     scripts/deb.sh [--out DIR] [--traits LIST] [--sign KEY]
#
# The package is written to DIR (default: the current folder). --sign puts gpg's signature by KEY beside it, as FILE.deb.asc, because
# dpkg does not look at signatures inside of packages by default. About 6 minutes from nothing on 2 cores.
from=$PWD
# dpkg-deb refuses folders that others cannot read.
umask 022
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

out=$from
key=
traits=()
while [ $# -gt 0 ]; do
    case $1 in
    --out | --traits | --sign)
        if [ $# -lt 2 ]; then
            echo "$1 needs a value." >&2
            exit 64
        fi
        case $1 in --out) out=$2 ;; --traits) traits=(--traits "$2") ;; --sign) key=$2 ;; esac
        shift 2
        ;;
    --out=*) out=${1#*=} && shift ;;
    --traits=*) traits=(--traits "${1#*=}") && shift ;;
    --sign=*) key=${1#*=} && shift ;;
    *)
        sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
        case $1 in -h | --help) exit 0 ;; *) exit 64 ;; esac
        ;;
    esac
done
case $out in /*) ;; *) out=$from/$out ;; esac
mkdir -p "$out"
# Before the minutes of the build.
if [ -n "$key" ] && ! gpg --list-secret-keys "$key" >/dev/null; then
    echo "gpg has no secret key $key." >&2
    exit 1
fi

step "Tools for packages" "nothing or a minute"
scripts/setup.sh --command dpkg-dev

end_step
tree=$(mktemp -d)
trap 'code=$?; rm -rf "$tree"; if [ $code -ne 0 ]; then echo "FAILED${step_name:+ in: $step_name} (exit code $code)" >&2; fi' EXIT
DESTDIR=$tree/root scripts/install.sh --prefix /usr "${traits[@]}"

step "Packing" "seconds"
version=$("$tree/root/usr/bin/gannet" --version | cut -d' ' -f2)
architecture=$(dpkg --print-architecture)
# Debian's zsh looks for completions of packages here, and not in /usr/share/zsh/site-functions.
mv "$tree/root/usr/share/zsh/site-functions" "$tree/root/usr/share/zsh/vendor-completions"
gzip -9nc CHANGELOG.md >"$tree/root/usr/share/doc/gannet/changelog.gz"
# dpkg-shlibdeps wants to stand beside a source package's control file.
mkdir -p "$tree/debian" "$tree/root/DEBIAN"
printf 'Source: gannet\n\nPackage: gannet\nArchitecture: any\n' >"$tree/debian/control"
if ! (cd "$tree" && dpkg-shlibdeps -O root/usr/bin/gannet >depends 2>depends.log); then
    cat "$tree/depends.log" >&2
    exit 1
fi
depends=$(sed -n 's/^shlibs:Depends=//p' "$tree/depends")
# Where libheif loads the decoder and the encoder of HEVC as plugins, no library names those packages.
recommends=
has_plugin() { [[ $depends == *libheif1* && $(dpkg-query -W -f '${db:Status-Status}' "libheif-plugin-$1" 2>/dev/null) == installed ]]; }
if has_plugin libde265; then depends+=', libheif-plugin-libde265'; fi
if has_plugin x265; then recommends=', libheif-plugin-x265'; fi
# Programs that are looked for when a document is read.
if [[ ,${traits[1]:-}, == *,PDF,* ]]; then recommends+=', poppler-utils'; fi
cat >"$tree/root/DEBIAN/control" <<EOF
Package: gannet
Version: $version
Architecture: $architecture
Section: graphics
Priority: optional
Maintainer: The Gannet authors <gannet@example.org>
Installed-Size: $(du -ks "$tree/root/usr" | cut -f1)
Depends: $depends, ca-certificates${recommends:+
Recommends: ${recommends:2}}
Description: loads, caches, converts and shows images
 Gannet fetches images through caches that obey HTTP, tells what image files
 are, converts them between formats, and draws them in the terminal. It is the
 command of a Swift library for Linux.
EOF
package=$out/gannet_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$tree/root" "$package"
if [ -n "$key" ]; then
    gpg --yes --local-user "$key" --armor --detach-sign "$package"
    gpg --verify "$package.asc" "$package"
fi
finish "The package: $package${key:+, with its signature beside it}"
