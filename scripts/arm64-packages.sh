# Sourced by the scripts for 64-bit Arm: Debian's arm64 packages, unpacked into a folder and not installed.

# arm64_apt FOLDER SUITE: from here on apt knows the arm64 packages of that release, and no others. Its lists are kept in FOLDER.
arm64_apt() {
    local apt=$1 suite=$2
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
    touch "$apt/status"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $suite main" >"$apt/sources.list"
    cat >"$apt/apt.conf" <<END
APT::Architecture "arm64";
APT::Architectures "arm64";
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Check-Valid-Until "false";
Dir::Etc::SourceList "$apt/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Dir::State "$apt/state";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
END
    export APT_CONFIG=$apt/apt.conf
    apt-get update -qq
}

# arm64_names: of each line "a | b" of standard input the first package that the release has.
arm64_names() {
    awk 'NR == FNR { known[$1] = 1; next } { for (i = 1; i <= NF; i += 2) if ($i in known) { print $i; next } }' <(apt-cache pkgnames) -
}

# arm64_unpack ROOT PACKAGE…: makes ROOT anew from these packages and what they need, unless it has been made from the same ones.
arm64_unpack() {
    local root=$1 apt archives package one made_from
    shift
    apt=$(dirname "$APT_CONFIG")
    archives=$apt/cache/archives
    made_from="$(cat "$apt/sources.list") $*"
    if [ "$made_from" = "$(cat "$root/unpacked" 2>/dev/null)" ]; then return; fi
    rm -rf "$root" "$archives"
    mkdir -p "$root"/usr/{bin,lib,sbin} "$archives/partial"
    for one in bin lib sbin; do ln -s "usr/$one" "$root/$one"; done
    apt-get install -y -qq --download-only "$@" >/dev/null
    for package in "$archives"/*.deb; do arm64_unpack_one "$root" "$package"; done
    rm -rf "$archives"
    echo "$made_from" >"$root/unpacked"
}

# arm64_unpack_one ROOT FILE [OPTION OF tar…]
arm64_unpack_one() {
    dpkg-deb --fsys-tarfile "$2" | tar -x -C "$1" --keep-directory-symlink --no-same-owner \
        --exclude=./usr/share/doc --exclude=./usr/share/locale --exclude=./usr/share/man "${@:3}"
}
