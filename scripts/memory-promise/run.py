#!/usr/bin/env python3
"""A service in a control group of 512 MiB, asked for twice as many new images as it can make; see memory-promise.sh.

    run.py GANNET SECONDS [--limit BYTES] [--cached-p99 SECONDS] [--report] [--sources FOLDER] [-- OPTION…]
"""
import argparse, collections, functools, http.client, http.server, multiprocessing, pathlib, queue, random, re, shutil, sys, tempfile, threading, time
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import serving
import files

print = functools.partial(print, flush=True)
MIB = 1 << 20
CACHED = 24


class FileSource(serving.Source):
    folder = None

    def do_GET(self):
        path = self.folder / pathlib.PurePosixPath(self.path.split("?")[0]).name
        size = path.stat().st_size
        self.send_response(200)
        for name, value in [("Content-Length", str(size)), ("ETag", f'"{path.name}"'), ("Cache-Control", "max-age=3600")]: self.send_header(name, value)
        self.end_headers()
        try:
            with open(path, "rb") as file: shutil.copyfileobj(file, self.wfile, 1 << 16)
        except OSError: pass


def tree(root):
    """The process and all below it."""
    children = collections.defaultdict(list)
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit(): continue
        try: children[int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])].append(int(entry.name))
        except (OSError, IndexError): continue
    found, next_ones = [], [root]
    while next_ones:
        found.append(next_ones.pop())
        next_ones += children[found[-1]]
    return found


def sum_of(root, file, field):
    total = 0
    for number in tree(root):
        try: total += int(re.search(rf"^{field}:\s*(\d+)", pathlib.Path(f"/proc/{number}/{file}").read_text(), re.M)[1])
        except (OSError, TypeError): continue
    return total / 1024


def kept(service):
    """MiB of responses and images that are kept on purpose, whose room is part of the limit."""
    return sum(int(line.split()[1]) for line in service.get("/metrics").body.decode().splitlines() if re.match(r'gannet_cache_bytes\{cache="(images|answers)"', line)) / MIB


def pss(root): return sum_of(root, "smaps_rollup", "Pss")


class Watch(threading.Thread):
    """The most memory of the group without its file cache, which the kernel takes back; without a group, of the processes."""

    def __init__(self, service):
        super().__init__(daemon=True)
        self.service, self.peak, self.ends = service, 0, threading.Event()
        self.group = service.group.folder if service.group else None

    def used(self):
        if not self.group: return pss(self.service.process.pid)
        first = (self.group / "memory.usage_in_bytes").exists()
        usage = int((self.group / ("memory.usage_in_bytes" if first else "memory.current")).read_text())
        fields = dict(line.split() for line in (self.group / "memory.stat").read_text().splitlines())
        prefix = "total_" if first else ""
        return (usage - sum(int(fields[prefix + name]) for name in ("active_file", "inactive_file"))) / MIB

    def kills(self):
        if not self.group: return 0
        first = self.group / "memory.oom_control"
        return int(re.search(r"oom_kill (\d+)", (first if first.exists() else self.group / "memory.events").read_text())[1])

    def run(self):
        while not self.ends.wait(0.05 if self.group else 0.5):
            try: self.peak = max(self.peak, self.used())
            except OSError: return

    def end(self):
        self.ends.set()
        self.join()


def ask(port, target, timeout=120):
    """Status, seconds, whether a 503 says when to come back. Each of 40 clients, by the word of a proxy."""
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("GET", target, headers={"X-Forwarded-For": f"10.0.0.{random.randrange(40)}"})
        response = connection.getresponse()
        response.read()
        return response.status, time.monotonic() - began, response.getheader("Retry-After") is not None
    except OSError as error: return type(error).__name__, time.monotonic() - began, False
    finally: connection.close()


