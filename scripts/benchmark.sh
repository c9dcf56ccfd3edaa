#!/usr/bin/env bash
# Measures everything against its peers, in one run, and writes Benchmarks/RESULTS.md, Benchmarks/transforms.md, the plots, and the pages of its parts.
#
#     scripts/benchmark.sh [--photos DIR] [--count N] [--quick] [PART…]      parts: commands transforms requests pipeline http service …; all but million without any
#
# The photographs are any folder of JPEG, PNG and WebP files: --photos, GANNET_PHOTOS, or GANNET_CORPORA/photos; the part service alone
# takes those of scripts/demo.sh if there is none. GANNET=PROGRAM is the gannet of the part service instead of one that is built. The
# first run installs the peers (Python packages into .venv-benchmarks) and builds for about 8 minutes; a full run takes
# about 30 minutes on 2 cores, --quick about 10. Keep the machine idle.
. "$(dirname "${BASH_SOURCE[0]}")/counting.sh"

photos="${GANNET_PHOTOS:-${GANNET_CORPORA:+$GANNET_CORPORA/photos}}"
count=500
quick=()
parts=()
while [ $# -gt 0 ]; do
    case $1 in
    --photos) photos=$2; shift 2 ;;
    --count) count=$2; shift 2 ;;
    --quick) quick=(--quick); count=100; shift ;;
    *) parts+=("$1"); shift ;;
    esac
done
if [ "${parts[*]}" = service ] && [ ! -d "$photos" ]; then
    scripts/setup.sh --list scripts/demo-packages.txt
    photos="$PWD/.build-benchmarks/demo-pictures"
    mkdir -p "$photos"
    grep -v '^#' scripts/demo-pictures.txt | xargs -d '\n' ln -sft "$photos"
