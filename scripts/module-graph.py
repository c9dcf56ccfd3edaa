#!/usr/bin/env python3
"""Draws the modules of the package and what each uses, from the package itself, into Documentation/Architecture.md.

    scripts/module-graph.py [--check]      --check: fails where the drawing is not that of the package

Reads `swift package dump-package`. An arrow that follows from others is left out; system libraries and tests are not drawn.
"""
import json, pathlib, re, subprocess, sys

page = pathlib.Path("Documentation/Architecture.md")
package = json.loads(subprocess.run(["swift", "package", "dump-package"], check=True, capture_output=True, text=True).stdout)
drawn = {one["name"] for one in package["targets"] if one["type"] in ("regular", "executable") and not (one.get("path") or "").startswith("Tests/")}


def names(target):
    for one in target["dependencies"]:
        for kind in ("byName", "target"):
            if kind in one: yield one[kind][0]


uses = {one["name"]: sorted(set(names(one)) & drawn) for one in package["targets"] if one["name"] in drawn}


def reach(name):
    found = set()
    for other in uses[name]: found |= {other} | reach(other)
    return found


lines = ["```mermaid", "graph BT"]
for name in sorted(uses):
    indirect = set().union(*[reach(other) for other in uses[name]])
    direct = [other for other in uses[name] if other not in indirect]
    for other in direct: lines.append(f"    {name} --> {other}")
    if not direct: lines.append(f"    {name}")
lines.append("```")
text = page.read_text(encoding="utf-8")
begin, end = "<!-- modules: drawn by scripts/module-graph.py -->\n", "<!-- end of the modules -->"
fresh = re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: begin + "\n".join(lines) + "\n" + end, text, flags=re.S)
if begin not in text: sys.exit(f"{page} has no place for the drawing.")
if "--check" in sys.argv[1:]:
    if fresh != text: sys.exit("The modules have changed: scripts/module-graph.py draws them anew.")
else:
    page.write_text(fresh, encoding="utf-8")
