#!/usr/bin/env python3
"""Counts the public types by module: what a reader of the reference meets.

    scripts/surface.py [--list] [--since COMMIT]      --list: with the names; --since: which are gone or new since then

Reads Documentation/public-symbols.txt, which scripts/docs.sh keeps true. Needs no build. `import Gannet` brings the modules that
Sources/Gannet re-exports, and those that they re-export.
"""
import pathlib, re, subprocess, sys

LIST = "Documentation/public-symbols.txt"
TYPE = re.compile(r"(\w+): (?:struct|class|enum|actor|protocol|typealias) (.+)")


def types(text):
    """(module, name) of every type, nested ones too."""
    return {found.groups() for found in map(TYPE.fullmatch, text.splitlines()) if found}


def exported(module, seen):
    """The modules that an import of this one brings."""
    if module in seen: return seen
    seen.add(module)
    for path in pathlib.Path("Sources", module).rglob("*.swift"):
        for name in re.findall(r"@_exported public import (\w+)", path.read_text(encoding="utf-8")): exported(name, seen)
    return seen


def table(known):
    """Lines of Markdown: one row a module, and the two sums."""
    imported = exported("Gannet", set())
    count = {module: sum(one == module for one, _ in known) for module in sorted({module for module, _ in known})}
    rows = [(f"`{module}`" + (" *" if module in imported else ""), number) for module, number in count.items()]
    rows += [("`import Gannet` (*)", sum(count.get(module, 0) for module in imported)), ("all products", sum(count.values()))]
    return ["| module | public types |", "|---|---|"] + [f"| {name} | {number} |" for name, number in rows]


arguments = sys.argv[1:]
now = types(pathlib.Path(LIST).read_text(encoding="utf-8"))
print("\n".join(table(now)))
if "--list" in arguments:
    for module, name in sorted(now): print(f"{module}: {name}")
if "--since" in arguments:
    commit = arguments[arguments.index("--since") + 1]
    before = types(subprocess.run(["git", "show", f"{commit}:{LIST}"], check=True, capture_output=True, text=True).stdout)
    for module, name in sorted(before - now): print(f"gone: {module}: {name}")
    for module, name in sorted(now - before): print(f"new: {module}: {name}")
