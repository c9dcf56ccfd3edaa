#!/usr/bin/env python3
"""Runs a program that uses Dask, and in its middle ends a worker of the cluster with all it has started: kill-dask-worker.py PROGRAM LINES

That is when the files of $BATCH_LEDGER have LINES lines. The program's own exit status counts, and that there was a worker to end.
"""
import os
import runpy
import signal
import sys
import threading
import time
from pathlib import Path


def children(process):
    """Of the process, and theirs."""
    try: direct = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError: return []
    return [one for child in map(int, direct) for one in [child, *children(child)]]


def end_a_worker(lines, ended):
    from distributed.client import default_client

    while sum(path.read_bytes().count(b"\n") for path in Path(os.environ["BATCH_LEDGER"]).glob("*.jsonl")) < lines: time.sleep(0.01)
    client = default_client()
    process = next(iter(client.run(os.getpid).values()))
    # As when a machine dies.
    for one in [process, *children(process)]:
        try: os.kill(one, signal.SIGKILL)
        except ProcessLookupError: pass
    ended.append(process)


if __name__ == "__main__":
    ended = []
    threading.Thread(target=end_a_worker, args=(int(sys.argv[2]), ended), daemon=True).start()
    runpy.run_path(sys.argv[1], run_name="__main__")
    if not ended: sys.exit("No worker was ended: the program was over before.")
