#!/usr/bin/env bash
# The long checks, for before a release: each trait alone with its tests, the library without any, 10,000 seeded schedules of a manager,
# the thread sanitizer over everything below HTTP, all tests in an optimised build, the tiles of the contact sheet against vipsthumbnail's, the fuzzers for a short while,
# changes of the load plan, mutants of small files (with GANNET_CORPORA), decompression bombs and memory against what is reserved, broken decoders in the sandbox, fault loops, the C code on an
# emulated arm64, and the Swift code there, batches of 100,000 images, replicas of the service behind nginx and Varnish, the service in little memory, its container, the service beside its description, before programs of others that test protocols, and under attack, the viewer as a screen reader reads it, thumbnails in a file manager, the functions of a load, the examples, the adapters of other toolkits and the benchmarks' own build. Ends with scripts/test.sh, here and on the other of Debian 12 and 13.
#
#     scripts/check-all.sh [STEP…]
#
# The steps are traits, schedules, tsan, release, tiles, fuzz, plan, mutants, bombs, sandbox, faults, arm64, batches, cluster, memory, container, openapi, iiif, protocols, traces, attacks, accessibility, desktop, examples, adapters, docs, guard, map, tests and elsewhere; without arguments all run.
#
# About four hours on 2 cores from nothing.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"
# A task may wait minutes for a processor among hundreds of tests that decode.
export GANNET_PATIENCE=600

