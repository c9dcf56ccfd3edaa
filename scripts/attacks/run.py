#!/usr/bin/env python3
"""Attacks a gannet, and writes the table of what came of each. Used by scripts/attacks.sh.

    run.py GANNET PAGE.md
    run.py GANNET --soak MINUTES
"""
import os, pathlib, resource, subprocess, sys, tempfile, threading, time

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent)]
import floods, readers, smuggling
from serving import Service, Sources, png

gannet = sys.argv[1]
BEGIN, END = "<!-- table: written by scripts/attacks.sh -->", "<!-- end of the table -->"
rows, wrong = [], []


class Watch:
    """Asks for /health on new connections while an attack goes on."""

    def __init__(self, service): self.service, self.worst, self.failed, self.count = service, 0.0, 0, 0

    def __enter__(self):
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self.ask)
        self.thread.start()
        return self

    def ask(self):
        while True:
            begin = time.monotonic()
            try:
                right = self.service.get("/health", timeout=5).status == 200
            except OSError: right = False
            except Exception: right = False
            self.count += 1
            self.failed += not right
            self.worst = max(self.worst, time.monotonic() - begin)
            if self.ends.wait(0.2): return

    def __exit__(self, *_):
        self.ends.set()
        self.thread.join()


def attack(name, service, work, memory=64, patience=1):
    """`memory`: MiB by which the service may grow. `patience`: seconds in which /health has to be answered."""
    before, begin = service.memory_mib(), time.monotonic()
    with Watch(service) as watch: outcome, right = work()
    grown = service.memory_mib() - before
    health = watch.failed == 0 and watch.worst <= patience
    image = service.get(service.image).status == 200
    note(name, outcome, right, health, grown <= memory, image)
    print(f"{'ok' if right and health and image and grown <= memory else 'WRONG'}: {name}: {outcome}; /health {watch.count} times, {watch.failed} failed, {watch.worst:.2f} s at worst; "
          f"{grown:+.0f} MiB, {time.monotonic() - begin:.0f} s", flush=True)


def note(name, outcome, right, health=True, memory=True, image=True):
    faults = [text for holds, text in ((right, "wrong"), (health, "/health failed or took too long"), (memory, "too much memory"), (image, "no image afterwards")) if not holds]
    rows.append(f"| {name} | {outcome} | {', '.join(faults) or 'yes'} |")
    if faults: wrong.append(name)


def started(sources, *options, **limits):
    service = Service(gannet, sources, *options, **limits)
    service.image = f"/_/w:20/f:png/plain/{sources.url('a.png')}"
    return service


def stopped(service, name):
    descriptors = service.descriptors()
    code = service.stop()
    if code != 0: wrong.append(f"{name}: ended with {code}: {service.errors()}")
    return descriptors


