"""What the programs of scripts/cluster.sh share: a source of images, replicas, and questions to them."""
import collections, http.client, http.server, os, pathlib, random, re, signal, socket, struct, subprocess, sys, tempfile, threading, time, zlib

work = pathlib.Path(tempfile.mkdtemp())
fetched = collections.Counter()
lock = threading.Lock()
started = []


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def colour(number): return bytes([number % 256, number // 256 % 256, number * 37 % 256])


# Sources from here on are noise.
NOISE = 1_000_000


def png(number):
    """64 × 48 pixels in the colour of this number; or noise, of which the result has about the size of a thumbnail."""
    if number < NOISE: rows = (b"\0" + colour(number) * 64) * 48
    else: rows = b"".join(b"\0" + random.Random(number * 48 + row).randbytes(64 * 3) for row in range(48))
    def chunk(name, data): return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    head = struct.pack(">IIBBBBB", 64, 48, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def is_whole(body, number):
    """Whether this is a whole PNG whose first pixel has the colour of the number."""
    if not body.startswith(b"\x89PNG\r\n\x1a\n"): return False
    place, parts = 8, {}
    while place + 12 <= len(body):
        length, name = struct.unpack(">I4s", body[place:place + 8])
        data = body[place + 8:place + 8 + length]
        if body[place + 8 + length:place + 12 + length] != struct.pack(">I", zlib.crc32(name + data)): return False
        parts[name] = parts.get(name, b"") + data
        place += 12 + length
    if place != len(body) or b"IEND" not in parts: return False
    depth, kind = parts[b"IHDR"][8], parts[b"IHDR"][9]
    # The first pixel of the first row is the same with each of PNG's filters.
    first = zlib.decompress(parts[b"IDAT"])[1:5]
    if kind == 3:
        index = first[0] >> (8 - depth)
        return parts[b"PLTE"][index * 3:index * 3 + 3] == colour(number)
    if kind == 0: return depth == 8 and first[:1] * 3 == colour(number)
    return depth == 8 and first[:3] == colour(number)


class Source(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    is_gone = False
    delay = 0
    # Added to each number: another picture of the same source.
    shift = 0

    def do_GET(self):
        number = int(re.findall(r"\d+", self.path)[0])
        if Source.is_gone:
            self.close_connection = True
            return
        with lock: fetched[number] += 1
        time.sleep(Source.delay)
        shift = Source.shift
        body = png(number + shift)
        self.send_response(200)
        for name, value in [("Content-Type", "image/png"), ("Content-Length", len(body)), ("Cache-Control", "max-age=3600"), ("ETag", f'"{number + shift}"'), ("Cache-Tag", f"all, t{number % 10}")]:
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_): pass


class SourceServer(http.server.ThreadingHTTPServer):
    request_queue_size = 256

    # Closed at once: nobody is there.
    def verify_request(self, *_): return not Source.is_gone

    def handle_error(self, *_): pass


source = SourceServer(("127.0.0.1", 0), Source)
threading.Thread(target=source.serve_forever, daemon=True).start()


def start(*command, **options):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=open(work / "errors.txt", "ab"), **options)
    started.append(process)
    return process


def replica(gannet, index, port, *options, **more):
    return start(gannet, "serve", "--allow", "127.0.0.1", "--allow-network", "127.0.0.1/32", "--allow-port", str(source.server_port),
                 "--port", str(port), "--cache-dir", str(work / f"cache{index}"), "--metrics", *options, **more)


def get(port, path, headers={}, timeout=60):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read()
    finally: connection.close()


def until_ready(port, path="/ready"):
    end = time.monotonic() + 60
    while True:
        try:
            if get(port, path)[0] == 200: return
        except (OSError, http.client.HTTPException): pass
        if time.monotonic() > end: sys.exit(f"Nothing answers on port {port}; {(work / 'errors.txt').read_text()[-2000:]}")
        time.sleep(0.05)


def address(number, width): return f"/_/w:{width}/f:png/plain/http://127.0.0.1:{source.server_port}/{number}.png"


def metric(port, line):
    found = re.search(rf"^{re.escape(line)} (\d+)", get(port, "/metrics")[2].decode(), re.M)
    return int(found[1]) if found else 0


def fail(text):
    for name in ("nginx.log", "errors.txt"):
        if (work / name).exists(): print(f"{name}:", (work / name).read_text()[-2000:], sep="\n")
    sys.exit(f"FAILED: {text}")


def end_all(processes):
    """As a system does that is shut down; the replicas must end well."""
    for process in processes: process.terminate()
    codes = [process.wait(timeout=30) for process in processes]
    if any(code not in (0, 130, 143, -15) for code in codes): fail(f"the replicas ended with {codes}")


def kill_all():
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.kill()
