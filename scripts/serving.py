"""A `gannet serve` with sources on the loopback, for scripts that try one. Used by openapi.sh, attacks.sh and protocols.sh."""
import http.client, http.server, os, pathlib, re, resource, socket, ssl, struct, subprocess, sys, tempfile, threading, time, zlib


def png(width=64, height=48, color=(200, 120, 40), size=None):
    """One colour. Opaque, 8 bits. `size` is what the header says instead."""
    row = b"\0" + bytes(color) * width
    def chunk(name, data): return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    head = struct.pack(">IIBBBBB", *(size or (width, height)), 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(row * height)) + chunk(b"IEND", b"")


class Source(http.server.BaseHTTPRequestHandler):
    """Any *.png is an image of 64 × 48 pixels; other names are what can be wrong with a source."""
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        name = self.path[1:].split("?")[0]
        if name == "cut": return self.connection.shutdown(socket.SHUT_RDWR)
        if name == "slow": return time.sleep(2)
        if name == "moved": return self.answer(302, b"", [("Location", "/a.png")])
        if name == "busy": return self.answer(503, b"", [("Retry-After", "7")])
        if name == "text": return self.answer(200, b"no image\n", [("Content-Type", "text/plain")])
        if name == "damaged": return self.answer(200, png()[:60], [("Content-Type", "image/png")])
        if name == "huge": return self.answer(200, png(size=(60000, 60000)), [("Content-Type", "image/png")])
        if not name.endswith(".png"): return self.answer(404, b"", [])
        self.answer(200, png(), [("Content-Type", "image/png"), ("ETag", f'"{name}"'), ("Cache-Control", "max-age=3600")])

    def answer(self, status, body, fields):
        self.send_response(status)
        for name, value in [("Content-Length", str(len(body))), *fields]: self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_): pass


class Sources(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler=Source):
        super().__init__(("127.0.0.1", 0), handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, name): return f"http://127.0.0.1:{self.server_port}/{name}"

    # Clients that go away in the middle are what is tried.
    def handle_error(self, *_): pass


class MemoryGroup:
    """A control group with so many bytes of memory, of version 2 or 1. `folder` is None where this system gives none."""

    def __init__(self, limit):
        self.folder = None
        mounts = [line.split()[1:4] for line in pathlib.Path("/proc/mounts").read_text().splitlines()]
        for place, kind, options in mounts:
            place = pathlib.Path(place)
            is_new = kind == "cgroup2" and "memory" in (place / "cgroup.controllers").read_text().split()
            if not is_new and not (kind == "cgroup" and "memory" in options.split(",")): continue
            folder, file = place / f"gannet-{os.getpid()}-{id(self)}", "memory.max" if is_new else "memory.limit_in_bytes"
            try:
                if is_new: (place / "cgroup.subtree_control").write_text("+memory")
                folder.mkdir()
                (folder / file).write_text(str(limit))
                self.folder, self.peak = folder, folder / ("memory.peak" if is_new else "memory.max_usage_in_bytes")
            except OSError: continue
            return

    def enter(self):
        if self.folder: (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def peak_mib(self): return int(self.peak.read_text()) / (1 << 20) if self.folder else None

    def remove(self):
        """When the service's workers are gone too, which end behind it."""
        end = time.monotonic() + 10
        while self.folder:
            try: return self.folder.rmdir()
            except OSError:
                if time.monotonic() > end: raise
            time.sleep(0.1)


class Service:
    """A running `gannet serve` that may fetch from `sources`. `secure`: over TLS; or the files of a certificate's chain and of its key. `memory`: bytes of its
    control group."""

    def __init__(self, gannet, sources, *options, descriptors=None, allow=True, secure=False, memory=None):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.secure = secure
        if secure:
            chain, key = secure if isinstance(secure, tuple) else self.certificate()
            options = [*options, "--tls-certificate", chain, "--tls-key", key]
        self.group = MemoryGroup(memory) if memory else None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        words = [gannet, "serve", *(["--allow", "127.0.0.1"] if allow else []), "--allow-network", "127.0.0.1/32", "--allow-port", sources.server_port, "--port", self.port,
                 "--cache-dir", self.folder / "cache", "--metrics", *options]
        def limit():
            if descriptors: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
            if self.group: self.group.enter()
        self.process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=open(self.folder / "errors.txt", "wb"), preexec_fn=limit)
        end = time.monotonic() + 60
        while True:
            try:
                if self.get("/ready").status == 200: return
            except OSError: pass
            if time.monotonic() > end or self.process.poll() is not None: sys.exit(f"The service does not start: {self.errors()}")
            time.sleep(0.05)

    def certificate(self):
        chain, key = self.folder / "tls.pem", self.folder / "tls.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-keyout", key, "-out", chain], check=True, capture_output=True)
        return chain, key

    def get(self, target, timeout=10, method="GET"):
        """The response, with its `body`. Every call is a connection of its own."""
        if self.secure: connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=timeout, context=ssl._create_unverified_context())
        else: connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, target)
            response = connection.getresponse()
            response.body = response.read()
            return response
        finally: connection.close()

    def memory_mib(self):
        return int(re.search(r"VmRSS:\s*(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[1]) / 1024

    def descriptors(self): return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def errors(self): return (self.folder / "errors.txt").read_text()[-2000:]

    def stop(self):
        """The exit code."""
        self.process.terminate()
        try: code = self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        if self.group: self.group.remove()
        return code
