#!/usr/bin/env bash
# Builds `gannet` for release and installs it with its manual page, the completions for bash, zsh and fish, and an entry for file
# managers, which then show thumbnails of all formats of the build, with the types of those that the desktop may not know. Can be run again.
#
#     scripts/install.sh [--prefix DIR] [--traits LIST] [--uninstall]
#
# DIR is /usr/local by default; DESTDIR is put before it, as packagers want it. LIST replaces `default,Server`, for example
# by `default,AVIF,HEIC`. 6 to 10 minutes from nothing on 2 cores, half of it for `Server`.
from=$PWD
# Installed files are readable for all users, whatever this user's umask is.
umask 022
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

prefix=/usr/local
traits=
uninstall=no
while [ $# -gt 0 ]; do
    case $1 in
    --prefix | --traits)
        if [ $# -lt 2 ]; then
            echo "$1 needs a value." >&2
            exit 64
        fi
        if [ "$1" = --prefix ]; then prefix=$2; else traits=$2; fi
        shift 2
        ;;
    --prefix=*) prefix=${1#*=} && shift ;;
    --traits=*) traits=${1#*=} && shift ;;
    --uninstall) uninstall=yes && shift ;;
    *)
        sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
        case $1 in -h | --help) exit 0 ;; *) exit 64 ;; esac
        ;;
    esac
done
case $prefix in /*) ;; *) prefix=$from/$prefix ;; esac
root=${DESTDIR:-}$prefix

files=(
    bin/gannet share/man/man1/gannet.1.gz share/bash-completion/completions/gannet share/zsh/site-functions/_gannet
    share/fish/vendor_completions.d/gannet.fish share/thumbnailers/gannet.thumbnailer share/mime/packages/gannet.xml
    share/doc/gannet/copyright
)

# Packages leave that to the package system.
know_types() {
    if [ -z "${DESTDIR:-}" ] && command -v update-mime-database >/dev/null && [ -d "$root/share/mime/packages" ]; then
        update-mime-database "$root/share/mime"
    fi
}

if [ $uninstall = yes ]; then
    for file in "${files[@]}"; do rm -fv "$root/$file"; done
    know_types
    finish "gannet is removed from $root."
    exit 0
fi

parent=$root
while [ ! -e "$parent" ]; do parent=$(dirname "$parent"); done
if [ ! -w "$parent" ]; then
    echo "$root cannot be written. Choose another --prefix, for example ~/.local, or run this as root." >&2
    exit 1
fi

step "Packages" "nothing or up to 5 minutes"
traits=${traits:+CommandLine,$traits}
if [ -z "$traits" ]; then scripts/setup.sh --command; else scripts/setup.sh; fi

# The Swift libraries are linked in: the command then runs where no toolchain is, and starts sooner.
step "Building gannet" "5 to 9 minutes the first time"
build=(swift build -c release --static-swift-stdlib --traits "${traits:-$command_traits}")
# The lab makes the manual page and the entry for file managers, and is not installed.
for product in gannet gannet-lab; do "${build[@]}" --product "$product"; done
built=$("${build[@]}" --show-bin-path)
gannet=$built/gannet

step "Installing to $root" "a second"
install -D -m 755 -s "$gannet" "$root/bin/gannet"
put() {
    mkdir -p "$(dirname "$root/$1")"
    cat >"$root/$1"
    chmod 644 "$root/$1"
}
version=$("$gannet" --version | cut -d' ' -f2)
"$gannet" --experimental-dump-help | "$built/gannet-lab" manual --version "$version" | gzip -9n | put share/man/man1/gannet.1.gz
"$gannet" --generate-completion-script bash | put share/bash-completion/completions/gannet
"$gannet" --generate-completion-script zsh | put share/zsh/site-functions/_gannet
"$gannet" --generate-completion-script fish | put share/fish/vendor_completions.d/gannet.fish
"$built/gannet-lab" thumbnailer | put share/thumbnailers/gannet.thumbnailer
put share/mime/packages/gannet.xml <scripts/mime-types.xml
know_types
scripts/licences.sh | put share/doc/gannet/copyright
for file in "${files[@]}"; do echo "$root/$file"; done

case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "$prefix/bin is not in PATH; add it to call gannet by name." ;;
esac
finish "gannet is installed."
