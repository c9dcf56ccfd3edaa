#!/usr/bin/env bash
# The C code for 64-bit Arm, built and run on an x86-64 machine under emulation (qemu-user).
#
# Kernels: the vectors of Tests/CKernels run in plain C and with every set of instructions, on both architectures, then under the address
# and undefined-behaviour sanitizers, and on x86-64 under the thread sanitizer: hundreds of small JPEG files are decoded by two to four threads.
# Every build must produce the digests of Tests/CKernels/expected.txt, bit for bit.
# Filter: the rules for the system calls of a sandboxed worker are made on both, and carried out by Tests/CFilter as the kernel would.
# Shims: every trait is compiled against Debian's arm64 libraries, unpacked into .build-arm64. The checks of Tests/CShims run on both.
#
#     scripts/kernels-arm64.sh [--accept]
#
# --accept rewrites expected.txt from plain C on x86-64: for new vectors, and for results that change on purpose.
# About 3 minutes the first time (250 MB of packages), 2 then.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"
. scripts/arm64-packages.sh

if [ "$(uname -m)" != x86_64 ]; then
    echo "This script compares x86-64 with an emulated Arm, and runs on x86-64 alone." >&2
    exit 1
fi

step "Packages" "nothing or up to 2 minutes"
scripts/setup.sh gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static pkg-config

build=$PWD/.build-arm64
mkdir -p "$build"
# The compiler that Swift packages are built with.
clang="$(dirname "$(readlink -f "$(command -v swift)")")/clang"
if [ ! -x "$clang" ]; then clang=clang; fi
emulated=(qemu-aarch64-static -L /usr/aarch64-linux-gnu)

warnings=(-g -Wall -Wextra -Werror)
# GCC has no pragma for contraction, and contracts by default.
gcc_arm64=(aarch64-linux-gnu-gcc -ffp-contract=off -Wno-unknown-pragmas "${warnings[@]}")
clang_arm64=("$clang" --target=aarch64-linux-gnu "${warnings[@]}")
clang_x86=("$clang" "${warnings[@]}")
# The thread sanitizer of Swift's compiler knows Dispatch, and wants it.
threads=(-O1 -fsanitize=thread -Wl,--no-export-dynamic)
runtime="$(dirname "$clang")/../lib/swift/linux"
if [ -d "$runtime" ]; then threads+=(-L"$runtime" -Wl,-rpath,"$runtime" -ldispatch -lBlocksRuntime); fi
sanitized=(-O1 -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all)
# Under emulation a process cannot look for leaks.
export ASAN_OPTIONS=detect_leaks=0

# --- Kernels

expected=Tests/CKernels/expected.txt

