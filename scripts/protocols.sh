#!/usr/bin/env bash
# Checks a running `gannet serve` with programs of others: HTTP/2 with h2spec, TLS with testssl.sh, and the metrics and the alerts of
# deploy/prometheus-rules.yml with Prometheus. Fails where one finds a fault that is not explained in scripts/protocols, and writes the counts to
# Documentation/conformance/protocols.md.
#
#     [GANNET_H2SPEC=PROGRAM or FOLDER] scripts/protocols.sh
#
# h2spec is no package of Debian: GANNET_H2SPEC names the program, or the folder of its source, which is built with Debian's Go. Without it HTTP/2 is not
# checked. GANNET=PROGRAM uses that gannet instead of building one. 3 minutes, and 10 to install and build the first time.
if [ $# -gt 0 ]; then sed -n '2,11s/^# \{0,1\}//p' "$0" && exit 64; fi
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "Packages" "nothing or 2 minutes"
scripts/setup.sh --command python3 openssl testssl.sh prometheus

h2spec=${GANNET_H2SPEC:-}
if [ -d "$h2spec" ]; then
    step "Building h2spec" "1 minute the first time"
    scripts/setup.sh --only golang-go golang-golang-x-net-dev golang-github-spf13-cobra-dev golang-github-fatih-color-dev
    # Debian's libraries are in a GOPATH of their own, and the source wants to be in one too.
    go_path=$PWD/.build-h2spec
    mkdir -p "$go_path/src/github.com/summerwind"
    ln -sfn "$(realpath "$h2spec")" "$go_path/src/github.com/summerwind/h2spec"
    (cd "$go_path/src/github.com/summerwind/h2spec" &&
        GO111MODULE=off GOPATH=$go_path:/usr/share/gocode GOCACHE=$go_path/cache go build -o "$go_path/h2spec" ./cmd/h2spec)
    h2spec=$go_path/h2spec
fi

if [ -z "${GANNET:-}" ]; then
    step "Building gannet" "5 to 9 minutes the first time"
    swift build -c release --traits "$command_traits" --product gannet
    GANNET=$(swift build -c release --show-bin-path)/gannet
fi

step "The service before the programs of others" "3 minutes"
scripts/protocols/run.py "$(realpath "$GANNET")" Documentation/conformance/protocols.md ${h2spec:+"$(realpath "$h2spec")"}

finish "The service speaks as it should."
