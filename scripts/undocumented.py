#!/usr/bin/env python3
"""Names the public symbols of symbol graphs that have no documentation comment.

    scripts/undocumented.py GRAPH.json…

What fulfils a requirement of a protocol has the protocol's comment. Ends with 1 if there is one without.
"""
import json
import sys

without, total = [], 0
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    # Where a comment may come from: a requirement, here or in a library beside ours.
    inherited = {
        relation["source"] for relation in graph["relationships"]
        if "sourceOrigin" in relation or relation["kind"] in ("defaultImplementationOf", "overrides")}
    extended = {symbol["identifier"]["precise"] for symbol in graph["symbols"] if symbol["kind"]["identifier"] == "swift.extension"}
    for symbol in graph["symbols"]:
        name = symbol["identifier"]["precise"]
        if name in extended or "::SYNTHESIZED::" in name or symbol.get("docComment") or name in inherited: continue
        place = symbol.get("location", {})
        file = place.get("uri", "").split("/Sources/")[-1]
        without.append((file, place.get("position", {}).get("line", 0) + 1, ".".join(symbol["pathComponents"])))
    total += len(graph["symbols"])
for file, line, name in sorted(set(without)): print(f"{file}:{line}: {name} has no comment")
if without: sys.exit(f"{len(set(without))} of {total} public symbols have no comment.")
