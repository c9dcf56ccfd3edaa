# Sourced by the scripts that count allocations: builds RequestBenchmark and the library that counts, and runs programs with it.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

request_benchmark=.build-benchmarks/release/RequestBenchmark

build_request_benchmark() {
    swift build -c release --package-path Benchmarks --scratch-path .build-benchmarks ${GUARD_TRAITS:+--traits "$GUARD_TRAITS"} --product RequestBenchmark
}

# counting PROGRAM [ARGUMENT…]: with every call of the allocator counted.
counting() {
    local library=$PWD/.build-benchmarks/count_allocations.so
    cc -O2 -shared -fPIC Benchmarks/peers/count_allocations.c -o "$library"
    LD_PRELOAD="$library" "$@"
}