fi
[ -d "$photos" ] || { echo "Name a folder of photographs: --photos DIR, or GANNET_PHOTOS." >&2; exit 1; }
wants() { [ ${#parts[@]} -eq 0 ] || [[ " ${parts[*]} " == *" $1 "* ]]; }

step "Peers" "nothing or up to 5 minutes"
scripts/setup.sh python3-venv libsqlite3-dev libgif-dev imagemagick
# Without pip it is the half of one that could not be made.
if [ ! -x .venv-benchmarks/bin/pip ]; then python3 -m venv --clear .venv-benchmarks; fi
python="$PWD/.venv-benchmarks/bin/python"
# pyvips would be built for the system's libvips where that has its headers, instead of using the newer one that comes with it.
PKG_CONFIG=/bin/false "$python" -m pip install -q --no-cache-dir -r Benchmarks/peers-requirements.txt

if [ "${parts[*]}" != service ]; then
    step "Building the benchmarks" "8 minutes the first time"
    swift build -c release --package-path Benchmarks --scratch-path .build-benchmarks --traits HTTP,Peers,AllFormats
fi
programs="$PWD/.build-benchmarks/release"

results="$PWD/.build-benchmarks/results"
mkdir -p "$results"
# The largest photograph: 12 megapixels need not be made up.
photo="$(find "$photos" -name '*.jpg' -printf '%s %p\n' | sort -rn | head -1 | cut -d' ' -f2-)"

if wants commands; then
    step "Whole processes and the demo" "2 minutes; the command is built in 5 the first time"
    scripts/setup.sh libvips-tools
    swift build -c release --traits "$command_traits" --product gannet
    command="$(swift build -c release --show-bin-path)/gannet"
    "$python" Benchmarks/peers/commands.py "$command" "$photo" "$photos" >"$results/commands.jsonl"
fi

if wants sizes; then
    step "Six widths of each photograph at once" "1 minute"
    jpegs="$PWD/.build-benchmarks/sizes"
    mkdir -p "$jpegs"
    find "$photos" -name '*.jpg' -printf '%s %p\n' | sort -rn | head -16 | cut -d' ' -f2- | xargs -d '\n' ln -sft "$jpegs"
    "$programs/SizesBenchmark" "$jpegs" 16
fi

if wants quality; then
    step "Quality of thumbnails at equal bytes" "10 minutes; the command is built in 5 the first time"
    swift build -c release --traits "$command_traits" --product gannet
    command="$(swift build -c release --show-bin-path)/gannet"
    "$python" Benchmarks/peers/quality.py "$photos" --gannet "$command" --option=--linear-light --page Benchmarks/quality.md \
        --commit "$(git rev-parse --short=8 HEAD)" >"$results/quality.jsonl"
fi

if wants transforms; then
    step "Transformers" "2 minutes"
    "$python" Benchmarks/peers/transforms.py "$photo" --program "$programs/TransformBenchmark" >"$results/transforms.jsonl"
    mapfile -t three < <(find "$photos" -name '*.jpg' -printf '%s %p\n' | sort -rn | head -3 | cut -d' ' -f2-)
    "$python" Benchmarks/peers/transforms.py "${three[@]}" --program "$programs/TransformBenchmark" --quality >"$results/transform-quality.jsonl"
fi

if wants sandbox; then
    step "Decoding in the sandbox beside decoding in the process" "3 minutes"
    "$programs/SandboxBenchmark" "$photo" >.build-benchmarks/sandbox.jsonl
fi

# Benchmarks without peers in Python print their lines themselves.
for program in Request; do
    part="${program,,}s"
    if wants "$part" && [ -x "$programs/${program}Benchmark" ]; then
        step "${program}Benchmark" "5 minutes"
        counting "$programs/${program}Benchmark" --json --all >"$results/$part.jsonl"
    fi
done

if wants codecs; then
    step "Decoding" "15 minutes, --quick 5"
    runs=9
    if [ ${#quick[@]} -gt 0 ]; then runs=3; fi
    "$python" Benchmarks/peers/codecs.py --photo "$photo" --program "$programs/CodecBenchmark" --runs $runs \
        --table Benchmarks/codecs.md --commit "$(git rev-parse --short=8 HEAD)" >"$results/codecs.jsonl"
fi

if wants caches; then
    step "Caches" "5 minutes"
    "$programs/CacheBenchmark" "$PWD/.build-benchmarks/caches" >"$results/caches.jsonl"
    step "Caches in Python" "1 minute"
    "$python" Benchmarks/peers/caches.py "$PWD/.build-benchmarks/caches" >>"$results/caches.jsonl"
    "$python" Benchmarks/peers/caches.py "$PWD/.build-benchmarks/caches" --sync >>"$results/caches.jsonl"
fi

# A million files: only when asked for by name.
if [[ " ${parts[*]} " == *" million "* ]]; then
    step "A cache of a million entries" "10 minutes"
    "$programs/CacheBenchmark" "$PWD/.build-benchmarks/caches" million >"$results/caches-million.jsonl"
fi

if wants pipeline; then
    step "The whole way" "20 minutes, --quick 3"
    scripts/setup.sh nginx-light python3-gi gir1.2-soup-3.0 gir1.2-gdkpixbuf-2.0
    work="$PWD/.build-benchmarks/work"
    "$python" Benchmarks/peers/pipeline.py "$photos" "$work" --program "$programs/PipelineBenchmark" --count "$count" "${quick[@]}" \
        >"$results/pipeline.jsonl"
fi

if wants playback; then
    step "Animations and scrolling in a window" "6 minutes, and 10 for building the first time"
    scripts/setup.sh libgtk-4-dev xvfb xauth
    PYTHON="$python" SCRATCH="$PWD/.build-playback" Benchmarks/Playback/run.sh 10 >"$results/playback.jsonl"
fi

if wants http; then
    step "HTTP alone" "5 minutes"
    scripts/setup.sh nginx-light curl openssl time
    PATH="$(dirname "$python"):$PATH" Benchmarks/peers/http.sh "$programs/HTTPBenchmark" | tee .build-benchmarks/http.jsonl
    "$python" Benchmarks/peers/http_table.py .build-benchmarks/http.jsonl Benchmarks/http.md
fi

if wants service; then
    step "Thumbnail services" "36 minutes, --quick 5; the command is built in 5 the first time"
    scripts/setup.sh --list Benchmarks/service-packages.txt
    # Needs other versions of packages than the other peers.
    if ! cmp -s Benchmarks/thumbor-requirements.txt .venv-thumbor/requirements.txt; then
        python3 -m venv --clear .venv-thumbor
        .venv-thumbor/bin/pip install -q -r Benchmarks/thumbor-requirements.txt
        cp Benchmarks/thumbor-requirements.txt .venv-thumbor/requirements.txt
    fi
    if [ -z "${GANNET:-}" ]; then
        swift build -c release --traits "$command_traits,AVIF" --product gannet
        GANNET="$(swift build -c release --show-bin-path)/gannet"
    fi
    mkdir -p .build-benchmarks/work
    "$python" Benchmarks/peers/service_formats.py "$photos" .build-benchmarks/work --gannet "$(realpath "$GANNET")" \
        --thumbor "$PWD/.venv-thumbor/bin/thumbor" --table Benchmarks/service.md "${quick[@]}" | tee .build-benchmarks/service-formats.jsonl
    "$python" Benchmarks/peers/service_srcset.py "$photos" .build-benchmarks/work --gannet "$(realpath "$GANNET")" \
        --thumbor "$PWD/.venv-thumbor/bin/thumbor" --table Benchmarks/service.md "${quick[@]}" | tee .build-benchmarks/service-srcset.jsonl
    "$python" Benchmarks/peers/service.py "$photos" .build-benchmarks/work --gannet "$(realpath "$GANNET")" --thumbor "$PWD/.venv-thumbor/bin/thumbor" \
        --table Benchmarks/service.md "${quick[@]}" | tee .build-benchmarks/service.jsonl
fi

message="Done: ${parts[*]}."
# The other parts have pages of their own.
if compgen -G "$results/*.jsonl" >/dev/null; then
    step "RESULTS.md" "seconds"
    "$python" Benchmarks/report.py "$results"
    message="Benchmarks/RESULTS.md is new; the lines it is made of are in $results."
fi
scripts/wrap.py Benchmarks/*.md Documentation/internals/TransformAgreement.md
finish "$message"
