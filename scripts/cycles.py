#!/usr/bin/env python3
"""Finds folders of Sources that use each other's types in a circle, and fails on a circle that is new.

    scripts/cycles.py [--all]      --all: prints every use that closes a circle, with a file for each

A use is a type name of one folder in the code of another. Names that two folders declare are left out, and so are comments and texts. A pair of
folders that use each other, directly or through others, belongs to a circle. `scripts/known-cycles.txt` lists the pairs that are still there; a pair
that is gone from the code must be removed from the list too.
"""
import pathlib, re, sys

sources = pathlib.Path("Sources")
known_path = pathlib.Path("scripts/known-cycles.txt")
DECLARATION = re.compile(r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|final|indirect)\s+)*"
                         r"(?:class|struct|enum|actor|protocol|typealias)\s+(\w+)", re.M)
NOISE = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*(?:.|\n)*?\*/')


def folder(path):
    """The module's folder for small modules, else the folder below it: `GannetFetch/Fetching`."""
    return "/".join(path.relative_to(sources).parts[:2] if len(path.relative_to(sources).parts) > 2 else path.relative_to(sources).parts[:1])


def circles(uses):
    """Each folder with those that it reaches and that reach it (Tarjan would be faster; there are a few dozen)."""
    reach = {}
    for start in uses:
        seen, todo = set(), [start]
        while todo:
            for target in uses.get(todo.pop(), {}):
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        reach[start] = seen
    return {(a, b) for a in uses for b in uses[a] if a in reach.get(b, ())}


texts = {path: NOISE.sub(" ", path.read_text(encoding="utf-8")) for path in sorted(sources.rglob("*.swift"))}
places = {}
for path, text in texts.items():
    for name in DECLARATION.findall(text): places.setdefault(name, set()).add(folder(path))
owner = {name: next(iter(folders)) for name, folders in places.items() if len(folders) == 1}
uses = {}
for path, text in texts.items():
    here = folder(path)
    for name in set(re.findall(r"\b[A-Z]\w+", text)):
        there = owner.get(name)
        if there and there != here: uses.setdefault(here, {}).setdefault(there, (name, path))
found = circles(uses)
known = {tuple(line.split(" -> ")) for line in known_path.read_text().split("\n") if " -> " in line}
if "--all" in sys.argv[1:]:
    for a, b in sorted(found): print(f"{a} -> {b}", *uses[a][b])
for a, b in sorted(found - known): print(f"new circle: {a} -> {b}, by {uses[a][b][0]} in {uses[a][b][1]}", file=sys.stderr)
for a, b in sorted(known - found): print(f"no circle any more, remove it from {known_path}: {a} -> {b}", file=sys.stderr)
print(f"{len(found)} uses close circles between {len({a for pair in found for a in pair})} folders; {len(known)} are known.")
sys.exit(found != known)
