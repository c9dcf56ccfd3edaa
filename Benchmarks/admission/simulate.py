#!/usr/bin/env python3
"""Hits of a cache of decoded images by the rule that MemoryCache has, and with admission by frequency (W-TinyLFU).

    Benchmarks/admission/simulate.py [TRACES]    a table in Markdown

Synthetic traces of programs that show images are made from fixed seeds. TRACES: a folder with the traces of public simulators, where
there is one: lines `time key size` (adapt_size/*.xz), numbers of 4 bytes (cache2k/*.xz) or 8 (corda/*, scarab/*), lines with a
number (lirs/*).
"""
import gzip, lzma, pathlib, random, struct, sys
from concurrent.futures import ProcessPoolExecutor
from policies import LRU, TinyLFU

LONGEST = 300_000


def sizes(seed):
    """Bytes of decoded images: thumbnails and photographs, the same for a key each time."""
    return lambda key: int(random.Random(seed * 1_000_003 + key).lognormvariate(12.6, 1.0)) + 4096


def zipf(count, exponent, length, seed):
    chance = random.Random(seed)
    return chance.choices(range(count), [1 / (rank + 1) ** exponent for rank in range(count)], k=length)


def scans(seed):
    """Popular images, and at times a folder that is looked through once."""
    chance, trace, fresh = random.Random(seed), [], 1_000_000
    popular = iter(zipf(10_000, 0.9, 200_000, seed))
    while len(trace) < 200_000:
        trace += [next(popular) for _ in range(3000)]
        length = chance.randint(300, 1500)
        trace += range(fresh, fresh + length)
        fresh += length
    return trace


def scrolling(seed):
    """One list, scrolled down and back up again, as fingers do."""
    chance, trace, top = random.Random(seed), [], 0
    while len(trace) < 200_000:
        for _ in range(chance.randint(5, 60)):
            top = min(max(top + 1, 0), 5000)
            trace.append(top + 8)
        if chance.random() < 0.6:
            for _ in range(chance.randint(5, 80)):
                top = max(top - 1, 0)
                trace.append(top)
        if chance.random() < 0.02 or top >= 5000: top = 0
    return trace


def feed(seed):
    """News: the newest come first and are soon forgotten; some old ones are asked for again."""
    chance, trace, newest = random.Random(seed), [], 100
    while len(trace) < 200_000:
        newest += chance.randint(0, 12)
        depth = int(chance.expovariate(1 / 40)) + 5
        trace += [newest - place for place in range(depth)]
        if chance.random() < 0.2: trace += [newest - int(chance.expovariate(1 / 500)) for _ in range(10)]
    return trace


def slideshow(seed):
    """One folder, again and again."""
    return [index % 1500 for index in range(100_000)]


SYNTHETIC = {
    "popular images (Zipf 0.9)": lambda: zipf(20_000, 0.9, 200_000, 1), "popular images (Zipf 0.7)": lambda: zipf(20_000, 0.7, 200_000, 2),
    "popular images and scans": lambda: scans(3), "a list, scrolled to and fro": lambda: scrolling(4), "a feed of news": lambda: feed(5),
    "a slide show, repeated": lambda: slideshow(6),
}


def read(path):
    """Pairs of key and size; sizes of a trace without them are 1."""
    with (lzma.open if path.suffix == ".xz" else gzip.open)(path) as file: data = file.read()
    kind = path.parent.name
    if kind in ("cache2k", "corda", "scarab"):
        width, code = (4, "i") if kind == "cache2k" else (8, "q")
        count = min(len(data) // width, LONGEST)
        return [(key, 1) for key in struct.unpack(f">{count}{code}", data[: count * width])]
    if kind == "adapt_size":
        lines = (line.split() for line in data.decode().splitlines()[:LONGEST])
        return [(int(line[1]), int(line[2])) for line in lines]
    return [(line, 1) for line in data.decode().split()[:LONGEST] if line != "*"]


def load(name):
    if name in SYNTHETIC:
        size = sizes(9)
        known = {}
        trace = SYNTHETIC[name]()
        for key in set(trace): known[key] = size(key)
        return [(key, known[key]) for key in trace]
    return read(pathlib.Path(name))


POLICIES = {
    "LRU": LRU, "window 1 %": TinyLFU, "window 20 %": lambda capacity: TinyLFU(capacity, 0.2),
    "window adapts": lambda capacity: TinyLFU(capacity, 0.2, adapts=True),
}


def row(job):
    name, share = job
    trace = load(name)
    footprint = sum(dict(trace).values())
    capacity = max(int(footprint * share), 1)
    rates = []
    for make in POLICIES.values():
        policy, hits, bytes = make(capacity), 0, 0
        for key, size in trace:
            if policy.access(key, size): hits, bytes = hits + 1, bytes + size
        rates.append((100 * hits / len(trace), 100 * bytes / sum(size for _, size in trace)))
    return name, share, rates


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    names = list(SYNTHETIC) + ([str(path) for path in sorted(folder.glob("*/*")) if path.is_file()] if folder else [])
    jobs = [(name, share) for name in names for share in (0.01, 0.05, 0.2)]
    print("Hits in per cent, and of the bytes asked for; the cache has a part of the bytes of all entries.\n")
    print("| trace | cache | " + " | ".join(POLICIES) + " |\n" + "|---" * (len(POLICIES) + 2) + "|")
    with ProcessPoolExecutor(2) as pool:
        for name, share, rates in pool.map(row, jobs):
            shown = name if name in SYNTHETIC else "/".join(pathlib.Path(name).parts[-2:]).split(".")[0]
            cells = " | ".join(f"{hits:.1f}, {bytes:.1f}" for hits, bytes in rates)
            print(f"| {shown} | {share:.0%} | {cells} |", flush=True)


if __name__ == "__main__": main()
