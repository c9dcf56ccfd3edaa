#!/usr/bin/env python3
"""Names the public symbols with an optional of a type that has a value `none`: Swift reads `.none` as nil there.

    scripts/optional-none.py GRAPH.json…

Ends with 1 if there is one.
"""
import json
import sys

graphs = []
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file: graphs.append(json.load(file))

nones = {
    symbol["identifier"]["precise"] for graph in graphs for symbol in graph["symbols"]
    if symbol["pathComponents"][-1] == "none" and symbol["kind"]["identifier"] in ("swift.enum.case", "swift.type.property")}
types = {
    relation["target"] for graph in graphs for relation in graph["relationships"]
    if relation["kind"] == "memberOf" and relation["source"] in nones}
if not types: sys.exit("No public type has a value `none`: are these the right graphs?")

def is_trap(fragments):
    """Whether one of the types stands in front of a `?` or inside of `Optional<…>`."""
    texts = [fragment["spelling"] for fragment in fragments]
    return any(
        fragment.get("preciseIdentifier") in types
        and ("".join(texts[number + 1:]).startswith(("?", "!")) or "".join(texts[:number]).endswith("Optional<"))
        for number, fragment in enumerate(fragments))

found = set()
for graph in graphs:
    for symbol in graph["symbols"]:
        if is_trap(symbol.get("declarationFragments", [])):
            place = symbol.get("location", {})
            file = place.get("uri", "").split("/Sources/")[-1]
            found.add((file, place.get("position", {}).get("line", 0) + 1, ".".join(symbol["pathComponents"])))
for file, line, name in sorted(found): print(f"{file}:{line}: {name} is an optional of a type with a value `none`")
if found: sys.exit(f"{len(found)} public symbols read `.none` as nil.")
