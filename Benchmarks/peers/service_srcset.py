#!/usr/bin/env python3
"""Pages that ask for six widths of one photograph at once, as `srcset` has them, in one run of all services.

    peers/service_srcset.py PHOTOS WORK --gannet PROGRAM [--thumbor PROGRAM] [--table service.md] [--quick]

Each page is a client with a kept connection for every width; PAGES of them are under way at a time. Every photograph is asked for once, of a service on an
empty folder. Two more rows of gannet say what it saves: the largest width alone, and each width in a turn of its own, where no decode can be shared.
"""
import json, pathlib, queue, re, selectors, shutil, subprocess, sys, tempfile, threading, time
from http.client import HTTPConnection, HTTPException

from PIL import Image

import service as harness
from service_process import free_port, until

HERE = pathlib.Path(__file__).resolve().parent
WIDTHS = (320, 640, 960, 1280, 1600, 1920)
PAGES = 4
ALL, LARGEST, APART = "six widths at once", "the largest alone", "each width in its turn"


class Page:
    """One client: as many kept connections as it has images under way."""

    def __init__(self, port, images):
        self.connections = [HTTPConnection("127.0.0.1", port, timeout=120) for _ in range(images)]
        for connection in self.connections: connection.connect()

    def load(self, addresses):
        """Asks for all addresses at once. Returns (seconds until it is there, answer) of each, in the order of the addresses."""
        answers = [None] * len(addresses)
        begin = time.perf_counter()
        with selectors.DefaultSelector() as ready:
            for index, (connection, address) in enumerate(zip(self.connections, addresses, strict=True)):
                connection.request("GET", address)
                ready.register(connection.sock, selectors.EVENT_READ, index)
            while ready.get_map():
                for key, _ in ready.select():
                    response = self.connections[key.data].getresponse()
                    ready.unregister(key.fileobj)
                    body = response.read()
                    if response.status != 200:
                        raise RuntimeError(f"{addresses[key.data]}: {response.status} {body[:200]}")
                    answers[key.data] = (time.perf_counter() - begin, body)
        return answers

    def close(self):
        for connection in self.connections: connection.close()


def load_all(port, pages, at_once):
    """All pages, so many at a time. Returns (seconds, answers of each page)."""
    numbers, faults, answers = queue.SimpleQueue(), [], [None] * len(pages)
    for number in range(len(pages)): numbers.put(number)

    def client():
        try:
            page = Page(port, len(pages[0]))
            while not faults:
                try:
                    number = numbers.get_nowait()
                except queue.Empty:
                    return page.close()
                answers[number] = page.load(pages[number])
        except (OSError, RuntimeError, HTTPException) as error:
            faults.append(error)

    clients = [threading.Thread(target=client) for _ in range(at_once)]
    begin = time.perf_counter()
    for thread in clients: thread.start()
    for thread in clients: thread.join()
    if faults: raise RuntimeError(str(faults[0]))
    return time.perf_counter() - begin, answers


def check(answers, pages, sizes):
    """Throws if an answer is not its photograph in its width."""
    for page, images in zip(answers, pages):
        for (_, body), (number, side) in zip(page, images):
            scale, size = side / max(sizes[number]), harness.jpeg_size(body)
            if size is None or any(abs(mine - source * scale) > 1 for mine, source in zip(size, sizes[number])):
                raise RuntimeError(f"{number}: {size} of {sizes[number]} in {side}")


