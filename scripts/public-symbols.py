#!/usr/bin/env python3
"""Compares the public symbols of the symbol graphs with the checked-in list, so that growth of the surface is a decision.

    scripts/public-symbols.py GRAPH.json…              fails where the list and the graphs differ
    scripts/public-symbols.py --write GRAPH.json…      writes the list anew; prints how many types and symbols there are

The list is Documentation/public-symbols.txt: one line for each symbol, `module: kind name`, sorted. Members that fulfil a requirement of a protocol
are left out: they follow from the conformance.
"""
import json, pathlib, sys

path = pathlib.Path("Documentation/public-symbols.txt")
arguments = [one for one in sys.argv[1:] if one != "--write"]
TYPES = ("swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.actor", "swift.typealias")
lines, types = set(), 0
for name in arguments:
    graph = json.loads(pathlib.Path(name).read_text(encoding="utf-8"))
    follows = {one["source"] for one in graph["relationships"]
               if "sourceOrigin" in one or one["kind"] in ("defaultImplementationOf", "overrides")}
    for symbol in graph["symbols"]:
        kind = symbol["kind"]["identifier"]
        if kind == "swift.extension" or "::SYNTHESIZED::" in symbol["identifier"]["precise"]: continue
        if symbol["identifier"]["precise"] in follows: continue
        lines.add(f'{graph["module"]["name"]}: {kind.removeprefix("swift.")} {".".join(symbol["pathComponents"])}')
types = sum(line.split()[1] in [one.removeprefix("swift.") for one in TYPES] for line in lines)
summary = f"{types} public types, {len(lines)} public symbols."
if "--write" in sys.argv[1:]:
    path.write_text("".join(line + "\n" for line in sorted(lines)), encoding="utf-8")
    print(summary)
    sys.exit(0)
known = set(path.read_text(encoding="utf-8").splitlines())
for line in sorted(lines - known): print("new:", line, file=sys.stderr)
for line in sorted(known - lines): print("gone:", line, file=sys.stderr)
print(summary)
if lines != known:
    sys.exit("The public surface has changed. If that is meant: scripts/public-symbols.py --write .build-docs/symbols/modules/*.symbols.json")