def main():
    sources = Sources()
    # Shorter than a service has them, so that the end of an attack is seen.
    times = ["--header-timeout", "3s", "--idle-timeout", "4s"]
    few = started(sources, *times, "--allow-costly", descriptors=1024)
    attack("540 clients that send their heads byte by byte", few, lambda: floods.drip_heads(few, 540))
    attack("20 clients, header fields without end", few, lambda: floods.header_flood(few, 20))
    attack("20 clients, a field without end", few, lambda: floods.endless_field(few, 20))
    attack("20 clients, a request line without end", few, lambda: floods.endless_line(few, 20))
    attack("20 clients, a body without end behind POST", few, lambda: floods.body_flood(few, 20))
    attack("20 clients, chunks without end behind GET", few, lambda: floods.chunk_flood(few, 20))
    attack("5,000 requests in one pipeline", few, lambda: floods.pipeline(few, 5000))
    # More bytes than the system keeps for a connection.
    large = f"/_/rs:force:1500:1500:1/f:bmp/plain/{sources.url('a.png')}"
    attack("50 clients that ask for a large image again and again, and never read", few, lambda: floods.unread(few, 50, large), memory=512)
    stopped(few, "1,024 descriptors")

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard < 12000: sys.exit(f"This needs 12,000 descriptors, and the hard limit is {hard}: ulimit -Hn.")
    for descriptors, kept in ((8192, 4096), (1024, 512)):
        name = f"{kept:,} connections kept"
        many = started(sources, descriptors=descriptors)
        def idle():
            still, closed = floods.idle(many, 10000)
            return f"{name}, the others closed", kept * 0.9 <= still <= kept + kept // 8
        attack(f"10,000 connections that ask nothing, {descriptors:,} descriptors", many, idle, memory=256)
        stopped(many, name)

    large = f"/_/rs:force:2000:2000:1/f:bmp/plain/{sources.url('a.png')}"
    for secure in (False, True):
        # 12 MB, which a connection cannot hold.
        small = started(sources, "--allow-costly", secure=secure, memory=512 << 20)
        if small.get(large, timeout=60).status != 200: wrong.append("a large answer")
        if secure: attack("2,000 clients, HTTP/2, 10 requests each for 12 MB that are not read, 512 MiB", small, lambda: readers.unread_streams(small, 2000, large, 10), memory=448)
        else: attack("2,000 clients, HTTP/1.1, that ask for 12 MB and do not read, 512 MiB", small, lambda: readers.unread(small, 2000, large), memory=448)
        print(f"At most {small.group.peak_mib():.0f} MiB." if small.group.folder else "There is no control group of memory here: only the growth of the process was looked at.", flush=True)
        if secure:
            attack("50 clients, HTTP/2, 100 requests each, 512 MiB", small, lambda: readers.unread_streams(small, 50, large, 100), memory=448)
            for name, piece in readers.FLOODS: attack(f"HTTP/2: {name} without end", small, lambda: readers.frame_flood(small, name, piece))
        stopped(small, "512 MiB")
    hurried = started(sources)
    # /health stands in the system's queue behind them.
    attack("10,000 new images at once (`/health` within 5 s)", hurried, lambda: readers.all_at_once(hurried, 10000, lambda number: f"/_/w:20/f:png/plain/{sources.url(f'{number}.png')}"), memory=512, patience=5)
    stopped(hurried, "10,000 images")

    framed = started(sources)
    for name, data, expected in smuggling.FORMS:
        with Watch(framed) as watch: outcome, right = smuggling.attempt(framed.port, data, expected)
        note(name, outcome, right, watch.failed == 0 and watch.worst <= 1)
        print(f"{'ok' if right else 'WRONG'}: {name}: {outcome}", flush=True)
    stopped(framed, "smuggling")

    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "key").write_text("a key of sixteen bytes")
    source = sources.url("a.png")
    sign = lambda address: subprocess.run([gannet, "serve", "--key-file", folder / "key", "--sign", address], capture_output=True, text=True, check=True).stdout.strip()
    signed = [sign(f"/_/w:9/plain/{source}"), sign(f"/9x9/fit?url={source}")]
    keyed = started(sources, "--key-file", folder / "key", allow=False)
    keyed.image = signed[0]
    if {keyed.get(target).status for target in signed} != {200}: wrong.append("signed addresses")
    attack("signed addresses, every byte changed, cut and doubled", keyed, lambda: floods.signatures(keyed, signed))
    stopped(keyed, "signatures")

    page = pathlib.Path(sys.argv[2])
    head, rest = page.read_text().split(BEGIN)
    table = ["| attack | outcome | as it should be, `/health` within 1 s, images afterwards |", "|---|---|---|", *rows]
    page.write_text(head + BEGIN + "\n" + "\n".join(table) + "\n" + END + rest.split(END)[1])
    if wrong: sys.exit("Not as it should be: " + "; ".join(wrong))


hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
if sys.argv[2] == "--soak":
    import rebinding, soak
    names = rebinding.Rebinding() if os.getuid() == 0 else None
    sources, options = Sources(), ("--allow-costly", "--access-log", "json", "--idle-timeout", "5s", "--allow", "." + rebinding.ZONE)
    if names: names.start(sources.server_port)
    soak.run([started(sources, *options, descriptors=1024, secure=secure) for secure in (False, True)], float(sys.argv[3]) * 60, names)
else: main()
