#!/usr/bin/env bash
# Installs a Swift toolchain of swift.org on a Debian that has none, as a fresh container: below /opt/swift, with links in
# /usr/local/bin. Its signature is checked. Needs root; x86-64 and arm64. Where `swift` is there already, nothing happens.
#
#     scripts/toolchain.sh [VERSION]      default: 6.3.1
#
# The toolchain is that for Debian 12, on Debian 13 too, for which there is none of 6.3; scripts/toolchain-packages.txt has what it
# needs on either. About 2 minutes, and 3 GB.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

version=${1:-6.3.1}
case $version in
-*)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    case $version in -h | --help) exit 0 ;; *) exit 64 ;; esac
    ;;
esac
if command -v swift >/dev/null; then
    swift --version 2>&1 | head -1
    exit 0
fi

case $(dpkg --print-architecture) in
amd64) system=debian12 ;;
arm64) system=debian12-aarch64 ;;
*) echo "swift.org has no toolchain for $(dpkg --print-architecture)." >&2 && exit 1 ;;
esac
name=swift-$version-RELEASE
address=https://download.swift.org/swift-$version-release/$system/$name/$name-$system.tar.gz

step "Tools to fetch it" "a minute"
if ! { command -v curl && command -v gpg && command -v tar; } >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ca-certificates curl gnupg tar >/dev/null
fi

step "Swift $version" "2 minutes"
folder=$(mktemp -d)
trap 'code=$?; rm -rf "$folder"; if [ $code -ne 0 ]; then echo "FAILED${step_name:+ in: $step_name} (exit code $code)" >&2; fi' EXIT
export GNUPGHOME=$folder/keys
mkdir -m 700 "$GNUPGHOME"
fetch() { curl --fail --silent --show-error --location --retry 3 --output "$folder/$2" "$1"; }
fetch https://www.swift.org/keys/all-keys.asc keys.asc
fetch "$address.sig" archive.sig
fetch "$address" archive
gpg --batch --quiet --import "$folder/keys.asc"
# The key that signs the releases of Swift 6. Any other one of that file would be a surprise.
signed=$(gpg --batch --status-fd 1 --verify "$folder/archive.sig" "$folder/archive" 2>/dev/null | awk '$2 == "VALIDSIG" {print $NF}')
if [ "$signed" != 52BB7E3DE28A71BE22EC05FFEF80A866B47A981F ]; then
    echo "The signature of $address is not that of Swift's releases${signed:+, but of $signed}." >&2
    exit 1
fi
mkdir -p /opt/swift
tar -xzf "$folder/archive" -C /opt/swift --strip-components=1
for tool in /opt/swift/usr/bin/swift* /opt/swift/usr/bin/docc /opt/swift/usr/bin/clang /opt/swift/usr/bin/clang++; do
    ln -sf "$tool" "/usr/local/bin/$(basename "$tool")"
done

step "What it needs" "a minute"
scripts/setup.sh --command --list scripts/toolchain-packages.txt
swift --version 2>&1 | head -1
finish "Swift is in /opt/swift."
