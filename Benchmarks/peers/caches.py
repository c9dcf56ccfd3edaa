#!/usr/bin/env python3
"""Stores and reads of bytes through LMDB and diskcache, for `CacheBenchmark`'s cases of the same names.

    peers/caches.py FOLDER [--sync]

FOLDER should be on the disk that counts; it is made and removed. Prints one JSON object a line (see README.md), times of one operation.
"""
import argparse, json, os, random, resource, shutil, time

import diskcache
import lmdb

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder")
parser.add_argument("--sync", action="store_true")
options = parser.parse_args()
RUNS = 5


def measure(case, program, count, work, prepare=lambda: None):
    prepare()
    work()
    cpu, wall = [], []
    for _ in range(RUNS):
        prepare()
        start, wall_start = time.process_time(), time.perf_counter()
        work()
        cpu.append((time.process_time() - start) * 1000 / count)
        wall.append((time.perf_counter() - wall_start) * 1000 / count)
    cpu.sort(), wall.sort()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    line = dict(group="caches", case=case, program=program, cpu_ms=cpu[RUNS // 2], best_ms=cpu[0], wall_ms=wall[RUNS // 2], peak_mib=peak)
    print(json.dumps(line), flush=True)


def renew():
    shutil.rmtree(options.folder, ignore_errors=True)
    os.makedirs(options.folder)


kind = "to the medium" if options.sync else "to the rename"
for size, name, count in [(8 << 10, "8 KB", 100 if options.sync else 1000), (200 << 10, "200 KB", 50 if options.sync else 200)]:
    data = random.Random(size).randbytes(size)
    keys = [f"https://example.org/{number}" for number in range(count)]
    state = {}

    def open_lmdb():
        renew()
        state["lmdb"] = lmdb.open(options.folder + "/lmdb", map_size=1 << 30, sync=options.sync)

    def store_lmdb():
        for key in keys:
            with state["lmdb"].begin(write=True) as transaction:
                transaction.put(key.encode(), data)

    def read_lmdb():
        for key in keys:
            with state["lmdb"].begin() as transaction:
                assert len(transaction.get(key.encode())) == size

    measure(f"store {name} {kind}", "LMDB (Python)", count, store_lmdb, open_lmdb)
    if not options.sync:
        measure(f"read {name}", "LMDB (Python)", count, read_lmdb)
    state["lmdb"].close()

    def open_diskcache():
        renew()
        # 2: full. diskcache keeps values of more than 32 KB in files, which it does not sync.
        state["disk"] = diskcache.Cache(options.folder + "/disk", sqlite_synchronous=2 if options.sync else 1)

    def store_diskcache():
        for key in keys:
            state["disk"][key] = data

    def read_diskcache():
        for key in keys:
            assert len(state["disk"][key]) == size

    measure(f"store {name} {kind}", "diskcache", count, store_diskcache, open_diskcache)
    if not options.sync:
        measure(f"read {name}", "diskcache", count, read_diskcache)
    state["disk"].close()
shutil.rmtree(options.folder)
