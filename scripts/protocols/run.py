#!/usr/bin/env python3
"""Tries a gannet with programs of others, and writes the tables of what they found. Used by scripts/protocols.sh.

    run.py GANNET PAGE.md [H2SPEC]
"""
import pathlib, subprocess, sys, tempfile

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent)]
import h2, metrics, tls
from serving import Service, Sources

gannet, page = sys.argv[1], pathlib.Path(sys.argv[2])
folder, faults = pathlib.Path(tempfile.mkdtemp()), []


def write(name, head, rows):
    """Replaces a table of the page."""
    begin, end = f"<!-- {name}: written by scripts/protocols.sh -->", f"<!-- end of {name} -->"
    before, rest = page.read_text().split(begin)
    lines = [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]
    page.write_text(before + "\n".join([begin, *lines, end]) + rest.split(end)[1])


def stopped(service):
    code = service.stop()
    if code != 0: faults.append(f"the service ended with {code}: {service.errors()}")


sources = Sources()
if len(sys.argv) > 3:
    service = Service(gannet, sources, secure=True)
    # An image: some cases need a body.
    rows, wrong = h2.run(sys.argv[3], service.port, f"/_/w:20/f:png/plain/{sources.url('a.png')}", folder)
    faults += wrong
    write("h2spec", ["part", "cases", "passed", "either", "skipped", "failed"], rows)
    stopped(service)
else: print("HTTP/2 is not checked: GANNET_H2SPEC names no h2spec.", flush=True)

rows = []
for kind in ("ec", "rsa"):
    chain, key = tls.certificates(folder, kind)
    service = Service(gannet, sources, secure=(chain, key))
    row, wrong = tls.run(service.port, folder, kind)
    rows.append(row)
    faults += wrong
    stopped(service)
write("testssl", ["certificate", "protocols", "ciphers", "good", "only said", "explained", "faults"], rows)

service = Service(gannet, sources)
rows, wrong = metrics.run(service, here.parent.parent / "deploy/prometheus-rules.yml", here / "rules-test.yml", folder)
faults += wrong
write("prometheus", ["what", "found"], rows)
stopped(service)

for fault in faults: print(f"WRONG: {fault}")
sys.exit(1 if faults else 0)