class Load:
    def __init__(self, port, sources, names, seed=1):
        self.port, self.numbers, self.count = port, random.Random(seed), 0
        self.names, self.shares = list(names), list(names.values())
        self.places = ["local:///", f"http://127.0.0.1:{sources}/"]

    def target(self):
        """One that was not asked for before."""
        self.count += 1
        name = self.numbers.choices(self.names, self.shares)[0]
        side = self.numbers.choice([120, 240, 480, 960, 1600])
        form = self.numbers.choice(["webp", "jpg", "webp", "png"]) if not name.startswith("move") else self.numbers.choice(["webp", "gif"])
        return name, f"/_/rs:fit:{side}:{side + self.count % 97}/q:{60 + self.count % 31}/cb:{self.count}/f:{form}/plain/{self.numbers.choice(self.places)}{name}"


def overload(port, sources, names, rate, seconds, found):
    """In a process of its own: requests at this rate, whatever becomes of them."""
    load, jobs, results, lock = Load(port, sources, names), queue.Queue(), collections.Counter(), threading.Lock()
    waits = []
    def work():
        while (job := jobs.get()) is not None:
            name, target = job
            status, took, says = ask(port, target)
            with lock:
                results[(name, str(status), says)] += 1
                waits.append(took)
    threads = [threading.Thread(target=work, daemon=True) for _ in range(700)]
    for thread in threads: thread.start()
    began = time.monotonic()
    sent = 0
    while (now := time.monotonic() - began) < seconds:
        while sent < now * rate:
            jobs.put(load.target())
            sent += 1
        time.sleep(0.01)
    for _ in threads: jobs.put(None)
    for thread in threads: thread.join(100)
    found.put((dict(results), sorted(waits), sent))


def probe(port, targets, seconds, found):
    """In a process of its own: cached answers over one connection."""
    times, others = [], collections.Counter()
    connection, end, number = http.client.HTTPConnection("127.0.0.1", port, timeout=30), time.monotonic() + seconds, 0
    while time.monotonic() < end:
        began = time.monotonic()
        try:
            connection.request("GET", targets[number % len(targets)])
            response = connection.getresponse()
            response.read()
            if response.status == 200: times.append(time.monotonic() - began)
            else: others[response.status] += 1
        except OSError as error:
            others[type(error).__name__] += 1
            connection.close()
        number += 1
        time.sleep(0.02)
    found.put((sorted(times), dict(others)))


def share(sorted_values, part): return sorted_values[min(int(len(sorted_values) * part), len(sorted_values) - 1)] if sorted_values else float("nan")


