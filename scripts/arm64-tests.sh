#!/usr/bin/env bash
# Gannet's Swift code on 64-bit Arm: compiled for it on an x86-64 Debian that has Swift as a package, and tested there under emulation
# (qemu-user). scripts/elsewhere.sh sid --arch arm64 makes such a Debian and runs this in it.
#
#     scripts/arm64-tests.sh [--traits TRAITS] [--targets "TARGET…"] [ARGUMENT OF THE TESTS…]
#
# Without --traits there are none; --targets builds the tests of these targets alone. ARGUMENTs, for example --filter, choose among the
# tests. Prints how many passed, failed and were skipped. Needs root, for chroot and mounts.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"
. scripts/in-root.sh
. scripts/arm64-packages.sh

traits=(--disable-default-traits) tests=(--build-tests)
while true; do
    case ${1:-} in
    -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit 0 ;;
    --traits) traits=(--disable-default-traits --traits "${2:?needs a value}") && shift 2 ;;
    --targets) export GANNET_TEST_TARGETS=${2:?needs a value} tests=(--product GannetPackageTests) && shift 2 ;;
    *) break ;;
    esac
done
if [ "$(dpkg --print-architecture) $(id -u)" != "amd64 0" ]; then
    echo "This needs Debian on x86-64, and root: sudo scripts/elsewhere.sh sid --arch arm64" >&2
    exit 1
fi

step "Packages" "nothing or up to 5 minutes (700 MB)"
scripts/setup.sh --only --list scripts/cross-packages.txt

build=$PWD/.build-arm64
root=$build/system
mkdir -p "$build"

# The system that the tests see: its packages are unpacked and not installed, so that no program of it runs for that.
step "A Debian for arm64" "nothing or up to 8 minutes (800 MB)"
arm64_apt "$build/apt" "$(apt-get indextargets --format '$(RELEASE)' | head -1)"
mapfile -t packages < <(
    grep -e -dev -e plugin scripts/packages.txt | arm64_names
    apt-cache pkgnames | grep -x 'libstdc++-[0-9]*-dev' | sort -V | tail -1
)
packages+=(base-files bash coreutils dash diffutils findutils grep hostname libc-bin libc6-dev libswiftlang mawk openssl procps sed tar)
arm64_unpack "$root" "${packages[@]}"
# Swift's modules, without the compiler, which would bring 40 more packages.
if [ ! -d "$root/usr/libexec/swift/lib/swift/shims" ]; then
    (cd "$build/apt" && apt-get download -qq swiftlang)
    arm64_unpack_one "$root" "$(ls "$build"/apt/swiftlang_*.deb)" --exclude=./usr/libexec/swift/bin --exclude='*.a'
    rm -f "$build"/apt/swiftlang_*.deb
fi
unset APT_CONFIG
mkdir -p "$root"/{dev,etc,gannet,proc,root,run,sys} && mkdir -p -m 1777 "$root"/{tmp,var/tmp}
for name in passwd group hosts nsswitch.conf; do if [ -f "/etc/$name" ]; then cp "/etc/$name" "$root/etc/"; fi; done

step "Building for arm64, ${traits[*]}" "up to an hour the first time"
# Debian's Swift names this library to the linker, and does not have it. No test needs a symbol of it.
mkdir -p "$build/lacking"
printf '!<arch>\n' >"$build/lacking/lib_Testing_Foundation.a"
swift=$(dirname "$(readlink -f "$(command -v swiftc)")")
cat >"$build/destination.json" <<END
{
  "version": 1,
  "target": "aarch64-unknown-linux-gnu",
  "sdk": "$root",
  "toolchain-bin-dir": "$swift",
  "extra-cc-flags": ["-fPIC"],
  "extra-cpp-flags": [],
  "extra-swiftc-flags": [
    "-sdk", "$root", "-resource-dir", "$root/usr/libexec/swift/lib/swift", "-tools-directory", "$swift", "-use-ld=lld",
    "-Xclang-linker", "--sysroot=$root", "-L", "$build/lacking",
    "-Xfrontend", "-sil-verify-none", "-Xllvm", "-sil-disable-pass=mandatory-arc-opts"
  ]
}
END
# The last four above: Debian builds the compiler with assertions, and Swift 6.2.3 breaks two of them itself: at spans ("Found ownership
# error"), and where it saves retains in a getter with typed errors. -Onone: the shortest build, with C optimised.
flags=("${traits[@]}" --destination "$build/destination.json" --scratch-path "$build/build" -c release -Xswiftc -Onone
    -Xswiftc -enable-testing -debug-info-format none)
export PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
# SwiftPM reads the first, pkg-config the second.
export PKG_CONFIG_PATH=$PKG_CONFIG_LIBDIR
swift build "${tests[@]}" "${flags[@]}"
place=$(swift build "${flags[@]}" --show-bin-path)

# A kernel that knows an emulator for arm64 lets the programs there start each other. It knows it for the whole machine, so it forgets
# it at the end.
handlers=/proc/sys/fs/binfmt_misc
mountpoint -q $handlers || mount -t binfmt_misc binfmt_misc $handlers
forget() { if [ -e $handlers/gannet-arm64 ]; then echo -1 >$handlers/gannet-arm64; fi; }
forget
trap 'code=$?; forget; if [ $code -ne 0 ]; then echo "FAILED${step_name:+ in: $step_name} (exit code $code)" >&2; fi' EXIT
if [ ! -e $handlers/qemu-aarch64 ]; then
    elf='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    printf ':gannet-arm64:M::%s:%s:/usr/bin/qemu-aarch64:POCF' "$elf" "$mask" >$handlers/register
fi

printf '%s\t%s\n' "$PWD" "$PWD" >"$build/shown"
if [ -n "${GANNET_CORPORA:-}" ]; then printf '%s\t%s\n' "$GANNET_CORPORA" "$GANNET_CORPORA" >>"$build/shown"; fi
# there COMMAND…: runs it in the system for arm64, on a processor that exists: libraries find instructions in qemu's own, "max", that it
# then does not carry out.
there() {
    in_root "$root" "$build/shown" env -i -C "$PWD" HOME=/root LANG=C.UTF-8 PATH=/usr/bin:/bin SWIFT_BACKTRACE=enable=no \
        QEMU_CPU=neoverse-n1 LD_LIBRARY_PATH=/usr/libexec/swift/lib/swift/linux GANNET_PATIENCE=3600 RES_OPTIONS="timeout:1 attempts:2" \
        ${GANNET_CORPORA:+GANNET_CORPORA="$GANNET_CORPORA"} "$@"
}

step "Tests" "up to an hour"
there uname -m
log=$build/tests.log
code=0
# qemu-user refuses the filter of system calls, so no worker of the sandbox starts there. scripts/kernels-arm64.sh tests the filter itself.
workers='GannetSandboxTests\.(ConfinedTests|ConfinementTests|FaultTests|ManagerTests|OriginTests|SamePixelsTests|SizesTests)'
# A processor that is emulated, and perhaps shared, does less than one: tests one after the other.
there "$place/GannetPackageTests.xctest" --testing-library swift-testing --no-parallel --skip "$workers" "$@" 2>&1 | tee "$log" || code=$?

step "What was tried" "nothing"
scripts/test-counts.awk "$log"
if [ $code -ne 0 ]; then exit 1; fi
finish "Gannet runs on arm64."
