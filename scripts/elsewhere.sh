#!/usr/bin/env bash
# Runs scripts/test.sh, or another command, in a fresh Debian of another version: makes a small system with debootstrap, and shows it
# this machine's Swift toolchain and a clean clone of the last commit. Prints the library versions of that system and the times.
#
#     scripts/elsewhere.sh SUITE [--arch ARCH] [-- COMMAND…]
#
# SUITE is a name that debootstrap knows, for example trixie. Needs root, for chroot and mounts; no mount outlives the run. The system
# and the build stay in .build-elsewhere, so that the second run is faster; delete the folder to begin anew. Takes about 60 minutes from
# nothing on 2 cores and 6 GB. Passes GANNET_CORPORA on.
#
# With --arch arm64 on x86-64 the command is scripts/arm64-tests.sh: SUITE, which must have Swift as a package (sid has), compiles for
# arm64, and the tests run under emulation.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"
. scripts/in-root.sh

usage() {
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit "$1"
}
own=$(dpkg --print-architecture)
suite= arch=$own command=()
while [ $# -gt 0 ]; do
    case $1 in
    --arch) arch=${2:?needs a value} && shift 2 ;;
    --arch=*) arch=${1#*=} && shift ;;
    --) shift && command=("$@") && break ;;
    -h | --help) usage 0 ;;
    -*) usage 64 ;;
    *) suite=$1 && shift ;;
    esac
done
if [ -z "$suite" ]; then usage 64; fi

# The toolchain is this machine's, or the suite's own: only that one comes with a Swift library for arm64.
toolchain=
if [ "$arch" = "$own" ]; then
    default=scripts/test.sh
    toolchain=$(swift -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/usr/lib/swift".*|\1|p')
    if [ -z "$toolchain" ]; then
        echo "The toolchain must lie in a folder of its own, not in /usr: that folder is shown to the other system." >&2
        exit 1
    fi
elif [ "$own $arch" = "amd64 arm64" ]; then
    default=scripts/arm64-tests.sh
else
    echo "Only $own can be tested on this machine, and arm64 on amd64." >&2
    exit 64
fi
if [ ${#command[@]} -eq 0 ]; then command=("$default"); fi
if [ "$(id -u)" -ne 0 ]; then
    echo "This needs root, for chroot and mounts: sudo env PATH=\"\$PATH\" scripts/elsewhere.sh $suite" >&2
    exit 1
fi

base=$PWD/.build-elsewhere/$suite-$arch
root=$base/root
clone=$base/gannet

step "A small $suite" "2 minutes the first time"
if [ ! -d "$root" ]; then
    if ! command -v debootstrap >/dev/null; then scripts/setup.sh --command debootstrap; fi
    rm -rf "$root.new"
    mkdir -p "$base"
    # A suite that is younger than this machine's debootstrap is made as sid is.
    known=/usr/share/debootstrap/scripts
    script=()
    if [ ! -e "$known/$suite" ]; then script=(http://deb.debian.org/debian "$known/sid"); fi
    if ! debootstrap --variant=minbase --arch="$own" "$suite" "$root.new" "${script[@]}" >"$base/debootstrap.log" 2>&1; then
        tail -5 "$base/debootstrap.log" >&2
        exit 1
    fi
    mv "$root.new" "$root"
fi
# How this machine reaches the network is how the other one does.
apt-config dump Acquire | grep -E '^Acquire::(http|https|Check-|Retries|Languages)' >"$root/etc/apt/apt.conf.d/90host" || true
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
# A mirror of sid may be older than the week for which its lists are valid. They are signed all the same.
echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/91mirror"
# What is shown to the other system: "path there", tab, "path here".
shown=("/gannet	$clone" ${toolchain:+"$toolchain	$toolchain"})
: >"$root/etc/gitconfig"
while read -r key value; do
    git config --file "$root/etc/gitconfig" --add "$key" "$value"
    place=${key#url.} && place=${place%.*} && place=${place#file://}
    if [ -d "$place" ]; then shown+=("$place	$place"); fi
done < <(git config --get-regexp '^(url\..*\.insteadof|http\.proxy)$' || true)
git config --file "$root/etc/gitconfig" --add safe.directory '*'
corpora=
if [ -n "${GANNET_CORPORA:-}" ]; then
    corpora=/corpora
    shown+=("$corpora	$(realpath "$GANNET_CORPORA")")
fi

# The toolchain was made for a Debian whose libxml2 is version 2 of the library's interface; newer ones have version 16 alone. This
# machine's comes along for the toolchain, which stays as it is; what Gannet links is the other system's.
if [ -n "$toolchain" ] && [ ! -e "$root/usr/lib/$(uname -m)-linux-gnu/libxml2.so.2" ]; then
    ldd "$toolchain/usr/bin/lld" | awk '/libxml2|libicu/ { print $3 }' | xargs -I{} cp -L {} "$root/usr/local/lib/"
    chroot "$root" ldconfig
fi

step "A clean clone" "seconds"
if [ -n "$(git status --porcelain)" ]; then echo "Changes that are not committed are left out."; fi
if [ ! -d "$clone" ]; then git clone --quiet --no-checkout . "$clone"; fi
git -C "$clone" fetch --quiet "$PWD" HEAD
git -C "$clone" checkout --quiet --force --detach FETCH_HEAD
git -C "$clone" clean --quiet -fd
git -C "$clone" log -1 --format='%h %s'
# The versions of packages that this checkout is built with.
if [ -f Package.resolved ]; then cp Package.resolved "$clone/"; fi

# enter COMMAND…: runs it there, at the top of the clone.
enter() {
    printf '%s\n' "${shown[@]}" | sort -u >"$base/shown"
    in_root "$root" "$base/shown" env -i -C /gannet HOME=/root TERM="${TERM:-dumb}" LANG=C.UTF-8 SWIFT_BACKTRACE=enable=no \
        ${corpora:+GANNET_CORPORA="$corpora"} ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        PATH="${toolchain:+$toolchain/usr/bin:}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" "$@"
}

step "Packages there" "nothing or up to 10 minutes"
if [ -n "$toolchain" ]; then
    enter scripts/setup.sh --list scripts/toolchain-packages.txt
else
    enter scripts/setup.sh --only --list scripts/cross-packages.txt
fi

step "${command[*]}, on $suite" "up to an hour the first time"
enter "${command[@]}"

step "What was tried" "nothing"
enter sh -c '
    if [ -x .build/debug/gannet ]; then exec .build/debug/gannet --version --json; fi
    . /etc/os-release && echo "$PRETTY_NAME"'
finish "All is well on $suite, $arch."