steps=("$@")
if [ ${#steps[@]} -eq 0 ]; then steps=(traits schedules tsan release tiles fuzz plan mutants bombs sandbox faults arm64 batches cluster memory container openapi iiif protocols traces attacks accessibility desktop examples adapters docs guard map tests elsewhere); fi
wants() {
    local one
    for one in "${steps[@]}"; do if [ "$one" = "$1" ]; then return 0; fi; done
    return 1
}

step "Packages" "nothing or up to 5 minutes"
scripts/setup.sh

codecs="JPEG,PNG,GIF,WebP,AVIF,HEIC,JXL,TIFF,SVG,JP2,RAW,Lottie,PDF,BMP,ICO,QOI,PNM,Radiance,PFM,ColorManagement"

# These share ports, files and processes of the machine.
network='GannetHTTPTests|GannetCommandTests|GannetServerTests|CacheConformanceTests'

if wants traits; then
    step "Without any trait" "2 minutes"
    plain=(--disable-default-traits --scratch-path .build-plain)
    swift build --build-tests "${plain[@]}" --explicit-target-dependency-import-check error
    swift test --skip-build "${plain[@]}"
    for trait in ${codecs//,/ } Video Metrics Links CommandLine Redis GTK; do
        step "Only $trait" "2 minutes"
        swift build --build-tests "${plain[@]}" --traits "$trait"
        xvfb-run -a swift test --skip-build "${plain[@]}" --traits "$trait"
    done
    step "Only HTTP" "about 4 minutes the first time"
    http=(--disable-default-traits --traits HTTP --scratch-path .build-http)
    swift build --build-tests "${http[@]}"
    swift test --skip-build "${http[@]}" --no-parallel --filter "$network"
    swift test --skip-build "${http[@]}" --skip "$network"
    for traits in Server CommandLine,HTTP CommandLine,Server; do
        step "Only $traits" "2 minutes"
        server=(--disable-default-traits --traits "$traits" --scratch-path .build-http)
        swift build --build-tests "${server[@]}"
        swift test --skip-build "${server[@]}" --no-parallel --filter 'GannetCommandTests|GannetServerTests'
    done
fi

if wants schedules; then
    step "10,000 seeded schedules, and 2,000 over a folder" "5 minutes the first time"
    GANNET_SCHEDULES=10000 swift test --disable-default-traits --scratch-path .build-plain --filter SeededScheduleTests
fi

if wants tsan; then
    step "Thread sanitizer over everything below HTTP" "about 5 minutes"
    TSAN_OPTIONS="suppressions=$PWD/scripts/tsan.supp exitcode=66${TSAN_OPTIONS:+ $TSAN_OPTIONS}" \
        swift test --sanitize=thread --disable-default-traits --traits "JPEG,PNG,GIF,WebP,BMP,ICO,QOI,PNM,Radiance,PFM,ColorManagement" \
        --scratch-path .build-tsan -Xswiftc -DSANITIZE_THREAD --skip PixelPool --skip 'Memory of pixels'
fi

if wants release; then
    step "All tests, optimised" "about 25 minutes the first time"
    # The larger files of the corpora are judged by these where the table's decoders disagree.
    scripts/setup.sh --list scripts/conformance-packages.txt
    # The optimiser has faults of its own (Documentation/Concurrency.md).
    optimised=(-c release --enable-all-traits -Xswiftc -enable-testing --scratch-path .build-release-tests)
    swift build --build-tests "${optimised[@]}"
    swift test --skip-build "${optimised[@]}" --no-parallel --filter "$network"
    # The corpora's expected answers for SVG assume a reader of English.
    LANGUAGE=en_US xvfb-run -a swift test --skip-build "${optimised[@]}" --skip "$network"
fi

if wants tiles; then
    step "Tiles of the contact sheet against vipsthumbnail's" "5 minutes the first time"
    photos="${GANNET_PHOTOS:-${GANNET_CORPORA:+$GANNET_CORPORA/photos}}"
    if [ -d "$photos" ]; then
        scripts/setup.sh libvips-tools python3
        swift build -c release --traits "$command_traits" --product gannet
        scripts/tiles.py "$(swift build -c release --show-bin-path)/gannet" "$photos"
    else
        echo "Skipped: neither GANNET_PHOTOS nor GANNET_CORPORA names a folder of photographs."
    fi
fi

if wants fuzz && [ -x scripts/fuzz.sh ]; then
    step "Fuzzers" "half a minute each"
    scripts/fuzz.sh --seconds 30
fi

if wants plan; then scripts/plan-mutants.sh; fi

if wants mutants; then scripts/mutants.sh; fi

if wants bombs; then
    step "Bombs, and memory against what is reserved" "8 minutes the first time, 4 then"
    scripts/setup.sh python3
    # The build of scripts/mutants.sh.
    flags=(-c release --scratch-path .build-mutants --disable-default-traits --traits "$codecs,CommandLine")
    for product in gannet gannet-lab; do swift build "${flags[@]}" --product "$product"; done
    lab="$(swift build "${flags[@]}" --show-bin-path)/gannet-lab"
    scripts/memory.py bombs "$lab"
    scripts/memory.py table "$lab"
fi

if wants sandbox; then
    step "A thousand broken decoders beside a thousand sound ones" "2 minutes, and 5 to build the first time"
    # With the address sanitizer in the program and in its workers; a worker dies of its own signal all the same.
    flags=(--disable-default-traits --traits "$codecs" --scratch-path .build-asan --sanitize=address)
    swift build --build-tests "${flags[@]}"
    GANNET_SANDBOX_LOADS=1000 ASAN_OPTIONS="allocator_may_return_null=1:detect_leaks=0:handle_segv=0" swift test --skip-build "${flags[@]}" --filter GannetSandboxTests
    step "The whole corpora in both processes" "3 minutes, and 10 to build the first time"
    # The build of the step release.
    optimised=(-c release --enable-all-traits -Xswiftc -enable-testing --scratch-path .build-release-tests)
    swift build --build-tests "${optimised[@]}"
    swift test --skip-build "${optimised[@]}" --filter SamePixelsTests
    # Damaged files of each format.
    scripts/mutants.sh --sandbox
fi
if wants faults && [ -x scripts/faults.sh ]; then
    step "Fault loops" "minutes"
    scripts/faults.sh
fi

if wants arm64; then
    scripts/kernels-arm64.sh
    step "The Swift code on an emulated arm64" "an hour or more from nothing"
    if [ "$(id -u)" -eq 0 ]; then scripts/elsewhere.sh sid --arch arm64; else echo "Skipped: this needs root."; fi
fi

if wants batches; then
    step "Batches of 100,000 images, processes killed" "about an hour, and 10 minutes to install and build the first time"
    scripts/batches.sh --full
fi

if wants cluster; then
    step "Three replicas of the service, and what they share, killed under load" "9 minutes, and 5 to build the first time"
    scripts/cluster.sh --seconds 60 --chaos --chaos-seconds 300
fi

if wants memory; then
    step "The service in 512 MiB, with twice as much to do as it can" "7 minutes, and 5 to build the first time"
    scripts/memory-promise.sh --seconds 300
fi

if wants container; then
    step "The container of the service" "5 minutes, and 6 to build the first time"
    if [ "$(id -u)" -eq 0 ]; then scripts/container.sh --check; else echo "Skipped: this needs root."; fi
fi

if wants openapi; then
    step "The service beside its OpenAPI description" "1 minute, and 5 to build the first time"
    scripts/openapi.sh
fi

if wants iiif; then
    step "The service before the validator of IIIF" "some seconds, and 5 minutes to build the first time"
    scripts/iiif.sh
fi

if wants protocols; then
    step "The service before h2spec, testssl.sh and Prometheus" "3 minutes, and 5 to build the first time"
    scripts/protocols.sh
fi

if wants traces; then
    step "The traces of the service beside OpenTelemetry's protocol" "seconds, and 5 minutes to build the first time"
    scripts/traces.sh
fi

if wants attacks; then
    step "Attacks on the service" "12 minutes, and 5 to build the first time"
    scripts/attacks.sh
    scripts/attacks.sh --soak 10
fi

if wants accessibility; then
    step "The viewer as a screen reader reads it" "1 minute, and 8 to build the first time"
    scripts/accessibility.sh
fi

if wants desktop; then
    step "Thumbnails in a file manager" "10 minutes the first time"
    scripts/file-manager.sh "$(mktemp --suffix .jpg)"
fi

if wants examples; then
    scripts/setup.sh libsqlite3-dev libshumate-dev
    for package in Examples Examples/* Benchmarks Benchmarks/Playback; do
        if [ -f "$package/Package.swift" ]; then
            step "Building $package" "minutes"
            name="${package,,}"
            # Half of the benchmarks are empty without their traits.
            traits=()
            if [ "$package" = Benchmarks ]; then traits=(--enable-all-traits); fi
            swift build --build-tests --package-path "$package" --scratch-path ".build-${name//\//-}" "${traits[@]}"
            if [ -d "$package/Tests" ]; then
                swift test --skip-build --package-path "$package" --scratch-path ".build-${name//\//-}"
            fi
        fi
    done
fi

if wants adapters; then scripts/adapters.sh; fi

if wants docs; then
    step "Reference and articles, without warnings" "minutes"
    scripts/docs.sh
fi

if wants guard; then scripts/guard.sh; fi

if wants map; then
    step "The functions of a load" "1 minute, and 8 to build the first time"
    scripts/load-map.py --check
fi

if wants tests; then
    step "scripts/test.sh" "about 20 minutes from nothing"
    scripts/test.sh
fi

if wants elsewhere; then
    for suite in bookworm trixie; do
        if grep -q "^VERSION_CODENAME=$suite$" /etc/os-release; then continue; fi
        step "scripts/test.sh on $suite" "about an hour from nothing"
        if [ "$(id -u)" -eq 0 ]; then scripts/elsewhere.sh "$suite"; else echo "Skipped: this needs root."; fi
    done
fi

finish "All long checks passed: ${steps[*]}."
