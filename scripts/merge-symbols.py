#!/usr/bin/env python3
"""Makes one symbol graph of those of several modules, because users see them as one: `import Gannet` brings what the others
declare, and comments refer across modules.

    scripts/merge-symbols.py OUT GRAPH…      prints the number of symbols
"""
import json
import sys

out, *paths = sys.argv[1:]
merged = None
seen = set()
for path in paths:
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    if merged is None:
        merged = {"metadata": graph["metadata"], "module": {**graph["module"], "name": "Gannet"}, "symbols": [], "relationships": []}
    for symbol in graph["symbols"]:
        identifier = symbol["identifier"]["precise"]
        if identifier not in seen:
            seen.add(identifier)
            merged["symbols"].append(symbol)
    merged["relationships"] += graph["relationships"]
with open(out, "w", encoding="utf-8") as file:
    json.dump(merged, file)
print(len(seen), "public symbols")