def main():
    words = argparse.ArgumentParser()
    words.add_argument("gannet")
    words.add_argument("seconds", type=int)
    words.add_argument("--limit", type=int, default=512 * MIB)
    words.add_argument("--cached-p99", type=float, default=0.05, help="seconds; a larger one for a machine that others use, too")
    words.add_argument("--report", action="store_true", help="says what happens, and does not judge: for a build without the promise")
    words.add_argument("--sources", help="a folder that keeps the sources for the next run")
    words.add_argument("options", nargs="*")
    options = words.parse_args()
    faults = []
    def check(is_right, what):
        if not is_right: faults.append(what)

    with tempfile.TemporaryDirectory() as name:
        FileSource.folder = pathlib.Path(options.sources or name)
        names = files.make(options.gannet, FileSource.folder)
        print("sources: " + ", ".join(f"{name} {(FileSource.folder / name).stat().st_size / MIB:.1f} MiB" for name in names))
        sources = serving.Sources(FileSource)
        # What is tried is memory: a decode may take long on a machine that others use, too.
        words = ["--allow-costly", "--max-requests", 64, "--trusted-proxy", "127.0.0.1", "--decode-time", 60, "--source-folder", FileSource.folder]
        service = serving.Service(options.gannet, sources, *words, *options.options, memory=options.limit)
        root, watch = service.process.pid, Watch(service)
        measure = "the control group without its file cache" if watch.group else "the proportional set size of all processes; this system gives no control group"
        print(f"measured: {measure}")
        cold = (watch.used(), pss(root))
        load = Load(service.port, sources.server_port, names, seed=2)

        # Each source once, and the answers that are asked for again and again.
        for source in names: ask(service.port, f"/_/rs:fit:300:300/f:webp/plain/local:///{source}")
        cached = [f"/_/rs:fit:{200 + number}:300/f:jpg/plain/local:///photo{number % 3}.jpg" for number in range(CACHED)]
        for target in cached: check(ask(service.port, target)[0] == 200, "a cached answer could not be made")
        began, made = time.monotonic(), 0
        results = queue.Queue()
        def closed():
            while time.monotonic() < began + 10: results.put(ask(service.port, load.target()[1])[0])
        threads = [threading.Thread(target=closed) for _ in range(4)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        while not results.empty(): made += results.get() == 200
        capacity = made / (time.monotonic() - began)
        time.sleep(8)
        start, start_kept = (watch.used(), pss(root)), kept(service)
        print(f"at the start: {cold[0]:.0f} MiB, {cold[1]:.0f} of processes; after {made} images, at rest: {start[0]:.0f}, {start[1]:.0f}, of which {start_kept:.0f} are kept responses; capacity {capacity:.1f} new images a second")

        watch.start()
        found, told = multiprocessing.Queue(), multiprocessing.Queue()
        ones = [multiprocessing.Process(target=overload, args=(service.port, sources.server_port, names, 2 * capacity, options.seconds, found)),
                multiprocessing.Process(target=probe, args=(service.port, cached, options.seconds, told))]
        for one in ones: one.start()
        counts, waits, sent = found.get(timeout=options.seconds + 240)
        times, others = told.get(timeout=60)
        for one in ones: one.join()
        watch.end()
        alive = service.process.poll() is None
        statuses, wrong = collections.Counter(), collections.Counter()
        for (source, status, says), count in counts.items():
            statuses[status] += count
            if status == "503": check(says, f"a 503 of {source} does not say when to come back")
            elif status != "200" and not (status == "413" and source == "never.webp"): wrong[status] += count
        check(not wrong, f"requests failed: {dict(wrong)}")
        print(f"under {2 * capacity:.1f} a second for {options.seconds} s: {sent} requests, {dict(statuses)}; waits p50 {share(waits, 0.5):.1f} s, p99 {share(waits, 0.99):.1f} s")
        print("by source: " + ", ".join(f"{source} {status} × {count}" for (source, status, _), count in sorted(counts.items())))
        print(f"peak {watch.peak:.0f} MiB of {options.limit / MIB:.0f}; kills {watch.kills()}; the service {'lives' if alive else 'has ended'}")
        print(f"cached answers: {len(times)}, p50 {share(times, 0.5) * 1000:.1f} ms, p99 {share(times, 0.99) * 1000:.1f} ms, longest {share(times, 1) * 1000:.0f} ms; others {others}")
        check(alive, "the service was killed")
        check(watch.kills() == 0, "the kernel killed processes")
        check(watch.peak <= options.limit / MIB, "the peak is above the limit")
        check(not others, f"cached answers failed: {others}")
        check(share(times, 0.99) <= options.cached_p99, f"cached answers took more than {options.cached_p99 * 1000:.0f} ms at p99")
        check(statuses["200"] > 0, "nothing was made")
        if alive:
            time.sleep(15)
            rest, rest_kept = (watch.used(), pss(root)), kept(service)
            times_start = (rest[1] - rest_kept) / (start[1] - start_kept)
            print(f"at rest afterwards: {rest[0]:.0f} MiB, {rest[1]:.0f} of processes, of which {rest_kept:.0f} are kept responses: {times_start:.2f} × the start without those, {rest[1] / start[1]:.2f} × with them")
            figures = service.get("/metrics").body.decode()
            print(" ".join(line for line in figures.splitlines() if re.match(r"gannet_(memory_(used|peak|short|refused|ended)|cache_bytes)", line)))
            check(times_start <= 1.2, f"resting memory is {times_start:.2f} × that of the start")
        else: print(service.errors())
        service.stop()
    for fault in faults: print("FAULT: " + fault)
    if faults and not options.report: sys.exit(1)


main()