def shared_count(port):
    """Images that gannet made in one decode with others."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/metrics")
    return int(re.search(r"^gannet_decodes_shared_total (\d+)$", connection.getresponse().read().decode(), re.M)[1])


def plan(case, count):
    """The images of each page, in turns that end before the next one begins, and how many pages are under way: the same number of images
    in turns as of all widths."""
    if case == ALL: return [[[(number, side) for side in WIDTHS] for number in range(count)]], PAGES
    if case == LARGEST: return [[[(number, WIDTHS[-1])] for number in range(count)]], PAGES
    return [[[(number, side)] for number in range(count)] for side in WIDTHS], PAGES * len(WIDTHS)


def measure(one, case, source, sizes, folder):
    turns, at_once = plan(case, len(sizes))
    port = free_port()
    tree = one.start(folder, port, source, True)
    try:
        tree.settle()
        tree.forget_peak()
        before = tree.processor_seconds()
        seconds, answers = 0, []
        for pages in turns:
            took, of_turn = load_all(port, [[one.address(source, *image) for image in page] for page in pages], at_once)
            seconds, answers = seconds + took, answers + of_turn
        tree.settle()
        check(answers, [page for pages in turns for page in pages], sizes)
        times = sorted(took for page in answers for took, _ in page)
        row = {"images_per_s": len(times) / seconds, "cpu_ms": (tree.processor_seconds() - before) * 1000 / len(times),
               "p50_ms": harness.percentile(times, 0.5), "p99_ms": harness.percentile(times, 0.99),
               "page_p50_ms": harness.percentile(sorted(max(took for took, _ in page) for page in answers), 0.5), "peak_mib": tree.peak_mib()}
        if one.name != "gannet": return row
        shared = shared_count(port)
        if shared and case != ALL: raise RuntimeError(f"{shared} images came out of shared decodes")
        return row | {"shared": shared / len(times)}
    except (OSError, RuntimeError) as error:
        print((folder / "log.txt").read_text()[-2000:], file=sys.stderr)
        sys.exit(f"{one.name}, {case}: {error}")
    finally:
        tree.end()


KEYS = ("images_per_s", "cpu_ms", "p50_ms", "p99_ms", "page_p50_ms", "peak_mib")
BEGIN, END = "<!-- table of widths: written by peers/service_srcset.py -->", "<!-- end of the table of widths -->"


def table(results, versions, count, rounds):
    shared = results[ALL, "gannet"]["shared"] * 100
    lines = [harness.machine() + " " + ", ".join(versions) + ".",
             f"{count} photographs; medians of {rounds} rounds. gannet made {shared:.0f} % of the six widths in decodes that several shared.", "",
             "| images | service | images/s | processor ms an image | p50 ms | p99 ms | p50 of a page, ms | peak MiB |", "|---|---|---:|---:|---:|---:|---:|---:|"]
    last = None
    for (case, name), row in results.items():
        # There are no pages there.
        cells = ["" if key == "page_p50_ms" and case == APART else harness.number(row[key]) for key in KEYS]
        lines.append(f"| {'' if case == last else case} | {name} | " + " | ".join(cells) + " |")
        last = case
    return "\n".join(lines)


def with_metrics(one):
    plain = one.command
    if one.name == "gannet": one.command = lambda *places: [*plain(*places), "--metrics"]
    return one


def main():
    options = harness.arguments("24 photographs, 1 round", has_only=True)
    count, rounds = (24, 1) if options.quick else (200, 3)
    work = options.work.resolve()
    pictures = work / f"wide-{count}"
    subprocess.run([sys.executable, HERE / "pictures.py", options.photos, pictures, str(count), "--wide"], check=True)
    sizes = [Image.open(pictures / f"{number}.jpg").size for number in range(count)]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="srcset-", dir=work))
    source = free_port()
    (folder / "sources.conf").write_text(harness.SOURCES.format(folder=folder, port=source, pictures=pictures))
    nginx = subprocess.Popen(["nginx", "-p", str(folder), "-e", str(folder / "nginx.log"), "-c", str(folder / "sources.conf")])
    turns = {}
    try:
        until(lambda: HTTPConnection("127.0.0.1", source, timeout=5).connect() is None, nginx, folder / "nginx.log")
        all = [with_metrics(one) for one in harness.services(options, WIDTHS) if not options.only or any(one.name.startswith(name) for name in options.only)]
        rows = [(ALL, one) for one in all] + [(case, one) for case in (LARGEST, APART) for one in all if one.name == "gannet"]
        for turn in range(rounds):
            for case, one in rows:
                own = pathlib.Path(tempfile.mkdtemp(dir=folder))
                turns.setdefault((case, one.name), []).append(measure(one, case, source, sizes, own))
                shutil.rmtree(own, ignore_errors=True)
                print(f"{one.name}, {case}, round {turn + 1} of {rounds}", file=sys.stderr)
    finally:
        nginx.terminate()
        nginx.wait()
        shutil.rmtree(folder, ignore_errors=True)
    results = {row: {key: harness.median([round[key] for round in rounds]) for key in rounds[0]} for row, rounds in turns.items()}
    for (case, name), row in results.items():
        print(json.dumps({"group": "service widths", "case": case, "program": name} | {key: round(value, 4) for key, value in row.items()}), flush=True)
    if options.only: return
    text = table(results, harness.versions(options), count, rounds)
    if not options.table or options.quick:
        return print(text, file=sys.stderr)
    harness.replace(options.table, BEGIN, text, END)


if __name__ == "__main__":
    main()
