#!/usr/bin/env bash
# HTTP on the loopback: Gannet, AsyncHTTPClient alone, URLSession, curl and aiohttp load the same files from nginx, in one run.
#
#     Benchmarks/peers/http.sh PATH/TO/HTTPBenchmark [RUNS]
#
# Needs nginx, curl, openssl and GNU time; swiftc for URLSession and aiohttp for python3 if they are there. RUNS (default 7) times over, the
# programs take turns, so that what disturbs the machine disturbs all of them. Prints one JSON object a line: the medians of
# each. http_table.py makes the table of Benchmarks/http.md out of them.
set -euo pipefail
program=$(realpath "$1")
runs=${2:-7}
folder=$(mktemp -d)
server=
trap 'if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi; rm -rf "$folder" /tmp/gannet-http-benchmark-*' EXIT
chmod 755 "$folder"
mkdir -p "$folder/www/small" "$folder/www/large"
head -c 40960 /dev/urandom >"$folder/www/small/file"
head -c 512000 /dev/urandom >"$folder/www/large/file"
for ((i = 0; i < 2000; i++)); do ln "$folder/www/small/file" "$folder/www/small/$i"; done
for ((i = 0; i < 200; i++)); do ln "$folder/www/large/file" "$folder/www/large/$i"; done
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$folder/key.pem" -out "$folder/ca.pem" -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>"$folder/openssl.log"
cat >"$folder/nginx.conf" <<CONF
daemon off;
worker_processes 1;
pid $folder/nginx.pid;
error_log $folder/error.log;
events { worker_connections 1024; }
http {
    access_log off;
    sendfile on;
    keepalive_requests 1000000;
    client_body_temp_path $folder/t1; proxy_temp_path $folder/t2; fastcgi_temp_path $folder/t3; uwsgi_temp_path $folder/t4;
    scgi_temp_path $folder/t5;
    server {
        listen 127.0.0.1:18080;
        listen 127.0.0.1:18443 ssl http2;
        ssl_certificate $folder/ca.pem;
        ssl_certificate_key $folder/key.pem;
        root $folder/www;
        add_header Cache-Control "max-age=3600";
    }
}
CONF
nginx -c "$folder/nginx.conf" -p "$folder" &
server=$!
for ((i = 0; i < 50; i++)); do curl -s -o /dev/null http://127.0.0.1:18080/small/0 && break || sleep 0.1; done

# with_curl COUNT AT_ONCE PREFIX [CA]
with_curl() {
    local begin end times=$folder/times
    begin=$(date +%s.%N)
    command time -f '%U %S %M' -o "$times" curl -s -Z --parallel-max "$2" ${4:+--cacert "$4"} -o /dev/null "$3[0-$(($1 - 1))]"
    end=$(date +%s.%N)
    awk -v n="$1" -v c="$2" -v b="$begin" -v e="$end" '{ w = e - b
        printf "{\"program\": \"curl -Z\", \"count\": %d, \"at_once\": %d, \"requests_per_s\": %d, \"cpu_s\": %.3f, \"wall_s\": %.3f, \"peak_mib\": %d}\n",
            n, c, n / w, $1 + $2, w, $3 / 1024 }' <(tail -1 "$times")
}

with_aiohttp() { python3 "$(dirname "$0")/http_aiohttp.py" "$@"; }

urlsession=$folder/urlsession
swiftc -O -swift-version 6 -parse-as-library "$(dirname "$0")/http_urlsession.swift" -o "$urlsession" 2>"$folder/swiftc.log" || urlsession=
# It knows the system's certificates only, and looks for them in one file: over TLS it runs where ours stands in its place,
# which nobody else sees.
with_urlsession() {
    if [ $# -eq 3 ]; then "$urlsession" "$@"; return; fi
    unshare --mount --map-root-user bash -c 'mount --bind "$1" /etc/ssl/certs/ca-certificates.crt && shift && exec "$@"' _ "$4" "$urlsession" "${@:1:3}" || true
}

# Of each program the run in the middle, with the middle of the processor seconds of all its runs.
middle() { python3 -c 'import json,sys
runs = {}
for line in sys.stdin:
    if line.startswith("{"): runs.setdefault((run := json.loads(line))["program"], []).append(run)
for all in runs.values():
    run = sorted(all, key=lambda run: run["requests_per_s"])[len(all) // 2]
    run.update(group="http", case=sys.argv[1], cpu_s=sorted(run["cpu_s"] for run in all)[len(all) // 2])
    print(json.dumps(run))' "$1"; }

# everybody COUNT AT_ONCE PREFIX [CA]
everybody() {
    for ((i = 0; i < runs; i++)); do
        for peer in gannet gannet-manager async-http-client async-http-client-array gannet-disk; do "$program" "$peer" "$@"; done
        with_curl "$@"
        if [ -n "$urlsession" ]; then with_urlsession "$@"; fi
        if python3 -c 'import aiohttp' 2>/dev/null; then with_aiohttp "$@"; fi
    done
}

for secure in plain tls; do
    for size in small:2000 large:200; do
        for at_once in 6 32; do
            name=${size%%:*} count=${size##*:}
            if [ "$secure" = tls ]; then
                everybody "$count" "$at_once" "https://localhost:18443/$name/" "$folder/ca.pem" | middle "TLS, $name, $at_once at once"
            else
                everybody "$count" "$at_once" "http://127.0.0.1:18080/$name/" | middle "HTTP/1.1, $name, $at_once at once"
            fi
        done
    done
done
