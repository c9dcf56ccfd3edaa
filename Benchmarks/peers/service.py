#!/usr/bin/env python3
"""Thumbnail services beside each other: `gannet serve`, aiohttp with libvips, nginx with image_filter, and thumbor, in one run.

    peers/service.py PHOTOS WORK --gannet PROGRAM [--thumbor PROGRAM] [--table service.md] [--quick]

WORK is a folder for pictures and caches. Needs nginx with its image_filter module, wrk, and aiohttp, gunicorn, pyvips and Pillow in this
Python. In each round every service starts on an empty folder, makes each thumbnail once, and sends them again from memory; then from disk,
after a restart without memory for results. Prints one JSON line (see README.md) for each row of the table, with the medians of the rounds.
"""
import argparse, datetime, json, os, pathlib, platform, queue, re, shutil, signal, subprocess, sys, tempfile, threading, time, urllib.parse
from importlib import metadata
from http.client import HTTPConnection

from PIL import Image

from service_process import Tree, free_port, until

HERE = pathlib.Path(__file__).resolve().parent
SIDE, QUALITY, AT_ONCE = 400, 80, 8
# With nginx's own modules from where Debian puts them; a master that is root would give its files to another user.
HEAD = "daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;" + (" user root;" if os.geteuid() == 0 else "")
TEMPORARY = " ".join(f"{kind}_temp_path {{folder}}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
SOURCES = HEAD + """ worker_processes 1;
events {{ worker_connections 1024; }}
http {{
    access_log off; sendfile on; keepalive_requests 1000000; types {{ image/jpeg jpg; image/png png; image/webp webp; image/avif avif; image/gif gif; }}
    """ + TEMPORARY + """
    server {{ listen 127.0.0.1:{port}; root {pictures}; add_header Cache-Control max-age=86400; }}
}}
"""
# The front keeps what the back makes, because image_filter itself keeps nothing.
FILTER = "load_module modules/ngx_http_image_filter_module.so; " + HEAD + """ worker_processes 2;
events {{ worker_connections 1024; }}
http {{
    access_log off; sendfile on; keepalive_requests 1000000;
    """ + TEMPORARY + """
    proxy_cache_path {folder}/kept levels=1:2 keys_zone=kept:16m max_size=1g inactive=30d use_temp_path=off;
    upstream back {{ server 127.0.0.1:{back}; keepalive 16; }}
    upstream source {{ server 127.0.0.1:{source}; keepalive 16; }}
    proxy_http_version 1.1; proxy_set_header Connection "";
    server {{
        listen 127.0.0.1:{port};
        location / {{ proxy_cache kept; proxy_cache_lock on; proxy_cache_valid 200 1d; proxy_pass http://back; }}
    }}
    server {{
        listen 127.0.0.1:{back};
        image_filter_jpeg_quality {quality}; image_filter_webp_quality {quality}; image_filter_buffer 64m;
        proxy_buffers 16 64k; proxy_buffer_size 64k;
        {locations}
    }}
}}
"""
THUMBOR = """
ALLOW_UNSAFE_URL = True
QUALITY = {quality}
STORAGE = "thumbor.storages.file_storage"
FILE_STORAGE_ROOT_PATH = "{folder}/sources"
RESULT_STORAGE = "thumbor.result_storages.file_storage"
RESULT_STORAGE_FILE_STORAGE_ROOT_PATH = "{folder}/results"
RESULT_STORAGE_STORES_UNSAFE = True
"""


class Service:
    """One server program; `command` is what starts it, and `address` the path of a source's thumbnail in a side. `frugal`: what a start without memory for
    results adds to the command's words, and to its environment."""

    def __init__(self, name, command, address, environment=None, frugal=((), {})):
        self.name, self.command, self.address, self.frugal = name, command, address, frugal
        self.environment = environment or (lambda folder: {})

    def start(self, folder, port, source, memory):
        words, variables = ((), {}) if memory else self.frugal
        words = [*self.command(folder, port, source), *words]
        log = open(folder / "log.txt", "ab")
        process = subprocess.Popen([str(word) for word in words], stdout=log, stderr=log, env=os.environ | self.environment(folder) | variables)
        until(lambda: HTTPConnection("127.0.0.1", port, timeout=5).connect() is None, process, folder / "log.txt")
        return Tree(process)


def services(options, sides=(SIDE,), quality=QUALITY, source_type="jpg", result="jpeg"):
    """Each makes `result` of the sources, which have the ending `source_type`, in any of the sides: the first one if none is named."""
    first = sides[0]

    def plain(source, number): return f"http://127.0.0.1:{source}/{number}.{source_type}"

    def gannet(folder, port, source):
        return [options.gannet, "serve", "--allow", "127.0.0.1", "--allow-costly", "--allow-network", "127.0.0.1/32", "--allow-port", source,
                "--port", port, "--cache-dir", folder / "cache"]

    def gunicorn(folder, port, source):
        return [sys.executable, "-m", "gunicorn", "--chdir", HERE, "--workers", 2, "--worker-class", "aiohttp.GunicornWebWorker",
                "--keep-alive", 75, "--log-level", "warning", "--bind", f"127.0.0.1:{port}", "service_aiohttp:application"]

    def nginx(folder, port, source):
        conf = folder / "nginx.conf"
        # It has a size for each place, not for each address.
        locations = " ".join(f"location /{side}/ {{ image_filter resize {side} {side}; proxy_pass http://source/; }}" for side in sides)
        conf.write_text(FILTER.format(folder=folder, port=port, back=free_port(), source=source, locations=locations, quality=quality))
        return ["nginx", "-p", "/usr/share/nginx", "-e", folder / "nginx.log", "-c", conf]

    def thumbor(folder, port, source):
        conf = folder / "thumbor.conf"
        conf.write_text(THUMBOR.format(folder=folder, quality=quality))
        return [options.thumbor, "--ip", "127.0.0.1", "--port", port, "--processes", 2, "--conf", conf, "--log-level", "error"]

    frames = "/da:0" if source_type == "gif" else ""
    all = [Service("gannet", gannet, lambda source, number, side=first: f"/_/rs:fit:{side}:{side}/q:{quality}/f:{result}{frames}/plain/{plain(source, number)}",
                   frugal=(("--answer-memory", "0"), {})),
           Service("aiohttp + pyvips", gunicorn, lambda source, number, side=first: f"/{side}/{result}/{quality}/{urllib.parse.quote(plain(source, number), safe='')}",
                   lambda folder: {"FOLDER": str(folder)}, ((), {"MEMORY": "0"})),
           Service("nginx image_filter", nginx, lambda source, number, side=first: f"/{side}/{number}.{source_type}")]
    if options.thumbor:
        all.append(Service("thumbor", thumbor, lambda source, number, side=first: f"/unsafe/fit-in/{side}x{side}/filters:format({result}):quality({quality})/{urllib.parse.quote(plain(source, number), safe='')}"))
    return all


def jpeg_size(body):
    """Width and height from the frame header; None if these bytes are no whole JPEG."""
    if body[:2] != b"\xff\xd8" or body[-2:] != b"\xff\xd9":
        return None
    at = 2
    while at + 9 < len(body):
        marker, length = body[at + 1], int.from_bytes(body[at + 2:at + 4], "big")
        if marker in (0xC0, 0xC1, 0xC2):
            return int.from_bytes(body[at + 7:at + 9], "big"), int.from_bytes(body[at + 5:at + 7], "big")
        at += 2 + length
    return None


def wrong(number, body, sizes):
    """Why an answer does not count; None if it does."""
    width, height = sizes[number]
    scale = SIDE / max(width, height)
    size = jpeg_size(body)
    if size is None or max(abs(size[0] - width * scale), abs(size[1] - height * scale)) > 1:
        return f"{number}: {size} of {width} × {height}"


def each_once(port, addresses, at_once):
    """Every address once, so many at a time on kept connections. Returns (seconds, times, bodies by number)."""
    numbers, done = queue.SimpleQueue(), queue.SimpleQueue()
    for number in range(len(addresses)):
        numbers.put(number)

    def client():
        connection = HTTPConnection("127.0.0.1", port, timeout=120)
        while True:
            try:
                number = numbers.get_nowait()
            except queue.Empty:
                return connection.close()
            begin = time.perf_counter()
            connection.request("GET", addresses[number])
            response = connection.getresponse()
            body = response.read()
            done.put((number, time.perf_counter() - begin, response, body))

    clients = [threading.Thread(target=client) for _ in range(at_once)]
    begin = time.perf_counter()
    for thread in clients: thread.start()
    for thread in clients: thread.join()
    seconds = time.perf_counter() - begin
    answers = [done.get() for _ in range(done.qsize())]
    faults = [f"{number}: {response.status} {body[:200]}" for number, _, response, body in answers if response.status != 200]
    if faults or len(answers) < len(addresses):
        raise RuntimeError(f"{len(answers)} answers, wrong: {faults[:3]}")
    return seconds, sorted(took for _, took, _, _ in answers), {number: body for number, *_, body in answers}


def checked(port, addresses, sizes):
    """Thumbnails in SIDE × SIDE, checked behind the clock. Returns (seconds, times, bytes)."""
    seconds, times, bodies = each_once(port, addresses, AT_ONCE)
    faults = [text for number, body in bodies.items() if (text := wrong(number, body, sizes))]
    if faults:
        raise RuntimeError(f"wrong: {faults[:3]}")
    return seconds, times, sum(map(len, bodies.values()))


def with_wrk(port, addresses, seconds, folder, mean):
    """The addresses in turn as fast as they come. `mean`: bytes of an answer, which were checked before."""
    (folder / "addresses").write_text("\n".join(addresses))
    words = ["wrk", "-t1", "-c32", f"-d{seconds}s", "-s", HERE / "service.lua", f"http://127.0.0.1:{port}"]
    output = subprocess.run(words, capture_output=True, text=True, check=True, env=os.environ | {"ADDRESSES": str(folder / "addresses")}).stdout
    result = json.loads(output[output.rindex("{"):])
    # wrk ends in the middle of some answers.
    if result["errors"] or not result["requests"] or result["bytes"] < 0.9 * mean * (result["requests"] - 64):
        raise RuntimeError(f"wrk: {result}, answers of {mean:.0f} bytes")
    return result


def percentile(times, part): return times[min(int(len(times) * part), len(times) - 1)] * 1000


def round_of(service, source, sizes, folder, seconds):
    """The rows of a service."""
    addresses = [service.address(source, number) for number in range(len(sizes))]
    rows = {}

    def row(case, work):
        tree.settle()
        tree.forget_peak()
        before = tree.processor_seconds()
        result = work()
        # What a server does behind its answers, such as writing them to disk, counts too.
        tree.settle()
        rows[case] = result | {"cpu_ms": (tree.processor_seconds() - before) * 1000 / result["requests"], "peak_mib": tree.peak_mib()}

    def once():
        took, times, _ = checked(port, addresses, sizes)
        return {"requests": len(times), "requests_per_s": len(times) / took, "p50_ms": percentile(times, 0.5), "p99_ms": percentile(times, 0.99)}

    def again():
        # Every process of a server has seen every address before the clock starts.
        for _ in range(3): *_, total = checked(port, addresses, sizes)
        result = with_wrk(port, addresses, seconds, folder, total / len(addresses))
        return result | {"requests_per_s": result["requests"] / result["seconds"]}

    for memory, work in ((True, {"new": once, "memory": again}), (False, {"disk": again})):
        port = free_port()
        tree = service.start(folder, port, source, memory)
        try:
            for case in work: row(case, work[case])
        except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
            print((folder / "log.txt").read_text()[-2000:], file=sys.stderr)
            sys.exit(f"{service.name}, {case}: {error}")
        finally:
            tree.end()
    return rows


def median(values): return sorted(values)[len(values) // 2]


def number(value): return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


CASES = {"new": "new", "memory": "again, from memory", "disk": "again, from disk"}
BEGIN, END = "<!-- table: written by peers/service.py -->", "<!-- end of the table -->"


def machine():
    model = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
    return f"{datetime.date.today()}, {model[1] if model else platform.machine()}, {os.cpu_count()} cores, Linux {platform.release()}."


def replace(page, begin, text, end):
    """Writes the text between two marks of a page."""
    head, rest = page.read_text().split(begin)
    page.write_text(head + begin + "\n" + text + "\n" + end + rest.split(end)[1])


def table(results, versions, count, rounds, seconds):
    lines = [machine() + " " + ", ".join(versions) + ".",
             f"{count} photographs; medians of {rounds} rounds; wrk ran {seconds} s.", "",
             "| thumbnails | service | requests/s | processor ms a request | p50 ms | p99 ms | peak MiB |", "|---|---|---:|---:|---:|---:|---:|"]
    for case, title in CASES.items():
        for index, (name, rows) in enumerate(results.items()):
            row = rows[case]
            lines.append(f"| {'' if index else title} | {name} | " + " | ".join(number(row[key]) for key in ("requests_per_s", "cpu_ms", "p50_ms", "p99_ms", "peak_mib")) + " |")
    return "\n".join(lines)


def versions(options):
    def first(*words): return subprocess.run(words, capture_output=True, text=True).stdout.strip()
    nginx = subprocess.run(["nginx", "-v"], capture_output=True, text=True).stderr.strip().rsplit("/", 1)[-1]
    gannet = first(options.gannet, "--version").splitlines()[0]
    commit = first("git", "-C", str(HERE), "describe", "--always", "--dirty")
    own = [f"{name} {metadata.version(name)}" for name in ("aiohttp", "gunicorn", "pyvips", "pyvips-binary")]
    thumbor = [first(options.thumbor, "--version").splitlines()[-1]] if options.thumbor else []
    return [f"{gannet} ({commit})", *own, f"nginx {nginx}", *thumbor]


def arguments(quick, has_only=False):
    """What a benchmark of services is told. Whoever ends it ends the servers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("photos")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--gannet", required=True)
    parser.add_argument("--thumbor")
    parser.add_argument("--table", type=pathlib.Path)
    if has_only: parser.add_argument("--only", action="append", help="services whose names begin so")
    parser.add_argument("--quick", action="store_true", help=quick + "; writes no table")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    return parser.parse_args()


def main():
    options = arguments("20 photographs, 1 round, 2 s of wrk", has_only=True)
    count, rounds, seconds = (20, 1, 2) if options.quick else (200, 3, 5)
    work = options.work.resolve()
    pictures = work / f"large-{count}"
    subprocess.run([sys.executable, HERE / "pictures.py", options.photos, pictures, str(count), "--large"], check=True)
    sizes = [Image.open(pictures / f"{number}.jpg").size for number in range(count)]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="services-", dir=work))
    source = free_port()
    (folder / "sources.conf").write_text(SOURCES.format(folder=folder, port=source, pictures=pictures))
    nginx = subprocess.Popen(["nginx", "-p", str(folder), "-e", str(folder / "nginx.log"), "-c", str(folder / "sources.conf")])
    try:
        until(lambda: HTTPConnection("127.0.0.1", source, timeout=5).connect() is None, nginx, folder / "nginx.log")
        all = [one for one in services(options) if not options.only or any(one.name.startswith(name) for name in options.only)]
        collected = {one.name: [] for one in all}
        # Everybody takes turns, so that what disturbs the machine disturbs all of them.
        for turn in range(rounds):
            for one in all:
                own = folder / f"{turn}-{one.name.split()[0]}"
                own.mkdir()
                collected[one.name].append(round_of(one, source, sizes, own, seconds))
                print(f"{one.name}, round {turn + 1} of {rounds}", file=sys.stderr)
    finally:
        nginx.terminate()
        nginx.wait()
        shutil.rmtree(folder, ignore_errors=True)
    keys = ("requests_per_s", "cpu_ms", "p50_ms", "p99_ms", "peak_mib")
    results = {name: {case: {key: median([rows[case][key] for rows in turns]) for key in keys} for case in CASES} for name, turns in collected.items()}
    for case in CASES:
        for name, rows in results.items():
            print(json.dumps({"group": "service", "case": case, "program": name} | {key: round(value, 4) for key, value in rows[case].items()}), flush=True)
    text = table(results, versions(options), count, rounds, seconds)
    if not options.table or options.quick:
        return print(text, file=sys.stderr)
    replace(options.table, BEGIN, text, END)


if __name__ == "__main__":
    main()
