#!/usr/bin/env bash
# Builds a container image of `gannet serve`, called gannet, with podman, docker or buildah: deploy/Containerfile on the Debian package of
# scripts/deb.sh.
#
#     scripts/container.sh [--deb FILE] [--check]
#
# --deb takes this package instead of making one. --check needs root, and no registry: it makes Debian with debootstrap, builds the image on it
# with buildah, starts the service in it, and asks for a thumbnail. A minute; 6 more to build the package, and 3 for debootstrap.
deb= check=0
while [ $# -gt 0 ]; do
    case $1 in
    --deb) deb=$(realpath "${2:?--deb needs a file.}") && shift 2 ;;
    --check) check=1 && shift ;;
    *)
        sed -n '2,9s/^# \{0,1\}//p' "$0"
        case $1 in -h | --help) exit 0 ;; *) exit 64 ;; esac
        ;;
    esac
done
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

builder=buildah
if [ $check = 0 ]; then
    for name in podman docker buildah; do if command -v $name >/dev/null; then builder=$name && break; fi; done
fi
step "Packages" "nothing or a minute"
if ! command -v $builder >/dev/null || [ $check = 1 ]; then scripts/setup.sh buildah debootstrap curl python3; fi

context=$(mktemp -d)
trap 'code=$?; rm -rf "$context"; if [ -n "${service:-}" ]; then kill "$service" 2>/dev/null; fi; if [ $code -ne 0 ]; then echo "FAILED${step_name:+ in: $step_name} (exit code $code)" >&2; fi' EXIT
if [ -z "$deb" ]; then
    scripts/deb.sh --out "$context/made"
    deb=$(echo "$context"/made/*.deb)
fi
cp "$deb" "$context/gannet.deb"

if [ $check = 0 ]; then
    step "The image" "a minute"
    if [ $builder = buildah ]; then build=(buildah build); else build=("$builder" build); fi
    "${build[@]}" -t gannet -f deploy/Containerfile "$context"
    finish "The image: gannet. Run it with -p 8080:8080 -e GANNET_SERVE_ALLOW=images.example.org"
    exit 0
fi

suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
root=$PWD/.build-elsewhere/base-$suite
step "Debian $suite as a base" "3 minutes the first time"
if [ ! -d "$root" ]; then
    rm -rf "$root.new"
    mkdir -p "$(dirname "$root")"
    debootstrap --variant=minbase "$suite" "$root.new" >/dev/null
    mv "$root.new" "$root"
fi
# Nothing is kept outside of this checkout.
store=(buildah --storage-driver vfs --root "$PWD/.build-elsewhere/images" --runroot "$context/run")
base=$("${store[@]}" from scratch)
"${store[@]}" add -q "$base" "$root" / >/dev/null
"${store[@]}" commit -q --rm "$base" localhost/debian >/dev/null

step "The image" "a minute"
# The base system may have proxies and mirrors of its own.
"${store[@]}" build --isolation chroot --pull-never --build-arg BASE=localhost/debian -q -t gannet -f deploy/Containerfile "$context"

step "A thumbnail from the container" "seconds"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
container=$("${store[@]}" from --pull-never localhost/gannet)
"${store[@]}" config --env GANNET_SERVE_PORT="$port" --env GANNET_SERVE_ALLOW=127.0.0.1 --env GANNET_SERVE_ALLOW_NETWORK=127.0.0.0/8 \
    --env GANNET_SERVE_ALLOW_PORT="$((port + 1))" "$container"
mkdir "$context/source"
cp Documentation/pictures/markers.png "$context/source/a.png"
python3 -m http.server --bind 127.0.0.1 --directory "$context/source" "$((port + 1))" >/dev/null 2>&1 &
source_server=$!
"${store[@]}" run --isolation chroot "$container" -- /usr/bin/gannet serve >"$context/out" 2>"$context/errors" &
service=$!
for _ in $(seq 100); do
    if curl -sf "http://127.0.0.1:$port/ready" >/dev/null; then break; fi
    sleep 0.1
done
curl -sf -o "$context/thumbnail" -w '%{http_code} %{content_type} %{size_download} bytes\n' \
    "http://127.0.0.1:$port/_/rs:fit:60:60/f:jpeg/plain/http://127.0.0.1:$((port + 1))/a.png" || { cat "$context/errors" >&2 && exit 1; }
head -c 2 "$context/thumbnail" | cmp - <(printf '\xff\xd8')
kill $service $source_server
wait $service 2>/dev/null || true
service=
"${store[@]}" rm "$container" >/dev/null
finish "The image works: a thumbnail came from it."