# Small files of JPEG have several threads too.
compile_kernels() { # PROGRAM COMPILER…
    "${@:2}" -DGANNET_JPEG_EAGER -ISources/CGannetKernels/include Sources/CGannetKernels/*.c Tests/CKernels/*.c -Wl,--wrap=pthread_create -o "$build/$1" -lm
}

wrong=0
vectors_in() { awk '{ n += $2 } END { print n + 0 }' "$1"; }

# Runs the vectors and prints how many passed. Names the first ones that failed.
run_kernels() { # TITLE COMMAND…
    local title=$1 out="$build/vectors.txt" total missed=0 group
    shift
    "$@" >"$out" || wrong=1
    total=$(vectors_in "$expected")
    if ! cmp -s "$out" "$expected"; then
        while read -r group; do
            "$@" "$group" >"$build/these.txt" 2>/dev/null || true
            "$build/plain-x86" "$group" >"$build/those.txt" 2>/dev/null || true
            diff "$build/those.txt" "$build/these.txt" | grep '^<' >"$build/differ.txt" || true
            # Plain C fails too: every vector of the group counts as failed.
            if [ ! -s "$build/differ.txt" ]; then awk -v g="$group" '$1 == g { for (i = 0; i < $2; i++) print "< " g }' "$expected" >"$build/differ.txt"; fi
            missed=$((missed + $(wc -l <"$build/differ.txt")))
            echo "  $group: $(head -3 "$build/differ.txt" | cut -d ' ' -f 2,3 | tr '\n' ',') …" >&2
        done < <(diff "$expected" "$out" | awk '/^[<>]/ { print $2 }' | sort -u)
        wrong=1
    fi
    echo "$title: $total vectors, $((total - missed)) passed"
}

step "Kernels, built" "half a minute"
compile_kernels plain-x86 "${clang_x86[@]}" -O2 -DGANNET_PLAIN
if [ "${1:-}" = --accept ]; then "$build/plain-x86" >"$expected"; fi
compile_kernels vectors-x86 "${clang_x86[@]}" -O2
compile_kernels plain-arm64 "${gcc_arm64[@]}" -O2 -DGANNET_PLAIN
compile_kernels gcc-arm64 "${gcc_arm64[@]}" -O2
compile_kernels clang-arm64 "${clang_arm64[@]}" -O2
compile_kernels sanitized-arm64 "${gcc_arm64[@]}" "${sanitized[@]}"
# The toolchain's linker warns of each function of the sanitizer.
compile_kernels sanitized-x86 "${clang_x86[@]}" "${sanitized[@]}" -Wl,--no-export-dynamic 2>&1 | grep -v 'Cannot export local symbol' || true
compile_kernels threads-x86 "${clang_x86[@]}" "${threads[@]}" 2>&1 | grep -v 'Cannot export local symbol' || true

step "Kernels, run" "1 minute"
run_kernels "x86-64, plain C" "$build/plain-x86"
# Emulated processors that lack newer instructions select the other run-time paths.
run_kernels "x86-64, SSE2" qemu-x86_64-static -cpu qemu64 "$build/vectors-x86"
run_kernels "x86-64, SSE4.1" qemu-x86_64-static -cpu Nehalem "$build/vectors-x86"
if grep -q -w avx2 /proc/cpuinfo; then
    run_kernels "x86-64, AVX2 and AVX-512 where it is" "$build/vectors-x86"
else
    run_kernels "x86-64, AVX2" qemu-x86_64-static -cpu max "$build/vectors-x86"
fi
grep -q -w avx512_vnni /proc/cpuinfo || echo "x86-64, AVX-512: not on this processor"
run_kernels "x86-64, sanitizers" "$build/sanitized-x86"
run_kernels "x86-64, thread sanitizer" "$build/threads-x86"
run_kernels "arm64, plain C" "${emulated[@]}" "$build/plain-arm64"
run_kernels "arm64, NEON, GCC" "${emulated[@]}" "$build/gcc-arm64"
run_kernels "arm64, NEON, Clang" "${emulated[@]}" "$build/clang-arm64"
run_kernels "arm64, sanitizers" "${emulated[@]}" "$build/sanitized-arm64"

# Runs checks that print how many passed.
run_checks() { # TITLE COMMAND…
    local title=$1 said
    shift
    said=$("$@") || wrong=1
    echo "$title: $said"
}

# --- Filter

compile_filter() { # PROGRAM COMPILER…
    "${@:2}" -O2 -ISources/CGannetSandbox -ISources/CGannetSandbox/include -Wl,--wrap=syscall \
        Sources/CGannetSandbox/filter.c Tests/CFilter/*.c -o "$build/$1"
}

step "Filter" "seconds"
compile_filter filter-x86 "${clang_x86[@]}"
compile_filter filter-arm64 "${gcc_arm64[@]}"
run_checks "x86-64" "$build/filter-x86"
run_checks "arm64" "${emulated[@]}" "$build/filter-arm64"

# --- Shims

# The arm64 packages of all traits' libraries, from this release of Debian: unpacked, not installed.
sysroot=$build/sysroot
unpack_sysroot() {
    local suite packages
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    arm64_apt "$build/apt" "$suite"
    mapfile -t packages < <(grep -e '-dev' scripts/packages.txt | arm64_names)
    arm64_unpack "$sysroot" libc6-dev "${packages[@]}"
    unset APT_CONFIG
}

libraries=(libjpeg libwebp libavif libheif libjxl_threads libjxl libtiff-4 libopenjp2 libraw_r rlottie librsvg-2.0 libavformat libavcodec libavutil libswscale lcms2 gtk4 zlib)

compile_shims() { # PROGRAM COMPILER…
    local defines flags libs
    mapfile -t defines < <(grep -o 'WITH_[A-Z0-9]*' -h Sources/CGannetShims/*.c | sort -u | sed 's/^/-D/')
    # No warnings from other projects' headers.
    read -r -a flags < <(pkg-config --cflags "${libraries[@]}" | sed 's/-I/-isystem /g')
    # LibRaw's flag is for programs that use OpenMP themselves; the libraries of C++ bring its own, which Arm's GCC has not.
    read -r -a libs < <(pkg-config --libs "${libraries[@]}" | sed 's/-fopenmp//; s/-lstdc++//g')
    "${@:2}" -O2 "${defines[@]}" -ISources/CGannetShims/include -ISources/CGannetKernels/include "${flags[@]}" \
        Sources/CGannetShims/*.c Sources/CGannetKernels/*.c Tests/CShims/*.c -o "$build/$1" "${libs[@]}" -lm
}

step "Arm's libraries" "1 minute the first time"
unpack_sysroot

step "Shims" "half a minute"
compile_shims shims-x86 "${clang_x86[@]}"
run_checks "x86-64, Clang" "$build/shims-x86"
export PKG_CONFIG_SYSROOT_DIR=$sysroot
export PKG_CONFIG_LIBDIR=$sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:$sysroot/usr/share/pkgconfig
compile_shims shims-gcc-arm64 "${gcc_arm64[@]}" --sysroot="$sysroot"
run_checks "arm64, GCC" qemu-aarch64-static -L "$sysroot" "$build/shims-gcc-arm64"
compile_shims shims-clang-arm64 "${clang_arm64[@]}" --sysroot="$sysroot" -fuse-ld=lld
run_checks "arm64, Clang" qemu-aarch64-static -L "$sysroot" "$build/shims-clang-arm64"

if [ $wrong -ne 0 ]; then
    echo "Kernels, filter or shims differ between processors, or break a rule: see above." >&2
    exit 1
fi
finish "The C code does the same on x86-64 and on arm64."
