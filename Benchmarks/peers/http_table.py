#!/usr/bin/env python3
"""Writes the table of Benchmarks/http.md from the lines of http.sh: http_table.py LINES.jsonl http.md"""
import json, sys

PROGRAMS = {"gannet": "Gannet", "gannet-manager": "Gannet, through the manager", "gannet-disk": "Gannet, stored on disk", "async-http-client": "AsyncHTTPClient alone",
            "async-http-client-array": "the same, into arrays",
            "URLSession": "URLSession", "curl -Z": "curl -Z, to /dev/null", "aiohttp": "aiohttp"}
BEGIN, END = "<!-- table: written by peers/http_table.py -->", "<!-- end of the table -->"

cases = {}
for line in open(sys.argv[1]):
    run = json.loads(line)
    cases.setdefault(run["case"], {})[run["program"]] = run


def cell(run):
    if run is None:
        return "–"
    text = f"{run['requests_per_s']} · {run['cpu_s'] * 1000 / run['count']:.2f}"
    return text + (f" · {run['peak_mib']}" if "peak_mib" in run else "")


def ratio(runs):
    ours, bare = runs.get("gannet"), runs.get("async-http-client")
    if not ours or not bare:
        return "–"
    return f"{ours['requests_per_s'] / bare['requests_per_s']:.2f} · {bare['cpu_s'] / ours['cpu_s']:.2f}"


rows = ["| case | " + " | ".join(PROGRAMS.values()) + " | Gannet to AsyncHTTPClient: requests per second · processor time |",
        "|---" * (len(PROGRAMS) + 2) + "|"]
for case, runs in cases.items():
    rows.append(f"| {case} | " + " | ".join(cell(runs.get(name)) for name in PROGRAMS) + f" | {ratio(runs)} |")
page = open(sys.argv[2]).read()
head, rest = page.split(BEGIN)
tail = rest.split(END)[1]
open(sys.argv[2], "w").write(head + BEGIN + "\n" + "\n".join(rows) + "\n" + END + tail)
