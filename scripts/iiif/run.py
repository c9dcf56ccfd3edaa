#!/usr/bin/env python3
"""Starts a gannet with the validator's own test image as its source, and runs the IIIF validator against it. Used by scripts/iiif.sh.

    run.py GANNET [OPTION OF THE VALIDATOR…]
"""
import http.server, pathlib, re, socket, subprocess, sys, tempfile, threading, time, urllib.request

from iiif_validator.validator import ValidationInfo
from PIL import Image

gannet = sys.argv[1]
known = {
    "size_noup": "it wants 400 for !2000,3000, and version 3.0 wants an image that is no larger than the region (4.2)",
}
folder = pathlib.Path(tempfile.mkdtemp())
(folder / "sources").mkdir()
# Ten squares on a side, whose colours the validator knows.
image = Image.new("RGB", (1000, 1000))
for x, column in enumerate(ValidationInfo().colorInfo):
    for y, color in enumerate(column): image.paste(color, (x * 100, y * 100, x * 100 + 100, y * 100 + 100))
image.save(folder / "sources/test-image.png")


class Source(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *args): super().__init__(*args, directory=str(folder / "sources"))
    def log_message(self, *_): pass


sources = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Source)
threading.Thread(target=sources.serve_forever, daemon=True).start()
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
server = f"127.0.0.1:{port}"
words = [gannet, "serve", "--base-url", f"http://127.0.0.1:{sources.server_port}/", "--allow-network", "127.0.0.1/32", "--allow-port",
         str(sources.server_port), "--port", str(port), "--cache-dir", str(folder / "cache"), "--iiif", f"http://{server}/iiif"]
process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=open(folder / "errors.txt", "wb"))
try:
    end = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(f"http://{server}/ready").close()
            break
        except OSError:
            if process.poll() is not None or time.monotonic() > end: sys.exit(f"The service does not answer: {(folder / 'errors.txt').read_text()}")
            time.sleep(0.1)
    validator = pathlib.Path(sys.executable).with_name("iiif-validate.py")
    options = sys.argv[2:] or ["--level", "2"]
    result = subprocess.run([sys.executable, validator, "-s", server, "-p", "iiif", "-i", "test-image.png", "--version", "3.0", "-v", *options],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
finally:
    process.terminate()
    process.wait()
print(result.stdout)
verdicts = dict(re.findall(r"^\[\d+\] test (\w+) (PASS|FAIL)", result.stdout, re.M))
failed = {name for name, verdict in verdicts.items() if verdict == "FAIL"}
for name in sorted(failed & known.keys()): print(f"{name}: known, {known[name]}")
print(f"{len(verdicts)} tests, {len(failed - known.keys())} failures that are not known")
sys.exit(not verdicts or bool(failed - known.keys()))
